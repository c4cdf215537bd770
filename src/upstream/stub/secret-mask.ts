import { type Redact, Secret } from '../../core/secret.js';

/** Replacement for a secret. */
export const MASKED = '[redacted]';

/** Source of a pattern for words in secret names; requires the flag `i`. */
export const SECRET_WORD = [
  'pass(?:word|wd|phrase|code)?(?!ive)',
  '(?:pwd|secret|token|community|credential|authorization|cookie|jwt|psk)',
  '(?:private|api|access|auth|authentication|encryption|shared)[-_]?key',
  'key[-_]?string',
  'session[-_]?id',
].join('|');

const SECRET_NAME = new RegExp(SECRET_WORD, 'i');

/** Returns true for names of members, elements, parameters and headers whose values must not be recorded. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Minimum length of a masked value; shorter values occur in too many texts. */
const MIN_SECRET_LENGTH = 6;

/** The secrets of one adapter. */
interface SecretMask {
  /** Starts masking a value; the returned function releases it. */
  readonly mask: (value: string) => () => void;
  /** Returns the text without these secrets. */
  readonly redact: Redact;
}

interface SecretMaskOptions {
  /** Called with each registered value as well. */
  readonly onSecret?: ((value: string) => () => void) | undefined;
  /** Applied to each text after the adapter's secrets are removed. */
  readonly redact?: Redact | undefined;
}

/** Creates a mask for all secrets in an adapter's settings and from its logins. */
export function createSecretMask(settings: unknown, { onSecret, redact }: SecretMaskOptions): SecretMask {
  const fixed = secretsIn(settings).map((secret) => secret.reveal());
  // Reference-counted, because two sessions may have the same value.
  const references = new Map<string, number>();
  let encodedSecrets: readonly string[] | undefined;
  const encodings = (): readonly string[] => {
    const known = [...fixed, ...references.keys()].filter(({ length }) => length >= MIN_SECRET_LENGTH);
    // Longest first, because one secret may be a part of another.
    return known.flatMap(encodingsOf).sort((first, second) => second.length - first.length);
  };
  return {
    mask(value) {
      encodedSecrets = undefined;
      references.set(value, (references.get(value) ?? 0) + 1);
      const release = onSecret?.(value);
      return () => {
        encodedSecrets = undefined;
        const count = (references.get(value) ?? 1) - 1;
        if (count === 0) references.delete(value);
        else references.set(value, count);
        release?.();
      };
    },
    redact(text) {
      encodedSecrets ??= encodings();
      const bare = encodedSecrets.reduce((rest, value) => rest.replaceAll(value, MASKED), text);
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
