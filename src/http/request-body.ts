import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { andMoreErrors, Problem, type RequestError } from '../core/problem.js';
import type { CompileSchema, JsonSchema, Validator, Violation } from '../core/schema.js';
import { withoutByteOrderMark } from '../json/byte-order-mark.js';
import { parseJsonAround, sizeOfJson } from '../json/json-size.js';
import { type JsonResult, parseExactJson, parseJson } from '../json/strict-json.js';
import { sentence } from '../lib/sentence.js';
import { clientClosedRequest } from './client-disconnect.js';
import { bodyLength } from './drain-request.js';
import { withFewFaults } from './few-faults.js';
import type { HttpExchange } from './request-context.js';

/** Constraints of a request body. */
interface BodyOptions {
  /** Maximum size in bytes. */
  readonly limit: number;
  /** Maximum number of values in the JSON, apart from the member that `keepsText` names. */
  readonly maxValues: number;
  /** Maximum number of values that take several times as long as others; absent: as many as values. */
  readonly maxCostly?: number;
  /** True also accepts `application/x-www-form-urlencoded`. */
  readonly form?: true | undefined;
  /** True accepts a request without a body, which parses to `undefined`. */
  readonly optional?: true | undefined;
  /** Name of a member whose text is returned as well, as it was written. */
  readonly keepsText?: string | undefined;
  /** True reads whole numbers that a double does not keep as `bigint`. */
  readonly exactNumbers?: true | undefined;
}

/** The value of a body, and the text of the member that `keepsText` names; undefined for a form. */
export interface ParsedBody {
  readonly value: unknown;
  readonly memberText?: string | undefined;
}

/**
 * Parses the bytes of a request's body as JSON, or as a form. Throws `invalid_json`; an empty body that is not optional is
 * also `invalid_json`. Counts the values before it makes any, and throws `body_too_large` if there are too many. A member that
 * `keepsText` names and that has too many by itself is only text: its value is empty, and the body resolves later.
 */
export function parseBody(
  bytes: Buffer,
  { req }: HttpExchange,
  { optional, form, keepsText, exactNumbers, maxValues, maxCostly = maxValues }: Omit<BodyOptions, 'limit'>,
): ParsedBody | Promise<ParsedBody> {
  if (optional && bytes.length === 0) return { value: undefined };
  if (form && isForm(req.headers)) return { value: parseForm(bytes) };
  const json = withoutByteOrderMark(bytes);
  const place = forwardedPlace(json, { keepsText, maxValues, maxCostly });
  if (place) return parseJsonAround(json, place, setImmediate).then(parsedBody);
  const parse = exactNumbers ? parseExactJson : parseJson;
  return parsedBody(parse(json, keepsText));
}

interface BodyCount {
  readonly keepsText: string | undefined;
  readonly maxValues: number;
  readonly maxCostly: number;
}

/**
 * Counts the values of a body. Returns the place of the member named by `keepsText` if only this member has too many values. Throws
 * `body_too_large`.
 */
function forwardedPlace(
  json: Buffer,
  { keepsText, maxValues, maxCostly }: BodyCount,
): { readonly name: string; readonly start: number; readonly end: number } | undefined {
  // Each value takes a byte.
  if (json.length <= maxCostly) return undefined;
  const counted = {
    member: keepsText,
    // Only a member that is kept as text may have more values.
    most: keepsText === undefined ? maxValues : Infinity,
    mostCostly: maxCostly < maxValues ? maxCostly : Infinity,
  };
  const { values, costly, member } = sizeOfJson(json, counted);
  if (costly > maxCostly) throw tooManyCostly(maxCostly);
  if (values <= maxValues) return undefined;
  if (keepsText === undefined || !member || values - member.values > maxValues)
    throw tooManyValues(maxValues);
  return { name: keepsText, ...member };
}

/** Returns a parsed body. Throws `invalid_json` for a fault. */
function parsedBody(result: JsonResult): ParsedBody {
  if ('fault' in result) throw bodyProblem('invalid_json', [result.fault]);
  return result;
}

/** Creates the Problem of a body with values that would take too much time to read, though they are not too many. */
function tooManyCostly(maxCostly: number): Problem {
  const detail = `The body has more than ${maxCostly} numbers of 16 and more digits, and members whose names no other object has in the same order.`;
  return new Problem('body_too_large', detail, { advice: 'Split the document into several.' });
}

/** Creates the Problem of a body that would take too much time to read. */
function tooManyValues(maxValues: number): Problem {
  const detail = `The body has more than ${maxValues} members and items.`;
  const advice =
    'Send several smaller bodies, or ask the operator to raise server.limits.bodyValues, which is for all operations.';
  return new Problem('body_too_large', detail, { advice });
}

/** Maximum number of fields of a form. */
const MAX_FORM_FIELDS = 100;

/**
 * Parses a form body. Throws `invalid_request` for too many fields. Of several values with the same name, the last value wins. The operation's schema
 * restricts the names.
 */
function parseForm(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw bodyProblem('invalid_request', [
      { pointer: '', message: `has more than ${MAX_FORM_FIELDS} fields` },
    ]);
  return Object.fromEntries(new URLSearchParams(text));
}

/**
 * Reads a request's body. Checks the headers before it requests the body. Returns the bytes if they have arrived. Throws or
 * rejects with `unsupported_media_type`, `body_too_large` or `caller_gone`.
 */
