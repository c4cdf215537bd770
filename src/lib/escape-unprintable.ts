/** Finds a character that is not printable ASCII, or that JSON escapes. */
const SPECIAL = /[^ !#-[\]-~]/;

/** Escapes, in a text of JSON, characters that could break a line or a terminal. */
export function escapeUnprintable(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Escapes, in a text for people, characters that could break a line or a terminal. */
export function printable(text: string): string {
  return escapeUnprintable(text).replace(/\p{Cc}/gu, escaped);
}

/** Escapes, in lines for people, characters that could break a terminal. */
export function printableLines(text: string): string {
  return escapeUnprintable(text).replace(/(?![\n\t])\p{Cc}/gu, escaped);
}

function escaped(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}

/**
 * Returns the same text as `JSON.stringify` for a text or a number. Much faster for a text without characters to escape,
 * such as almost every value of a record.
 */
export function jsonValue(value: string | number): string {
  return plainJson(value) ?? JSON.stringify(value);
}

/** Returns the JSON of a text or a number as {@link jsonValue}, and escapes as {@link escapeUnprintable}. */
export function printableJsonValue(value: string | number): string {
  return plainJson(value) ?? escapeUnprintable(JSON.stringify(value));
}

/** Returns the JSON of a number or of a text without special characters; undefined for other texts. */
function plainJson(value: string | number): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  return SPECIAL.test(value) ? undefined : `"${value}"`;
}
