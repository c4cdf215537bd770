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

const SECRET = new RegExp(SECRET_WORD, 'i');

/** Returns true for names of members, elements, parameters and headers whose values must not be recorded. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}
