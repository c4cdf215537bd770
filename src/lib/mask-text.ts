/** Maximum length of a masked text, in characters. */
export const TEXT_LENGTH = 8192;

const SECRET_NAMES =
  'authorization|cookie|pass(?:word|wd|phrase)|secret|token|api[-_]?key|private[-_]?key|credential';
const SECRET_NAME = new RegExp(SECRET_NAMES, 'i');

/** A placeholder of a hint, such as `<token>`: no credentials contain angle brackets (RFC 9110 section 11.2). */
const PLACEHOLDER = '<[a-z][a-z ]{0,30}>(?![^\\s",;])';

/** Words that follow the name of a scheme in our own sentences. */
const PLAIN_WORD = '(?:and|authentication|credentials|in|is|or|scheme|tokens?|\\(rfc)(?![\\w.~+/=-])';

// Patterns of secrets in a text. Every repetition is bounded or cannot fail, so no text causes slow matching.
// The words "basic" and "bearer" mask the following word even if it is harmless, except for the words above: losing
// a word is better than leaking a secret.
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^]*?(?:-----END|$)/g, '[redacted]'],
  [new RegExp(`\\b(bearer|basic)\\s+(?!${PLACEHOLDER}|${PLAIN_WORD})[^\\s",;]+`, 'gi'), '$1 [redacted]'],
  [/eyJ[\w-]{5,}(?:\.[\w-]*){0,4}/g, '[redacted]'],
  [/\bhv[sbr]\.[\w-]+/g, '[redacted]'],
  [/:\/\/[^\s/@"]+@/g, '://[redacted]@'],
  [new RegExp(`((?:${SECRET_NAMES})[\\w-]{0,32}=)(?!${PLACEHOLDER})[^\\s"&,;]+`, 'gi'), '$1[redacted]'],
  [new RegExp(`((?:${SECRET_NAMES})[\\w-]{0,32}"\\s{0,8}:\\s{0,8}")[^"]+`, 'gi'), '$1[redacted]'],
];

/** Quick tests for the patterns above: almost every text fails both and skips them. Together they would take twice as long. */
const SUSPICIOUS_MARK = /@|eyJ|hv[sbr]\./;
const SUSPICIOUS_WORD = new RegExp(`PRIVATE KEY|bearer|basic|${SECRET_NAMES}`, 'i');

/** Returns false for texts that contain nothing like a secret. */
export function isSuspicious(text: string): boolean {
  return SUSPICIOUS_MARK.test(text) || SUSPICIOUS_WORD.test(text);
}

/**
 * Returns true for names of fields and headers whose values must never be shown, for example `Set-Cookie` or
 * `clientSecret`.
 */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Replaces every text that matches a pattern of a secret with `[redacted]`, and truncates at {@link TEXT_LENGTH}. This
 * is the second line of defense; the first is that secrets are wrapped in a `Secret`.
 */
export function maskText(text: string): string {
  // Masked before truncation, because a truncated secret no longer matches.
  let masked = text.slice(0, 2 * TEXT_LENGTH);
  if (isSuspicious(masked))
    for (const [pattern, replacement] of SECRET_TEXTS) masked = masked.replace(pattern, replacement);
  const isComplete = text.length <= 2 * TEXT_LENGTH && masked.length <= TEXT_LENGTH;
  return isComplete ? masked : `${masked.slice(0, TEXT_LENGTH)}[cut: ${text.length} characters]`;
}
