import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Problem, type RequestError } from '../core/problem.js';
import { parseJson } from '../core/strict-json.js';
import { clientClosedRequest } from './client-disconnect.js';
import { bodyLength } from './drain-request.js';
import type { HttpExchange } from './request-context.js';
import type { CompileSchema, JsonSchema, Validator } from '../core/schema.js';

/** Constraints for a body. */
export interface BodyTerms {
  /** Maximum size in bytes. */
  readonly limit: number;
  /** True accepts `application/x-www-form-urlencoded` as well. */
  readonly form?: true | undefined;
  /** True accepts a request without a body, which parses to `undefined`. */
  readonly optional?: true | undefined;
}

/**
 * Parses a request's JSON body. Throws `unsupported_media_type`, `body_too_large`, `invalid_json` (also for
 * an empty body that is not optional), or `caller_gone`. Checks the headers before it requests the body.
 */
export async function parseBody(exchange: HttpExchange, terms: BodyTerms): Promise<unknown> {
  const bytes = await readBytes(exchange, terms);
  if (terms.optional && bytes.length === 0) return undefined;
  if (terms.form && isForm(exchange.req.headers)) return parseForm(bytes);
  const result = parseJson(bytes);
  if ('fault' in result) throw bodyProblem('invalid_json', [result.fault]);
  return result.value;
}

/**
 * Parses a form body. The last of several values with the same name wins; the operation's schema restricts
 * the names.
 */
function parseForm(bytes: Buffer): unknown {
  return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
}

/** Reads a request's body without parsing it, with the same header checks. */
export function readBytes({ req, res }: HttpExchange, { limit, form }: BodyTerms): Promise<Buffer> {
  checkHeaders(req.headers, { limit, form });
  // HTTP/1.0 has no interim responses (RFC 9110 section 10.1.1).
  if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue();
  return collect(req, limit);
}

/**
 * Maximum length of a pointer in the text of a Problem, in characters; the list of errors has the full
 * pointer.
 */
const SHOWN_POINTER = 128;

/**
 * Creates the Problem of an invalid body. Its text names the first error, for clients that show only the
 * text.
 */
export function bodyProblem(
  code: 'invalid_json' | 'invalid_request',
  errors: readonly [RequestError, ...RequestError[]],
): Problem {
  const [{ pointer, message }, ...others] = errors;
  const place = pointer.length > SHOWN_POINTER ? `${pointer.slice(0, SHOWN_POINTER)}…` : pointer;
  const first = `${pointer === '' ? 'The body' : place} ${message}`;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return new Problem(code, `${first}${more}.`, { errors });
}

function checkHeaders(headers: IncomingHttpHeaders, { limit, form }: BodyTerms): void {
  const length = bodyLength(headers);
  // Without a body the media type is irrelevant: the missing body is the error.
  if (length === 0) return;
  if (!isType('application/json', headers) && !(form && isForm(headers)))
    throw new Problem('unsupported_media_type', 'The body must be application/json in UTF-8.');
  if (!['', 'identity'].includes((headers['content-encoding'] ?? '').trim().toLowerCase()))
    throw new Problem('unsupported_media_type', 'The body must not be compressed.');
  if (length > limit && Number.isFinite(length)) throw tooLarge(limit);
}

function isForm(headers: IncomingHttpHeaders): boolean {
  return isType('application/x-www-form-urlencoded', headers);
}

function isType(wanted: string, { 'content-type': contentType = '' }: IncomingHttpHeaders): boolean {
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((text) => text.startsWith('charset='));
  return type === wanted && charsets.every((text) => /^charset=("?)utf-8\1$/.test(text));
}

function collect(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isWhole = false;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        req.off('data', take).pause();
        reject(tooLarge(limit));
      }
    };
    const lose = (cause?: Error) => {
      // Every request finally emits `close`; an error created after a complete body would be unused.
      if (!isWhole) reject(clientClosedRequest(cause));
    };
    req.on('data', take).once('error', lose).once('close', lose);
    // A destroyed request has already emitted `close`.
    if (req.destroyed) lose();
    req.once('end', () => {
      isWhole = true;
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks, size));
    });
  });
}

function tooLarge(limit: number): Problem {
  return new Problem('body_too_large', `The body is larger than ${limit} bytes.`);
}

/** Throws `invalid_request` with every violation; fills the schema's defaults into the body. */
export type Validate = (schema: JsonSchema, body: unknown) => void;

/** Creates the validator of request bodies. Compiles each schema on first use and caches the result. */
export function createValidate(compile: CompileSchema): Validate {
  const validators = new WeakMap<JsonSchema, Validator>();
  return (schema, body) => {
    const validator = validators.get(schema) ?? compile(schema);
    validators.set(schema, validator);
    const [first, ...others] = validator(body).violations.map(({ pointer, message }) => ({
      pointer,
      message,
    }));
    if (first) throw bodyProblem('invalid_request', [first, ...others]);
  };
}
