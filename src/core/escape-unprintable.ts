/** Escapes, in a text of JSON, characters that could break a line or a terminal. */
export function escapeUnprintable(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
