import { isJsonObject } from '../../json/json-object.js';
import { jsonText } from '../../json/write-json.js';
import type { Encoding } from './document-task.js';

/** Percent-encodes every character that RFC 3986 does not count as unreserved. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, encodeByte);
}

/** Percent-encodes a value of a query, and keeps the reserved characters that separate nothing there. */
function encodeKeepingReserved(text: string): string {
  return encodeURIComponent(text).replace(/%(?:3A|2F|3F|40|24|2C|3B)/g, decodeURIComponent);
}

function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Returns a value as text: texts as they are, and lists and objects inside of others as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** Separators of lists by style, as they are sent. */
const SEPARATORS: Readonly<Partial<Record<Encoding['style'], string>>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
  tabDelimited: '%09',
};

/** Returns the text of a parameter in a segment of a path (RFC 6570), percent-encoded. */
export function pathText(name: string, value: unknown, encoding: Encoding): string {
  const { style, explode } = encoding;
  if (encoding.isJson) return percentEncode(jsonText(value));
  if (style === 'label') return `.${listed(value, { explode, separator: explode ? '.' : ',' })}`;
  if (style === 'matrix') return matrixText(percentEncode(name), value, explode);
  return listed(value, { explode, separator: ',' });
}

function matrixText(name: string, value: unknown, explode: boolean): string {
  const pairOf = (key: string, text: string): string => (text === '' ? `;${key}` : `;${key}=${text}`);
  if (explode && Array.isArray(value))
    return value.map((item) => pairOf(name, percentEncode(textOf(item)))).join('');
  if (explode && isJsonObject(value))
    return Object.entries(value)
      .map(([key, item]) => pairOf(percentEncode(key), percentEncode(textOf(item))))
      .join('');
  return pairOf(name, listed(value, { explode: false, separator: ',' }));
}

/** Returns the value of a header, in the style `simple` and without percent-encoding. */
export function headerText(value: unknown, { explode, isJson = false }: Encoding): string {
  return isJson
    ? jsonText(value)
    : listed(value, { explode, separator: ',', encode: (text: string) => text });
}

/** Returns the pairs of names and values of a parameter of a query, a form or a cookie, percent-encoded. */
export function pairsOf(name: string, value: unknown, encoding: Encoding): readonly string[] {
  const { style, explode, isJson = false, allowReserved = false } = encoding;
  const encode = allowReserved ? encodeKeepingReserved : percentEncode;
  const key = percentEncode(name);
  if (isJson) return [`${key}=${encode(jsonText(value))}`];
  if (style === 'deepObject') return deepPairs(key, value, encode);
  if (explode && typeof value === 'object' && value !== null) return explodedPairs(key, value, encode);
  const isEmpty = Array.isArray(value) && value.length === 0;
  const separator = SEPARATORS[style] ?? ',';
  return isEmpty ? [] : [`${key}=${listed(value, { explode: false, separator, encode })}`];
}

/** Returns a pair for each item of a list, by the name of the parameter, or for each member of an object, by its own name. */
function explodedPairs(key: string, value: object, encode: (text: string) => string): readonly string[] {
  return Object.entries(value).map(([member, item]) => {
    const name = Array.isArray(value) ? key : percentEncode(member);
    return `${name}=${encode(textOf(item))}`;
  });
}

/** Returns `name[member]=value` for each member, at any depth. A list repeats its pair. */
function deepPairs(key: string, value: unknown, encode: (text: string) => string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => deepPairs(key, item, encode));
  if (!isJsonObject(value)) return [`${key}=${encode(textOf(value))}`];
  return Object.entries(value).flatMap(([member, item]) =>
    deepPairs(`${key}%5B${percentEncode(member)}%5D`, item, encode),
  );
}

interface ListForm {
  readonly explode: boolean;
  readonly separator: string;
  readonly encode?: (text: string) => string;
}

/** Returns a scalar, the items of a list, or the members of an object, as one text. */
function listed(value: unknown, { explode, separator, encode = percentEncode }: ListForm): string {
  if (Array.isArray(value)) return value.map((item) => encode(textOf(item))).join(separator);
  if (!isJsonObject(value)) return encode(textOf(value));
  return Object.entries(value)
    .map(([key, item]) => encode(key) + (explode ? '=' : separator) + encode(textOf(item)))
    .join(separator);
}