export function readBytes(
  { req, res }: HttpExchange,
  { limit, form }: Pick<BodyOptions, 'limit' | 'form'>,
): Buffer | Promise<Buffer> {
  checkBodyHeaders(req.headers, { limit, form });
  // HTTP/1.0 has no interim responses (RFC 9110 section 10.1.1).
  if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue();
  return isBodyBuffered(req) && !req.destroyed ? takeBytes(req, limit) : collectBytes(req, limit);
}

/**
 * Returns undefined if the body has arrived, and otherwise a Promise to await before `readBytes`. A short body often comes in
 * one packet with its head. Node's parser then passes it on after the request, before any Promise continues.
 */
export function restOfPacket(req: IncomingMessage): Promise<void> | undefined {
  return isBodyBuffered(req) ? undefined : Promise.resolve();
}

/** Returns true if all bytes of the body are in the buffer of the request. */
function isBodyBuffered({ complete, readableLength, headers }: IncomingMessage): boolean {
  return complete || readableLength === bodyLength(headers);
}

/** Returns the body of a request that has arrived, without the events of a stream. */
function takeBytes(req: IncomingMessage, limit: number): Buffer {
  const bytes = (req.read() as Buffer | null) ?? Buffer.alloc(0);
  // Lets the request end: its end may follow its last byte.
  req.resume();
  if (bytes.length > limit) throw bodyTooLarge(limit);
  return bytes;
}

/**
 * Maximum length of an instance location in the detail of a Problem, in characters. The list of errors has
 * the full location.
 */
const MAX_POINTER_LENGTH = 128;

/** Maximum number of errors in a reply. */
const MAX_LISTED_ERRORS = 20;

/**
 * Creates the Problem of an invalid body. Its detail names the first error, for clients that show only the
 * detail.
 */
function bodyProblem(
  code: 'invalid_json' | 'invalid_request',
  errors: readonly [RequestError, ...RequestError[]],
): Problem {
  const [{ pointer, message }, ...others] = errors;
  const pointerText =
    pointer.length > MAX_POINTER_LENGTH ? `${pointer.slice(0, MAX_POINTER_LENGTH)}…` : pointer;
  const first = `${pointer === '' ? 'The body' : pointerText} ${message}`;
  const more = andMoreErrors(others.length);
  return new Problem(code, sentence(first + more), { errors: errors.slice(0, MAX_LISTED_ERRORS) });
}

/** Returns what a request says of the type of its body. */
function sentType({ 'content-type': type = '' }: IncomingHttpHeaders): string {
  return type === '' ? 'and the request has no Content-Type' : `not ${JSON.stringify(type.slice(0, 100))}`;
}

function checkBodyHeaders(
  headers: IncomingHttpHeaders,
  { limit, form }: Pick<BodyOptions, 'limit' | 'form'>,
): void {
  const length = bodyLength(headers);
  // Without a body, the error is the missing body, not its media type.
  if (length === 0) return;
  if (!isType('application/json', headers) && !(form && isForm(headers)))
    throw new Problem(
      'unsupported_media_type',
      `The body must be application/json in UTF-8, ${sentType(headers)}.`,
    );
  const coding = headers['content-encoding'];
  if (coding !== undefined && !['', 'identity'].includes(coding.trim().toLowerCase()))
    throw new Problem('unsupported_media_type', 'The body must not be compressed.');
  if (length > limit && Number.isFinite(length)) throw bodyTooLarge(limit);
}

function isForm(headers: IncomingHttpHeaders): boolean {
  return isType('application/x-www-form-urlencoded', headers);
}

function isType(mediaType: string, { 'content-type': contentType = '' }: IncomingHttpHeaders): boolean {
  if (contentType === mediaType) return true;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  return type === mediaType && charsets.every((parameter) => /^charset=("?)utf-8\1$/.test(parameter));
}

function collectBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isComplete = false;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        req.off('data', onData).pause();
        reject(bodyTooLarge(limit));
      }
    };
    const onClose = (cause?: Error) => {
      // Every request emits `close` at its end; after a complete body, `close` is not a failure.
      if (!isComplete) reject(clientClosedRequest(cause));
    };
    req.on('data', onData).on('error', onClose).on('close', onClose);
    // A destroyed request has already emitted `close`.
    if (req.destroyed) onClose();
    req.on('end', () => {
      isComplete = true;
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks, size));
    });
  });
}

function bodyTooLarge(limit: number): Problem {
  return new Problem('body_too_large', `The body is larger than ${limit} bytes.`);
}

/** Validates a body and adds the schema's defaults to it. Throws `invalid_request` with the first violations. */
export type Validate = (schema: JsonSchema, body: unknown) => void;

/**
 * Creates the validation of request bodies. It compiles each schema on first use and caches the validator.
 */
export function createValidate(compile: CompileSchema): Validate {
  const validators = new WeakMap<JsonSchema, Validator>();
  return (schema, body) => {
    let validator = validators.get(schema);
    if (!validator) validators.set(schema, (validator = compile(schema)));
    const [first, ...others] = validator(withFewFaults(schema, body)).violations;
    if (first) throw bodyProblem('invalid_request', [errorOf(first), ...others.map(errorOf)]);
  };
}

function errorOf({ pointer, message }: Violation): RequestError {
  return { pointer, message };
}
