import { hasPattern, maskPatterns, type PatternIndex, SHORTEST } from '../../core/secret-patterns.js';
import { nextTurn } from '../../lib/turns.js';

/** Number of bytes that are searched in one turn of the event loop. */
const PIECE_LENGTH = 262_144;

/** Maximum length of a body whose escapes are decoded, because decoding takes one turn of the event loop. */
const MAX_UNESCAPED_LENGTH = 1_048_576;

/**
 * Returns the body without the values of the index; the same buffer if the body contains none. JSON stays JSON, because a
 * value in a string is replaced by text that needs no escape. Decodes `\u` escapes of ASCII characters first, up to 1 MiB. A number that
 * is a secret makes the body invalid JSON. The result is synchronous for a body that is searched in one turn.
 */
export function redactBody(body: Buffer, index: PatternIndex): Buffer | Promise<Buffer> {
  if (index.patterns.size === 0) return body;
  const isEscaped = body.length <= MAX_UNESCAPED_LENGTH && body.includes(ASCII_ESCAPE);
  const bytes = isEscaped ? Buffer.from(unescapeAscii(body.toString('latin1')), 'latin1') : body;
  const masked = (): Buffer => Buffer.from(maskPatterns(bytes.toString('latin1'), index), 'latin1');
  if (bytes.length > PIECE_LENGTH)
    return isFoundInPieces(bytes, index).then((isFound) => (isFound ? masked() : body));
  return hasPattern(bytes, index, { from: 0, to: bytes.length }) ? masked() : body;
}

async function isFoundInPieces(bytes: Buffer, index: PatternIndex): Promise<boolean> {
  for (let from = 0; from < bytes.length; from += PIECE_LENGTH) {
    if (from > 0) await nextTurn();
    // The six characters by which a value is found may begin in the previous piece.
    const piece = { from: Math.max(0, from - SHORTEST + 1), to: Math.min(bytes.length, from + PIECE_LENGTH) };
    if (hasPattern(bytes, index, piece)) return true;
  }
  return false;
}

const ASCII_ESCAPE = '\\u00';
const ESCAPES = /\\(?:u00([2-7][\da-f])|[^])/gi;

/** Decodes the `\u` escapes of visible ASCII characters in JSON, except for quotation marks and backslashes. */
function unescapeAscii(json: string): string {
  return json.replaceAll(ESCAPES, (escape: string, hex: string | undefined) => {
    const character = hex === undefined ? escape : String.fromCharCode(parseInt(hex, 16));
    return character === '"' || character === '\\' || character === '\x7f' ? escape : character;
  });
}
