/** Prefix of a value that the platform's adapters encoded (`{code}`: base64) or encrypted. */
export type PlatformWatermark = '{code}' | '{crypt}';

/** Returns the prefix that a text begins with, in any letter case; undefined for any other text. */
export function platformMark(text: string): PlatformWatermark | undefined {
  const mark = /^\s*\{(code|crypt)\}/i.exec(text)?.[1];
  return mark === undefined ? undefined : mark.toLowerCase() === 'code' ? '{code}' : '{crypt}';
}
