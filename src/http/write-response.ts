import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { preferences } from '../core/header.js';
import type { Problem } from '../core/problem.js';
import { problemOf } from './client-disconnect.js';
import { compressResponse } from './compress-response.js';
import { abortConnection } from './connection-close.js';
import { markStreaming } from './connections.js';
import { isBodyComplete, canKeepAlive, drainRequest } from './drain-request.js';
import { errorPage, isForPerson } from './error-page.js';
import { logFailure } from './log-failure.js';
import { awaitEnd, onResponse } from './on-response.js';
import {
  type HttpExchange,
  requestLogFields,
  createRequestContext,
  DEFAULT_STALL_LIMITS,
  type RequestContext,
  type RequestContextDeps,
  type StallLimits,
} from './request-context.js';
import { type HttpResponse, noContentResponse, problemResponse } from './response.js';
import { type StartedChunks, startChunks, writeChunks } from './stream.js';

/** Status in the access log for a client that disconnected before the response; the server sends nothing. */
export const STATUS_CLIENT_CLOSED = 499;

/**
 * Writes the response, whose end {@link onResponse} records. Returns undefined if the connection has the response at once, and
 * otherwise a Promise that resolves when it has. Fails before it writes anything if a chunked response fails before its first
 * chunk.
 */
export function send(
  deps: RequestContextDeps,
  context: RequestContext,
  plain: HttpResponse,
): Promise<void> | undefined {
  const response = compressResponse(context, plain);
  return response instanceof Promise
    ? response.then((compressed) => sendCompressed(deps, context, compressed))
    : sendCompressed(deps, context, response);
}

function sendCompressed(
  deps: RequestContextDeps,
  context: RequestContext,
  response: HttpResponse,
): Promise<void> | undefined {
  const { req, res } = context;
  if (response.problem?.code === 'caller_gone' || req.socket.destroyed) {
    endUnsent(deps, context, response);
    res.destroy();
    return undefined;
  }
  if (response.chunks)
    return startChunks(response.chunks).then((chunks) => {
      writeHead(deps, context, response);
      return writeChunkedResponse(deps, context, chunks);
    });
  writeHead(deps, context, response);
  return writeBody(context, response.body, deps.stallLimits ?? DEFAULT_STALL_LIMITS);
}

function writeHead(deps: RequestContextDeps, context: RequestContext, response: HttpResponse): void {
  const { req, res } = context;
  awaitEnd(deps, context, response.recorded ?? response);
  if (!canKeepAlive(req)) res.shouldKeepAlive = false;
  res.writeHead(response.status, headersOf(context, response));
}

/** Ends a request whose client disconnected before the response. */
function endUnsent(deps: RequestContextDeps, context: RequestContext, { body, problem }: HttpResponse): void {
  onResponse(deps, context, {
    status: STATUS_CLIENT_CLOSED,
    bytes: body.length,
    ms: deps.clock.now() - context.startedAt,
    clientClosed: true,
    isForwarded: false,
    problem,
  });
}

/** Returns the headers of the response and of its context; Vary has also the names that the response has already. */
function headersOf({ res, headers }: RequestContext, response: HttpResponse): OutgoingHttpHeaders {
  const own = response.headers as OutgoingHttpHeaders;
  const present = res.getHeader('vary');
  if (headers === undefined && present === undefined) return own;
  const { vary } = own;
  const isVaried = present !== undefined && vary !== undefined;
  return { ...headers, ...own, ...(isVaried && { vary: [present, vary].join(', ') }) };
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
    // A caller who loses the right to a stream is no fault of the server.
    const level = problemOf(error).status < 500 ? 'info' : 'error';
    deps.log[level]('response failed after its head; closing the connection', {
      ...requestLogFields(context),
      error,
    });
    // Before the connection closes, because the client did not close it.
    context.endResponse?.();
    abortConnection(res);
  }
}

/**
 * Sends the error response of a failure, and logs an internal error or the cause of a 5xx. Every error
 * response of a parsed request passes this function.
 */
export async function sendFailure(
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
    : problemResponse(problem, {
        instance: path,
        requestId,
        redact: deps.redact,
        messageOnly: isMessageOnly(problem, context),
      });
  await send(deps, context, response);
}

/**
 * Returns true if the client gets the message of the problem as a JSON string: the operation lists the problem, and the
 * client accepts `application/json`, but no problem document.
 */
function isMessageOnly({ code }: Problem, { messageErrors, req: { headers } }: RequestContext): boolean {
  if (messageErrors?.includes(code) !== true) return false;
  const accepted = preferences(headers.accept ?? '*/*').filter(({ weight }) => weight > 0);
  const accepts = (...types: readonly string[]) => accepted.some(({ value }) => types.includes(value));
  return accepts('application/json') && !accepts('application/problem+json', 'application/*', '*/*');
}

/** Sends a 204 response to a request that no operation serves, with the headers that the response already has. */
export async function sendNoContent(deps: RequestContextDeps, exchange: HttpExchange): Promise<void> {
  const context = createRequestContext(deps, exchange);
  await send(deps, context, noContentResponse(context.requestId));
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

function writeBody(
  context: RequestContext,
  body: Buffer,
  stallLimits: StallLimits,
): Promise<void> | undefined {
  const { req, res } = context;
  if (!isBodyComplete(req)) return writeBeforeRequestEnds(context, body, stallLimits);
  res.end(body);
  limitStall(res, stallLimits);
  return undefined;
}

/** Writes a response to a request whose body has not been read, and discards the body. */
async function writeBeforeRequestEnds(
  context: RequestContext,
  body: Buffer,
  stallLimits: StallLimits,
): Promise<void> {
  const { req, res } = context;
  // The content length completes the response for the client. Node closes the connection after `end`, so
  // the unread body must be discarded first.
  res.flushHeaders();
  res.write(body, () => context.endResponse?.());
  const isDrained = await drainRequest(req, stallLimits);
  res.end(() => {
    if (!isDrained) req.socket.destroy();
  });
  limitStall(res, stallLimits);
}

/** Limits the time in which the client reads nothing of a response that has ended. */
function limitStall(res: ServerResponse, { stallMs }: StallLimits): void {
  if (res.writableLength > 0) res.setTimeout(stallMs);
}
