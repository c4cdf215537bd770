import type { OutgoingHttpHeaders, IncomingMessage } from 'node:http';
import { recordResponse } from './access-log.js';
import { type HttpResponse, problemResponse, sizedHeaders } from './response.js';
import { markStreaming } from './connections.js';
import { problemOf } from './client-disconnect.js';
import { isBodyComplete, canKeepAlive, drainRequest } from './drain-request.js';
import { type StartedChunks, startChunks, writeChunks } from './stream.js';
import {
  type HttpExchange,
  requestLogFields,
  createRequestContext,
  DEFAULT_STALL_LIMITS,
  type RequestContext,
  type RequestContextDeps,
} from './request-context.js';
import { html, MINIMAL_PAGE_HEADERS, minimalPage, PAGE_TYPE } from '../core/html.js';
import type { Problem } from '../core/problem.js';
import { cookieNames } from '../core/header.js';
import { renewalCookieName } from '../core/session-cookie.js';
import { signInPage } from '../core/sign-in.js';

/** Status in the access log for a client that disconnected before the response; the server sends nothing. */
export const STATUS_CLIENT_CLOSED = 499;

/**
 * Writes the access line and the response. Resolves when the connection has the response. Rejects, before it
 * writes anything, if a chunked response fails before its first chunk.
 */
export async function send(
  deps: RequestContextDeps,
  context: RequestContext,
  response: HttpResponse,
): Promise<void> {
  const { req, res } = context;
  if (response.problem?.code === 'caller_gone' || req.socket.destroyed) {
    recordResponse(deps, context, { ...response, status: STATUS_CLIENT_CLOSED });
    res.destroy();
    return;
  }
  const chunks = response.chunks && (await startChunks(response.chunks));
  recordResponse(deps, context, response);
  if (!canKeepAlive(req)) res.shouldKeepAlive = false;
  const headers = response.headers as OutgoingHttpHeaders;
  res.writeHead(response.status, context.headers ? { ...context.headers, ...headers } : headers);
  if (chunks) await writeChunkedResponse(deps, context, chunks);
  else await writeBytes(context, response.bytes, deps.stallLimits ?? DEFAULT_STALL_LIMITS);
}

/**
 * Sends a chunked response. A failure after the first chunk terminates the connection, because a response
 * that looks complete would hide the failure.
 */
async function writeChunkedResponse(
  deps: RequestContextDeps,
  context: RequestContext,
  chunks: StartedChunks,
): Promise<void> {
  const { req, res } = context;
  const { stallMs } = deps.stallLimits ?? DEFAULT_STALL_LIMITS;
  if (chunks.batchLength === 0) markStreaming(res);
  const sentChunks =
    req.method === 'HEAD' ? { ...chunks, first: { done: true as const, value: undefined } } : chunks;
  try {
    await writeChunks(res, sentChunks, stallMs);
  } catch (error) {
    deps.log.error('response failed after its head; closing the connection', {
      ...requestLogFields(context),
      error,
    });
    res.destroy();
  }
}

/**
 * Sends the error response of a failure, and logs an internal error or the cause of a 5xx. Every error
 * response of a parsed request passes this function.
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
  const response = isPage
    ? errorPage(problem, context, requestId)
    : problemResponse(problem, { instance: path, requestId, redact: deps.redact });
  return send(deps, context, response);
}

/** Sends the error response of a request that no operation serves. */
export type Refuse = (exchange: HttpExchange, error: unknown) => Promise<void>;

/**
 * Creates the function that refuses requests outside of operations, with the same responses and log lines as
 * operations.
 */
export function createRefuse(deps: RequestContextDeps): Refuse {
  return (exchange, error) => sendFailure(deps, createRequestContext(deps, exchange), error);
}

