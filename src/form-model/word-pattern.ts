/**
 * Returns a case-insensitive pattern for a word of a search, so that no text is copied in lower case. Only syntax characters
 * are escaped: with the flag `u`, an escaped hyphen is an error.
 */
export function wordPattern(word: string): RegExp {
  return new RegExp(word.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'), 'iu');
}
