import type { OutgoingHttpHeaders, IncomingMessage } from 'node:http';
import type { AnsweredRequest } from '../core/metric.js';
import { type HttpResponse, problemResponse, sizedHeaders } from './response.js';
import { markStreaming } from './connections.js';
import { problemOf } from './client-disconnect.js';
import { isBodyComplete, canKeepAlive, drainRequest } from './drain-request.js';
import { type BegunPieces, beginPieces, writePieces } from './stream.js';
import {
  type HttpExchange,
  requestLogFields,
  createRequestContext,
  DEFAULT_STALL_LIMITS,
  type RequestContext,
  type RequestContextDeps,
  addLogFields,
} from './request-context.js';
import { MINIMAL_PAGE_HEADERS, minimalPage, PAGE_TYPE } from '../core/minimal-page.js';
import { html } from '../core/html.js';
import type { Problem } from '../core/problem.js';
import { signInPage } from '../core/sign-in-page.js';

/** Status in the access log for a caller who disconnected before the response; nothing is sent. */
export const CALLER_GONE = 499;

/**
 * Writes the access line and the response. Resolves when the response has been handed to the connection.
 * Rejects, before anything is written, when a chunked response fails before its first chunk.
 */
export async function send(
  deps: RequestContextDeps,
  context: RequestContext,
  answer: HttpResponse,
): Promise<void> {
  const { req, res } = context;
  if (answer.problem?.code === 'caller_gone' || req.socket.destroyed) {
    recordResponse(deps, context, { ...answer, status: CALLER_GONE });
    res.destroy();
    return;
  }
  const sections = answer.pieces && (await beginPieces(answer.pieces));
  recordResponse(deps, context, answer);
  if (!canKeepAlive(req)) res.shouldKeepAlive = false;
  const headers = answer.headers as OutgoingHttpHeaders;
  res.writeHead(answer.status, context.headers ? { ...context.headers, ...headers } : headers);
  if (sections) await stream(deps, context, sections);
  else await write(context, answer.bytes, deps.patience ?? DEFAULT_STALL_LIMITS);
}

/**
 * Sends a chunked response. A failure midway terminates the connection: a complete JSON document would hide
 * the failure.
 */
async function stream(
  deps: RequestContextDeps,
  context: RequestContext,
  sections: BegunPieces,
): Promise<void> {
  const { req, res } = context;
  const { stallMs } = deps.patience ?? DEFAULT_STALL_LIMITS;
  if (sections.together === 0) markStreaming(res);
  const wanted =
    req.method === 'HEAD' ? { ...sections, first: { done: true as const, value: undefined } } : sections;
  try {
    await writePieces(res, wanted, stallMs);
  } catch (error) {
    deps.log.error('an answer was broken off', { ...requestLogFields(context), error });
    res.destroy();
  }
}

/**
 * Sends the error response for any failure, in operations and outside of them; all error responses are sent
 * here.
 */
export function sendFailure(
  deps: RequestContextDeps,
  context: RequestContext,
  error: unknown,
): Promise<void> {
  const problem = problemOf(error);
  const { requestId, path } = context;
  const { cause } = problem.extras;
  const fields = { ...requestLogFields(context), code: problem.code, error: cause };
  if (problem.code === 'internal') deps.log.error('internal error', fields);
  else if (problem.status >= 500 && cause !== undefined) deps.log.warn('request failed', fields);
  const isPage = [401, 403].includes(problem.status) && isForPerson(context);
  const answer = isPage
    ? errorPage(problem, context, requestId)
    : problemResponse(problem, { instance: path, requestId, redact: deps.redact });
  return send(deps, context, answer);
}

/** Answers a request that no operation serves. */
export type Refuse = (exchange: HttpExchange, error: unknown) => Promise<void>;

/**
 * Creates the function that refuses requests outside of operations, with the same responses and log lines.
 */
export function createRefuse(deps: RequestContextDeps): Refuse {
  return (exchange, error) => sendFailure(deps, createRequestContext(deps, exchange), error);
}

async function write(
  { req, res }: RequestContext,
  bytes: Buffer,
  patience: typeof DEFAULT_STALL_LIMITS,
): Promise<void> {
  if (isBodyComplete(req)) {
    res.end(bytes);
  } else {
    // The content length completes the response before `end`, after which Node closes the connection.
    res.flushHeaders();
    res.write(bytes);
    const swallowed = await drainRequest(req, patience);
    res.end(() => {
      if (!swallowed) req.socket.destroy();
    });
  }
  if (res.writableLength > 0) res.setTimeout(patience.stallMs);
}

