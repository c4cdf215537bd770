import type { Redact } from '../../core/redactor.js';
import { Secret } from '../../core/secret.js';
import { MASKED } from './secret-name.js';

/** Minimum length of a masked value; shorter values occur in too many texts. */
const SHORTEST = 6;

/** The secrets of one adapter. */
export interface SecretMask {
  /** Starts masking a value; the returned function releases it. */
  readonly keep: (value: string) => () => void;
  /** Returns the text without these secrets. */
  readonly redact: Redact;
}

export interface SecretMaskOptions {
  /** Called with each registered value as well. */
  readonly onSecret?: ((value: string) => () => void) | undefined;
  /** Applied to each text after the adapter's secrets are removed. */
  readonly redact?: Redact | undefined;
}

/** Creates a mask for all secrets in an adapter's settings and from its logins. */
export function createSecretMask(settings: unknown, { onSecret, redact }: SecretMaskOptions): SecretMask {
  const fixed = secretsIn(settings).map((secret) => secret.reveal());
  // Reference-counted, because two sessions may have the same value.
  const kept = new Map<string, number>();
  let spelled: readonly string[] | undefined;
  const encodings = (): readonly string[] => {
    const known = [...fixed, ...kept.keys()].filter(({ length }) => length >= SHORTEST);
    // Longest first, because one secret may be a part of another.
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

/** Returns the common encodings of a value; the optional `redact` covers other encodings. */
function encodingsOf(value: string): readonly string[] {
  return [...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])];
}

function secretsIn(value: unknown): readonly Secret[] {
  if (value instanceof Secret) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(secretsIn);
}
