/** Pattern of an adapterId: it is a file's name and a segment of a URL. */
export const ADAPTER_ID_PATTERN = '^(?!__proto__$)[A-Za-z0-9_-][A-Za-z0-9 ._-]{0,63}$';

/** The same in words. */
export const ADAPTER_ID_WORDS =
  '1 to 64 letters, digits, spaces, ".", "_" and "-", the first neither a space nor a "."';

/** What a name must be to be an adapterId. */
export const ADAPTER_ID_HINT = `is no adapterId: use ${ADAPTER_ID_WORDS}`;

const id = new RegExp(ADAPTER_ID_PATTERN);

/** True for a name that an adapter may have. */
export function isAdapterId(name: string): boolean {
  return id.test(name);
}
