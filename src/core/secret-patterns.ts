import { SHORTEST } from '../lib/pattern-index.js';

/**
 * Returns the encodings in which a value may occur in a text: plain or in a JSON string (or JSON in JSON);
 * each of these URL-encoded (also every byte) or form-encoded, in base64 and base64url at any byte offset, and in hex. All have
 * at least {@link SHORTEST} characters.
 */
export function encodingsOf(value: string): readonly string[] {
  const json = inJson(value);
  const encodings = [value, json, json.replaceAll('/', '\\/'), inJson(json)].flatMap(binaryEncodingsOf);
  return [...new Set(encodings)].filter(({ length }) => length >= SHORTEST);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function binaryEncodingsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  // Decoded from the bytes again, because a lone surrogate cannot be URL-encoded.
  return [text, ...inUrls(bytes.toString()), ...inBase64(bytes), hex, hex.toUpperCase()];
}

function inUrls(value: string): readonly string[] {
  const component = encodeURIComponent(value);
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  const everyByte = [...Buffer.from(value)].map(
    (byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`,
  );
  const encodings = [component, encodeURI(value), form, everyByte.join('')];
  const lowerCase = (escape: string): string => escape.toLowerCase();
  return [...encodings, ...encodings.map((text) => text.replaceAll(/%[\dA-F]{2}/g, lowerCase))];
}

/**
 * Returns the part of the base64 text that depends only on the value; the characters at both ends may mix
 * with neighboring bytes.
 */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((shifted.length * 8) / 6);
    const [standard, url] = [shifted.toString('base64'), shifted.toString('base64url')];
    return [standard.slice(first, last), url.slice(first, last)];
  });
}