async function writeBytes(
  { req, res }: RequestContext,
  bytes: Buffer,
  stallLimits: typeof DEFAULT_STALL_LIMITS,
): Promise<void> {
  if (isBodyComplete(req)) {
    res.end(bytes);
  } else {
    // The content length completes the response for the client. Node closes the connection after `end`, so
    // the unread body must be discarded first.
    res.flushHeaders();
    res.write(bytes);
    const isDrained = await drainRequest(req, stallLimits);
    res.end(() => {
      if (!isDrained) req.socket.destroy();
    });
  }
  if (res.writableLength > 0) res.setTimeout(stallLimits.stallMs);
}

/** The properties of a request that decide between a page and a problem document. */
interface PageRequest {
  readonly req: Pick<IncomingMessage, 'headers' | 'url'>;
  readonly replyType?: string | undefined;
}

/** Returns true if a person sees the response, because a browser navigates to a page. */
function isForPerson({ req: { headers }, replyType }: PageRequest): boolean {
  if (replyType?.startsWith('text/html') !== true) return false;
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined && mode !== 'navigate') return false;
  return prefersHtml(headers.accept ?? '');
}

/** Returns true if an Accept header (RFC 9110 section 12.5.1) gives HTML at least the weight of JSON. */
function prefersHtml(accept: string): boolean {
  const weights = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .map(([type = '', ...parameters]) => ({ type, weight: weightOf(parameters) }));
  const highestWeight = (matches: (type: string) => boolean): number =>
    Math.max(0, ...weights.filter(({ type }) => matches(type)).map(({ weight }) => weight));
  const htmlWeight = highestWeight((type) => type === 'text/html');
  return htmlWeight > 0 && htmlWeight >= highestWeight((type) => /^application\/(?:.*\+)?json$/.test(type));
}

function weightOf(parameters: readonly string[]): number {
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return Number.isNaN(weight) ? 0 : weight;
}

/**
 * Creates the error response as a page. The page asks the person to sign in, or names the missing role, and
 * links to the sign-in page.
 */
function errorPage(problem: Problem, { req }: PageRequest, requestId: string): HttpResponse {
  const target = withoutToken(req.url ?? '');
  const bytes = Buffer.from(
    problem.status === 401 ? signInRequiredPage(target, req) : forbiddenPage(target, problem),
  );
  const headers = {
    ...sizedHeaders(PAGE_TYPE, bytes, requestId),
    ...MINIMAL_PAGE_HEADERS,
    ...problem.extras.headers,
    'content-type': PAGE_TYPE,
  };
  return { status: problem.status, headers, bytes, problem };
}

function signInRequiredPage(target: string, { headers }: PageRequest['req']): string {
  // The cookie is SameSite=Strict, so a request from a link on another site has no cookie. The refresh is a
  // request from this page, which has the cookie.
  const isForeignLink = ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
  const signIn = signInPage({ returnTo: target });
  // The sign-in page renews a session whose token has expired, and returns.
  const isRenewable = [true, false].some((isOverTls) =>
    cookieNames(headers.cookie).includes(renewalCookieName(isOverTls)),
  );
  return minimalPage({
    title: 'Sign in first',
    content: html`<p>This page requires a sign-in.</p>
      <p><a href="${signIn}">Sign in</a></p>`,
    ...(isForeignLink ? { refreshTo: target } : isRenewable && { refreshTo: signIn }),
  });
}

function forbiddenPage(target: string, { message }: Problem): string {
  return minimalPage({
    title: 'This page is not open to you',
    content: html`<p>${message}</p>
      <p><a href="${signInPage({ returnTo: target, prompt: 'login' })}">Sign in with another account</a></p>`,
  });
}

/** Removes the token from a target, because an invalid token must not appear in a page. */
function withoutToken(target: string): string {
  const at = target.indexOf('?');
  if (at < 0) return target;
  const remaining = target
    .slice(at + 1)
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has('token'));
  return target.slice(0, at) + (remaining.length > 0 ? `?${remaining.join('&')}` : '');
}
