/** Values that are shorter stand in too many texts to be looked for. */
export const SHORTEST = 6;

/**
 * The forms in which a value may stand in a text: as it is or inside a JSON string (or JSON in JSON); and each of these
 * in a URL or a form, in base64 and base64url wherever it begins inside the encoded bytes, and in hex. All have
 * {@link SHORTEST} characters or more.
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
  // Of the bytes again: half a surrogate pair has no place in a URL.
  return [text, ...inUrls(bytes.toString()), ...inBase64(bytes), hex, hex.toUpperCase()];
}

function inUrls(value: string): readonly string[] {
  const component = encodeURIComponent(value);
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  const encodings = [component, encodeURI(value), form];
  const lowerCase = (escape: string): string => escape.toLowerCase();
  return [...encodings, ...encodings.map((text) => text.replaceAll(/%[\dA-F]{2}/g, lowerCase))];
}

/** What of the base64 text depends on the value alone: the sign at each end may mix it with its neighbours. */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((shifted.length * 8) / 6);
    const [standard, url] = [shifted.toString('base64'), shifted.toString('base64url')];
    return [standard.slice(first, last), url.slice(first, last)];
  });
}
