/** Maximum length of a string in a line, in characters. */
export const TEXT_LENGTH = 8192;

const NAMES =
  'authorization|cookie|pass(?:word|wd|phrase)|secret|token|api[-_]?key|private[-_]?key|credential';
const SECRET_NAME = new RegExp(NAMES, 'i');

// Patterns of secrets in a text. Every repetition is bounded or cannot fail, so no text causes slow matching.
// The words "basic" and "bearer" mask the following word even if it is harmless: losing a word is better than
// leaking a secret.
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^]*?(?:-----END|$)/g, '[redacted]'],
  [/\b(bearer|basic)\s+[^\s",;]+/gi, '$1 [redacted]'],
  [/eyJ[\w-]{5,}(?:\.[\w-]*){0,4}/g, '[redacted]'],
  [/\bhv[sbr]\.[\w-]+/g, '[redacted]'],
  [/:\/\/[^\s/@"]+@/g, '://[redacted]@'],
  [new RegExp(`((?:${NAMES})[\\w-]{0,32}=)[^\\s"&,;]+`, 'gi'), '$1[redacted]'],
  [new RegExp(`((?:${NAMES})[\\w-]{0,32}"\\s{0,8}:\\s{0,8}")[^"]+`, 'gi'), '$1[redacted]'],
];

/** Quick test for the patterns above: almost every text fails it and skips them. */
const SUSPICIOUS = new RegExp(`PRIVATE KEY-----|bearer|basic|eyJ|hv[sbr]\\.|@|${NAMES}`, 'i');

/** Returns false for texts that contain nothing like a secret. */
export function isSuspicious(text: string): boolean {
  return SUSPICIOUS.test(text);
}

/**
 * Returns true for names of fields and headers whose values must never be shown, for example `Set-Cookie` or
 * `clientSecret`.
 */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Replaces everything that looks like a secret with `[redacted]`, and truncates at {@link TEXT_LENGTH}. This
 * is the second line of defense; the first is that secrets are kept in a `Secret`.
 */
export function maskText(text: string): string {
  // Masked before truncation, because a truncated secret no longer matches.
  let masked = text.slice(0, 2 * TEXT_LENGTH);
  if (isSuspicious(masked))
    for (const [pattern, replacement] of SECRET_TEXTS) masked = masked.replace(pattern, replacement);
  const whole = text.length <= 2 * TEXT_LENGTH && masked.length <= TEXT_LENGTH;
  return whole ? masked : `${masked.slice(0, TEXT_LENGTH)}[cut: ${text.length} characters]`;
}