/** Outcome of a request for the access log. */
interface ResponseResult extends Pick<HttpResponse, 'status' | 'problem'> {
  /** Number of forwarded bytes, for streams. */
  readonly streamed?: number;
}

/** Writes the access line of a request, records its metrics, and ends its span. */
export function recordResponse(
  { log, clock, measure }: RequestContextDeps,
  context: RequestContext,
  { status, problem, streamed }: ResponseResult,
): void {
  const { req, path, principal, startedAt, span } = context;
  const ms = clock.now() - startedAt;
  const fields = addLogFields({ method: req.method, path, status, ms }, context);
  if (streamed !== undefined) fields['bytes'] = streamed;
  if (principal) fields['subject'] = principal.subject;
  if (problem) fields['code'] = problem.code;
  const cause = problem?.code === 'unauthorized' ? problem.extras.cause : undefined;
  if (cause instanceof Error) fields['reason'] = cause.message;
  log.info('request', fields);
  const answered = completedRequest(context, { status, seconds: ms / 1000, code: problem?.code ?? '' });
  measure?.(answered);
  span?.end(answered);
}

function completedRequest(
  { req, requestId, path, startedAt, principal, operation = '', adapter = '', about = '' }: RequestContext,
  { status, seconds, code }: Pick<AnsweredRequest, 'status' | 'seconds' | 'code'>,
): AnsweredRequest {
  const method = req.method ?? '';
  const caller = principal?.subject ?? '';
  return { operation, adapter, status, seconds, startedAt, requestId, method, path, about, caller, code };
}

/** The request headers, and the media type of the operation's responses. */
interface PageRequest {
  readonly req: Pick<IncomingMessage, 'headers' | 'url'>;
  readonly replyType?: string | undefined;
}

/** Returns true when a person will see the response: a browser navigates to a page. */
function isForPerson({ req: { headers }, replyType }: PageRequest): boolean {
  if (replyType?.startsWith('text/html') !== true) return false;
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined && mode !== 'navigate') return false;
  return prefersHtml(headers.accept ?? '');
}

/**
 * Returns true for an Accept header (RFC 9110 section 12.5.1) that prefers HTML to JSON or accepts both
 * equally.
 */
function prefersHtml(accept: string): boolean {
  const weights = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .map(([type = '', ...parameters]) => ({ type, weight: weightOf(parameters) }));
  const best = (matches: (type: string) => boolean): number =>
    Math.max(0, ...weights.filter(({ type }) => matches(type)).map(({ weight }) => weight));
  const html = best((type) => type === 'text/html');
  return html > 0 && html >= best((type) => /^application\/(?:.*\+)?json$/.test(type));
}

function weightOf(parameters: readonly string[]): number {
  const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
  return Number.isNaN(weight) ? 0 : weight;
}

/**
 * Creates a refusal as a page for people: it asks the person to sign in, or names the missing role, and links
 * to the sign-in page.
 */
function errorPage(problem: Problem, { req }: PageRequest, requestId: string): HttpResponse {
  const target = withoutToken(req.url ?? '');
  const bytes = Buffer.from(problem.status === 401 ? signInFirst(target, req) : notOpen(target, problem));
  const headers = {
    ...sizedHeaders(PAGE_TYPE, bytes, requestId),
    ...MINIMAL_PAGE_HEADERS,
    ...problem.extras.headers,
    'content-type': PAGE_TYPE,
  };
  return { status: problem.status, headers, bytes, problem };
}

function signInFirst(target: string, { headers }: PageRequest['req']): string {
  // The cookie is SameSite=Strict, so a link on another site omits it. A request from our own page includes
  // it.
  const isForeignLink = ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
  return minimalPage({
    title: 'Sign in first',
    content: html`<p>This page is for people who have signed in.</p>
      <p><a href="${signInPage({ returnTo: target })}">Sign in</a></p>`,
    ...(isForeignLink && { refreshTo: target }),
  });
}

function notOpen(target: string, { message }: Problem): string {
  return minimalPage({
    title: 'This page is not open to you',
    content: html`<p>${message}</p>
      <p><a href="${signInPage({ returnTo: target })}">Sign in as somebody else</a></p>`,
  });
}

/** Removes the token from a target: it was invalid, and must not appear in a page. */
function withoutToken(target: string): string {
  const at = target.indexOf('?');
  if (at < 0) return target;
  const kept = target
    .slice(at + 1)
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has('token'));
  return target.slice(0, at) + (kept.length > 0 ? `?${kept.join('&')}` : '');
}
