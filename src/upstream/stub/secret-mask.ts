import type { Redact } from '../../core/redactor.js';
import { Secret } from '../../core/secret.js';
import { MASKED } from './secret-name.js';

/** Shorter values stand in too many texts to be taken out of them. */
const SHORTEST = 6;

/** Knows the secrets of one adapter. */
export interface SecretMask {
  /** Masks a value from now on; the result lets go of it. */
  readonly keep: (value: string) => () => void;
  /** The text without them. */
  readonly redact: Redact;
}

export interface SecretMaskOptions {
  /** Told each value as well. */
  readonly onSecret?: ((value: string) => () => void) | undefined;
  /** Looks at each text after the secrets of the adapter were taken out. */
  readonly redact?: Redact | undefined;
}

/** Makes a mask of all secrets in an adapter's settings, and of those that logins give. */
export function createSecretMask(settings: unknown, { onSecret, redact }: SecretMaskOptions): SecretMask {
  const fixed = secretsIn(settings).map((secret) => secret.reveal());
  // Counted, because two sessions may have the same value.
  const kept = new Map<string, number>();
  let spelled: readonly string[] | undefined;
  const encodings = (): readonly string[] => {
    const known = [...fixed, ...kept.keys()].filter(({ length }) => length >= SHORTEST);
    // The longest first: one secret may be a part of another.
    return known.flatMap(encodingsOf).sort((one, other) => other.length - one.length);
  };
  return {
    keep(value) {
      spelled = undefined;
      kept.set(value, (kept.get(value) ?? 0) + 1);
      const release = onSecret?.(value);
      return () => {
        spelled = undefined;
        const left = (kept.get(value) ?? 1) - 1;
        if (left === 0) kept.delete(value);
        else kept.set(value, left);
        release?.();
      };
    },
    redact(text) {
      spelled ??= encodings();
      const bare = spelled.reduce((rest, value) => rest.replaceAll(value, MASKED), text);
      return redact?.(bare) ?? bare;
    },
  };
}

/** Other spellings are known to who looks after this. */
function encodingsOf(value: string): readonly string[] {
  return [...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])];
}

function secretsIn(value: unknown): readonly Secret[] {
  if (value instanceof Secret) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(secretsIn);
}
