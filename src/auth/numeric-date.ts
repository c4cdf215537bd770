/**
 * Returns a NumericDate (RFC 7519 section 2) as whole seconds since 1970. A NumericDate may have a fraction, which is dropped:
 * a token never lives longer for it. Returns undefined for any other value.
 */
export function readNumericDate(value: unknown): number | undefined {
  if (typeof value !== 'number') return undefined;
  const seconds = Math.floor(value);
  return Number.isSafeInteger(seconds) ? seconds : undefined;
}
