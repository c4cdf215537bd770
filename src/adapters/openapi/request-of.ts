import type { OutboundRequest } from '../../core/adapter.js';
import { isHeaderValue } from '../../core/header.js';
import { Problem, type RequestError } from '../../core/problem.js';
import { isJsonObject, type JsonObject, memberOf } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import { jsonText } from '../../json/write-json.js';
import { isBase64 } from '../../lib/base64.js';
import type { BodyPlan, CallPlan, FormEncoding, ParameterPlan, Encoding } from './document-task.js';

/** A call of a method as the requests of adapters are: the plugin translates it, and headers and cookies are added. */
export interface MethodRequest extends OutboundRequest {
  readonly accept: string;
  readonly contentType?: string;
}

/** Returns the request for a call with valid arguments. Throws `invalid_request` for an argument that cannot be sent. */
export async function requestOf(plan: CallPlan, args: JsonObject): Promise<MethodRequest> {
  const given = plan.parameters.flatMap((parameter) => {
    const value = memberOf(args, parameter.argument);
    return value === undefined ? [] : [[parameter, value] as const];
  });
  const cookies = pairsIn('cookie', given);
  const body = plan.body && (await bodyOf(plan.body, args));
  return {
    method: plan.method,
    path: targetOf(plan.path, given),
    accept: plan.accept,
    headers: headersOf(given),
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    ...body,
  };
}

type Given = readonly (readonly [ParameterPlan, unknown])[];

function targetOf(template: string, given: Given): string {
  const texts = new Map(
    given
      .filter(([parameter]) => parameter.in === 'path')
      .map(([parameter, value]) => [parameter.name, segmentOf(parameter, value)] as const),
  );
  const path = template.replace(/\{([^{}]*)\}/g, (written, name: string) => texts.get(name) ?? written);
  const query = pairsIn('query', given);
  return query.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** Returns the text of a parameter of the path. It must not change which resource the path names. */
function segmentOf(parameter: ParameterPlan, value: unknown): string {
  const text = encoded(parameter, () => pathText(parameter.name, value, parameter));
  if (text === '') throw refused(parameter.argument, 'must not be empty: it is a part of the path');
  if (/^\.+$/.test(text))
    throw refused(parameter.argument, 'must not consist of dots alone: it is a part of the path');
  return text;
}

function pairsIn(place: ParameterPlan['in'], given: Given): readonly string[] {
  return given
    .filter(([parameter]) => parameter.in === place)
    .flatMap(([parameter, value]) => encoded(parameter, () => pairsOf(parameter.name, value, parameter)));
}

function headersOf(given: Given): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given
      .filter(([parameter]) => parameter.in === 'header')
      .map(([parameter, value]) => {
        const text = headerText(value, parameter);
        if (!isHeaderValue(text))
          throw refused(parameter.argument, 'has a character that no header can carry');
        return [parameter.name.toLowerCase(), text];
      }),
  );
}

/** Returns the result. A text with half of a surrogate pair has no percent-encoding. */
function encoded<T>({ argument }: Pick<ParameterPlan, 'argument'>, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof URIError) throw refused(argument, 'is no well-formed Unicode text');
    throw error;
  }
}

interface MethodBody {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Returns the body; undefined if it is optional and no argument is given. */
async function bodyOf(plan: BodyPlan, args: JsonObject): Promise<MethodBody | undefined> {
  const { from, kind, mediaType: contentType } = plan;
  const value = typeof from === 'string' ? memberOf(args, from) : membersOf(plan, args);
  if (value === undefined) return undefined;
  if (kind === 'json') return { contentType, body: Buffer.from(jsonText(value)) };
  if (kind === 'text') return { contentType, body: Buffer.from(textOf(value)) };
  if (kind === 'binary') return { contentType, body: bytesOf(value, typeof from === 'string' ? from : '') };
  const members = isJsonObject(value) ? Object.entries(value) : [];
  if (kind === 'form')
    return { contentType, body: Buffer.from(members.flatMap((pair) => formPairs(plan, pair)).join('&')) };
  return multipartOf(plan, members);
}

function membersOf({ from, isRequired }: BodyPlan, args: JsonObject): JsonObject | undefined {
  const members = (typeof from === 'string' ? [] : from).flatMap(({ argument, name }) => {
    const value = memberOf(args, argument);
    return value === undefined ? [] : [[name, value] as const];
  });
  return members.length > 0 || isRequired ? Object.fromEntries(members) : undefined;
}

type Member = readonly [name: string, value: unknown];

const PLAIN_FORM: FormEncoding = { style: 'form', explode: true };

function formPairs({ encodings, from }: BodyPlan, [name, value]: Member): readonly string[] {
  const argument = argumentOf(from, name);
  const given = memberOf(encodings, name) as FormEncoding | undefined;
  // An object has no other form than JSON, unless the document gives it a style.
  const encoding = given ?? { ...PLAIN_FORM, isJson: isJsonObject(value) };
  return encoded({ argument }, () => pairsOf(name, value, encoding));
}

async function multipartOf(plan: BodyPlan, members: readonly Member[]): Promise<MethodBody> {
  const form = new FormData();
  for (const [name, value] of members)
    for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      const part = partOf(plan, [name, item]);
      if (typeof part === 'string') form.append(name, part);
      else form.append(name, part.content, ...(part.isFile ? [name] : []));
    }
  const encodedForm = new Response(form);
  return {
    contentType: encodedForm.headers.get('content-type') ?? plan.mediaType,
    body: Buffer.from(await encodedForm.arrayBuffer()),
  };
}

/** Returns a part of a form: a text, or a content with its media type. */
function partOf(
  { encodings, from }: BodyPlan,
  [name, value]: Member,
): string | { readonly content: Blob; readonly isFile: boolean } {
  const { isBinary = false, contentType } = (memberOf(encodings, name) ?? {}) as Partial<FormEncoding>;
  if (isBinary) {
    const bytes = bytesOf(value, argumentOf(from, name));
    const content = new Blob([bytes], { type: contentType ?? 'application/octet-stream' });
    return { content, isFile: true };
  }
  if (contentType === undefined && typeof value !== 'object') return textOf(value);
  return { content: new Blob([textOf(value)], { type: contentType ?? 'application/json' }), isFile: false };
}

function argumentOf(from: BodyPlan['from'], name: string): string {
  return typeof from === 'string' ? from : (from.find((member) => member.name === name)?.argument ?? name);
}

/** Returns the bytes of a file, which callers send as base64 (RFC 4648), with its padding or without it. */
function bytesOf(value: unknown, argument: string): Buffer<ArrayBuffer> {
  if (typeof value !== 'string' || !isBase64(withPadding(value)))
    throw refused(argument, 'must be base64: it is sent as bytes');
  return Buffer.from(value, 'base64');
}

/** Returns base64 with the padding that it may lack. */
function withPadding(base64: string): string {
  return base64.includes('=') ? base64 : base64.padEnd(Math.ceil(base64.length / 4) * 4, '=');
}

function refused(argument: string, message: string): Problem {
  const error: RequestError = { pointer: pointerTo('', argument), message };
  return new Problem('invalid_request', `the argument "${argument}" ${message}`, { errors: [error] });
}

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
function textOf(value: unknown): string {
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
