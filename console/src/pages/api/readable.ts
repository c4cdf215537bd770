import { prettyJson } from '../../kit/pretty-json.js';

/** Maximum length of the shown text, in characters. */
const MOST = 200_000;

/**
 * Formats a text for reading: JSON is indented, and its numbers keep all digits; other texts stay unchanged.
 * Long texts are cut with a note.
 */
export function readable(text: string): string {
  const shown = text.length > MOST ? text : prettyJson(text);
  if (shown.length <= MOST) return shown;
  return `${shown.slice(0, MOST)}\n… and ${shown.length - MOST} more characters`;
}
