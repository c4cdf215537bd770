/** White space, and characters that could break a line, control a terminal or change the direction of a text. */
const SPACE = /[\s\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu;

/**
 * Returns a text of an orchestrator on one line of limited length, without control characters. A text that is too long loses its last word as well,
 * because the beginning of a secret would not be recognized as the secret.
 */
export function oneLine(text: string, maxLength: number): string {
  let end = text.length;
  if (end > maxLength) {
    end = maxLength;
    // Not a regular expression, which would search for the end of each word.
    while (end > 0 && isVisibleAscii(text.charCodeAt(end - 1))) end -= 1;
  }
  return text.slice(0, end).replaceAll(SPACE, ' ').trim();
}

function isVisibleAscii(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}
