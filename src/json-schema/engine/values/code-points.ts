/** Returns the length of a text in Unicode characters. A surrogate pair counts as one. */
export function codePointsIn(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) if (isPair(text, at)) count -= 1;
  return count;
}

function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}
