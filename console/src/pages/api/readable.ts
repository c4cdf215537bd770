import { prettyJson } from '../../kit/pretty-json.js';

/** Longest text that is shown, in characters. */
const MOST = 200_000;

/** A text to be read: JSON with its lines, its numbers with all their digits; anything else as it is. Long texts are cut, and say so. */
export function readable(text: string): string {
  const shown = text.length > MOST ? text : prettyJson(text);
  if (shown.length <= MOST) return shown;
  return `${shown.slice(0, MOST)}\n… and ${shown.length - MOST} more characters`;
}
