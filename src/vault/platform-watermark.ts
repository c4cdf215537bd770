/** How the platform's adapters mark a value that they encoded (`{code}`: base64) or encrypted. */
export type PlatformWatermark = '{code}' | '{crypt}';

/** The mark that a text begins with, in any letter case. */
export function platformMark(text: string): PlatformWatermark | undefined {
  const mark = /^\s*\{(code|crypt)\}/i.exec(text)?.[1];
  return mark === undefined ? undefined : mark.toLowerCase() === 'code' ? '{code}' : '{crypt}';
}
