/** Longest text that a line shows of one string, in characters. */
export const TEXT_LENGTH = 8192;

const NAMES =
  'authorization|cookie|pass(?:word|wd|phrase)|secret|token|api[-_]?key|private[-_]?key|credential';
const SECRET_NAME = new RegExp(NAMES, 'i');

// What secrets look like inside a text. Every repetition is bounded or cannot fail, so that no text is slow.
// The words "basic" and "bearer" swallow the word behind them, harmless ones too: rather one word less than one secret more.
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^]*?(?:-----END|$)/g, '[redacted]'],
  [/\b(bearer|basic)\s+[^\s",;]+/gi, '$1 [redacted]'],
  [/eyJ[\w-]{5,}(?:\.[\w-]*){0,4}/g, '[redacted]'],
  [/\bhv[sbr]\.[\w-]+/g, '[redacted]'],
  [/:\/\/[^\s/@"]+@/g, '://[redacted]@'],
  [new RegExp(`((?:${NAMES})[\\w-]{0,32}=)[^\\s"&,;]+`, 'gi'), '$1[redacted]'],
  [new RegExp(`((?:${NAMES})[\\w-]{0,32}"\\s{0,8}:\\s{0,8}")[^"]+`, 'gi'), '$1[redacted]'],
];

/** What each of them has in it: nearly every text has none of it, and is spared the rest. */
const SUSPICIOUS = new RegExp(`PRIVATE KEY-----|bearer|basic|eyJ|hv[sbr]\\.|@|${NAMES}`, 'i');

/** False for texts in which nothing looks like a secret. */
export function isSuspicious(text: string): boolean {
  return SUSPICIOUS.test(text);
}

/** True for names of fields and headers whose values are never shown, for example `Set-Cookie` or `clientSecret`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * The text with everything in it that looks like a secret replaced by `[redacted]`, cut at {@link TEXT_LENGTH}.
 * The second line of defence: the first is that secrets are kept in a `Secret`.
 */
export function maskText(text: string): string {
  // Masked before it is cut: half a secret no longer looks like one.
  let masked = text.slice(0, 2 * TEXT_LENGTH);
  if (isSuspicious(masked))
    for (const [pattern, replacement] of SECRET_TEXTS) masked = masked.replace(pattern, replacement);
  const whole = text.length <= 2 * TEXT_LENGTH && masked.length <= TEXT_LENGTH;
  return whole ? masked : `${masked.slice(0, TEXT_LENGTH)}[cut: ${text.length} characters]`;
}
