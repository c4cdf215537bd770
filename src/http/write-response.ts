import type { OutgoingHttpHeaders } from 'node:http';
import type { AnsweredRequest } from '../core/metric.js';
import { type HttpResponse, problemResponse } from './response.js';
import { markStreaming } from './connections.js';
import { compressResponse } from './compress-response.js';
import { problemOf } from './client-disconnect.js';
import { logFailure } from './log-failure.js';
import { isBodyComplete, canKeepAlive, drainRequest } from './drain-request.js';
import { type StartedChunks, startChunks, writeChunks } from './stream.js';
import {
  type HttpExchange,
  requestLogFields,
  createRequestContext,
  DEFAULT_STALL_LIMITS,
  type RequestContext,
  type RequestContextDeps,
  addLogFields,
} from './request-context.js';
import type { Principal } from '../core/principal.js';
import type { Problem } from '../core/problem.js';
import type { ServedRequest } from '../core/trace.js';
import { callerOrigin } from './caller-origin.js';
import { errorPage, isForPerson } from './error-page.js';

/** Status in the access log for a client that disconnected before the response; the server sends nothing. */
export const STATUS_CLIENT_CLOSED = 499;

/**
 * Writes the access line and the response. Resolves when the connection has the response. Rejects, before it
 * writes anything, if a chunked response fails before its first chunk.
 */
export async function send(
  deps: RequestContextDeps,
  context: RequestContext,
  plain: HttpResponse,
): Promise<void> {
  const { req, res } = context;
  const response = await compressResponse(context, plain);
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
  logFailure(deps.log, requestLogFields(context), problem);
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
  if (principal) addCaller(fields, principal);
  if (problem) addProblem(fields, problem, principal);
  log.info('request', fields);
  const completed = completedRequest(context, { status, seconds: ms / 1000, code: problem?.code ?? '' });
  measure?.(completed);
  span?.end(completed, servedRequest(context));
}

function servedRequest({ req, route }: RequestContext): ServedRequest {
  const { scheme, address } = callerOrigin(req);
  const { host, 'user-agent': userAgent } = req.headers;
  return { scheme, host, route, clientAddress: address, protocolVersion: req.httpVersion, userAgent };
}

/** Adds the identity of the caller, and its name unless this is the subject. */
function addCaller(fields: Record<string, unknown>, { subject, issuer, name }: Principal): void {
  fields['subject'] = subject;
  fields['issuer'] = issuer;
  if (name !== undefined) fields['caller'] = name;
}

/** Adds the code of a problem, the reason of a rejected token, and the roles that do not suffice. */
function addProblem(
  fields: Record<string, unknown>,
  problem: Problem,
  principal: Principal | undefined,
): void {
  const { code, extras } = problem;
  fields['code'] = code;
  if (code === 'unauthorized' && extras.cause instanceof Error) fields['reason'] = extras.cause.message;
  if (code === 'forbidden' && principal) addRoles(fields, principal);
}

/** Maximum number of role names in a log line. */
const MAX_LOGGED_ROLES = 100;

/** Adds the roles of a caller without the required role, before and after the role map of the issuer. */
function addRoles(fields: Record<string, unknown>, { roles, tokenRoles = roles }: Principal): void {
  fields['roles'] = roles.slice(0, MAX_LOGGED_ROLES);
  // The log masks fields with "token" in their name.
  fields['issuerRoles'] = tokenRoles.slice(0, MAX_LOGGED_ROLES);
}

function completedRequest(
  {
    req,
    requestId,
    path,
    startedAt,
    principal,
    operation = '',
    adapter = '',
    auditTarget = '',
  }: RequestContext,
  { status, seconds, code }: Pick<AnsweredRequest, 'status' | 'seconds' | 'code'>,
): AnsweredRequest {
  const method = req.method ?? '';
  const { subject: caller = '', issuer, name: callerName } = principal ?? {};
  return {
    operation,
    adapter,
    status,
    seconds,
    startedAt,
    requestId,
    method,
    path,
    about: auditTarget,
    caller,
    issuer,
    callerName,
    code,
  };
}
