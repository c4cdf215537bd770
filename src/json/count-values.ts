const [QUOTE, BACKSLASH, COMMA, OPEN_OBJECT, OPEN_ARRAY] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];

/**
 * Returns true if a JSON text has more than a number of members, elements, objects and arrays together. The time and the memory of
 * `JSON.parse` depend on these more than on the size: check the text of a stranger first. The answer for other bytes has no meaning.
 *
 * @example
 * ```ts
 * if (hasMoreValues(reply.body, 20_000)) throw new Problem('upstream_too_large', 'the reply has too many members');
 * ```
 */
export function hasMoreValues(json: Uint8Array, most: number): boolean {
  // Each value but the first follows a comma or an opening bracket.
  if (json.length <= most) return false;
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at + 1);
    else if ((byte === COMMA || byte === OPEN_OBJECT || byte === OPEN_ARRAY) && (count += 1) > most)
      return true;
  }
  return false;
}

/** Returns the position of the quote that ends a string, or the end of the bytes. */
export function endOfString(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
