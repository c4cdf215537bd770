import type { IncomingMessage } from 'node:http';
import type { CancelSignal } from '../core/cancel-signal.js';
import { Problem } from '../core/problem.js';
import type { BoundStream, StreamReply, HeaderLines, StreamBody, StreamRequest } from '../core/stream.js';
import { allow, type AllowDeps } from './authorize.js';
import { appendRecord, type AuditDeps, type AuditedRequest, isWritable, unrecordable } from './with-audit.js';
import { clientClosedRequest, problemOf, watchClient } from './client-disconnect.js';
import { type RelayResult, relayResponse } from './relay-response.js';
import { CALLER_GONE, recordResponse, sendFailure } from './write-response.js';
import { watchClientClose } from './upgrades.js';
import {
  type HttpExchange,
  createRequestContext,
  DEFAULT_STALL_LIMITS,
  type RequestContext,
} from './request-context.js';
import { callerOrigin } from './caller-origin.js';
import { bodyLength } from './drain-request.js';
import { normaliseTarget } from './target.js';

/** A target below the prefix of a stream operation, split into adapter and path. */
interface SplitTarget {
  readonly adapterId: string;
  /** Exactly as sent, starting with the slash after the adapter's name. */
  readonly path: string;
}

/** Accepted methods. TRACE is excluded, because its reply would repeat the adapter's credentials. */
const METHODS: ReadonlySet<string> = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** Returns a pattern that matches targets `<prefix>/<adapterId>...`, in origin or absolute form. */
function targetPattern(prefix: string): RegExp {
  return new RegExp(`^(?:[Hh][Tt][Tt][Pp][Ss]?://[^/?]+)?/+${prefix.slice(1)}/+([^/?]+)([^]*)$`);
}

/**
 * Reads the adapter and the request from the head; does not read the body. Throws `malformed_request`,
 * `uri_too_long` or `method_not_allowed`.
 */
function readStreamRequest(
  { req, res, requestId, span }: RequestContext,
  prefix: string,
): { readonly adapterId: string; readonly request: StreamRequest } {
  const { adapterId, path } = splitTarget(req.url ?? '', prefix);
  const { method = '' } = req;
  if (!METHODS.has(method)) {
    const allow = [...METHODS].join(', ');
    throw new Problem('method_not_allowed', `This path answers ${allow}.`, { headers: { allow } });
  }
  const body = bodyOf(req, () => {
    res.writeContinue();
  });
  const mount = `${prefix}/${encodeURIComponent(adapterId)}`;
  const request = { requestId, method, path, mount, headers: headerLines(req), origin: originOf(req) };
  const isUpgrade = req.headers.upgrade?.toLowerCase() === 'websocket';
  return { adapterId, request: { ...request, isUpgrade, ...(body && { body }), ...(span && { span }) } };
}

function splitTarget(url: string, prefix: string): SplitTarget {
  // Only validates: the path is forwarded as written, and the upstream client is stricter.
  normaliseTarget(url);
  const [, adapterId = '', rest = ''] = targetPattern(prefix).exec(url) ?? [];
  return { adapterId: decodeURIComponent(adapterId), path: rest.startsWith('/') ? rest : `/${rest}` };
}

function bodyOf(req: IncomingMessage, sendContinue: () => void): StreamBody | undefined {
  const length = bodyLength(req.headers);
  if (length === 0) return undefined;
  return {
    ...(length !== Infinity && { length }),
    take() {
      // HTTP/1.0 has no interim responses (RFC 9110 section 10.1.1).
      if (req.headers.expect !== undefined && req.httpVersion === '1.1') sendContinue();
      return req;
    },
  };
}

function headerLines({ rawHeaders }: IncomingMessage): HeaderLines {
  return rawHeaders.flatMap((name, at): HeaderLines =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
  );
}

function originOf(req: IncomingMessage): StreamRequest['origin'] {
  const { address, scheme } = callerOrigin(req);
  return { address: address.replace(/^::ffff:(?=\d+\.)/, ''), scheme, host: req.headers.host ?? '' };
}

interface ProxyHandlerDeps extends AllowDeps, AuditDeps {
  readonly operation: BoundStream;
}

/** Handler of requests that are forwarded as streams, separate from the handler of other operations. */
export interface ProxyHandler {
  /** Returns true for requests of the stream operation, even if they are otherwise invalid. */
  readonly isFor: (req: IncomingMessage) => boolean;
  /** Serves one request until its end. Never rejects. */
  readonly serve: (exchange: HttpExchange) => Promise<void>;
}

/**
 * Creates the handler. Its steps are those of other operations, except those that read the body: authorize,
 * read the head, record, open, forward, record. Before the head of the reply arrives, a failure is a problem
 * document; afterwards, a failure terminates the connection.
 */
export function createProxyHandler(deps: ProxyHandlerDeps): ProxyHandler {
  const { operation } = deps;
  const pattern = targetPattern(operation.prefix);
  return {
    isFor: ({ url = '' }) => pattern.test(url),
    async serve(exchange) {
      const context = createRequestContext(deps, exchange, operation);
      const { signal, release } = watchClient(exchange.req);
      const stopWatch = watchClientClose(exchange.req);
      try {
        await allow(deps, operation, context);
        const { audited, reply } = await open(deps, context, signal);
        stopWatch();
        await deliver(deps, audited, reply);
      } catch (error) {
        stopWatch();
        await sendFailure(deps, context, problemOf(error, signal));
      } finally {
        release();
      }
    },
  };
}

/** Writes the first audit record and opens the stream. Writes the final record if that fails. */
async function open(
  deps: ProxyHandlerDeps,
  context: RequestContext,
  signal: CancelSignal,
): Promise<{ readonly audited: AuditedRequest; readonly reply: StreamReply }> {
  const { operation } = deps;
  const call = readStreamRequest(context, operation.prefix);
  context.adapter = call.adapterId;
  const { method, isUpgrade } = call.request;
  const audited = { ...context, about: isUpgrade ? 'WebSocket' : method };
  await begin(deps, audited);
  const { principal } = context;
  try {
    signal.throwIfAborted();
    return { audited, reply: await operation.open({ ...call, signal, ...(principal && { principal }) }) };
  } catch (error) {
    return recordFailure(deps, audited, problemOf(error, signal));
  }
}

/** Records the failure that prevented a reply head, and throws it. */
async function recordFailure(
  deps: ProxyHandlerDeps,
  context: AuditedRequest,
  error: unknown,
): Promise<never> {
  const problem = problemOf(error);
  await end(deps, context, { status: problem.status, outcome: problem.code });
  throw problem;
}

async function begin(deps: ProxyHandlerDeps, context: AuditedRequest): Promise<void> {
  if (!(await isWritable(deps, context))) throw unrecordable();
  try {
    await appendRecord(deps, context, { status: 0, outcome: 'began' });
  } catch (error) {
    throw unrecordable(error);
  }
}

/**
 * Writes the final audit record. A lost record is only logged: the caller already has the bytes, and the next
 * call is refused.
 */
function end(
  deps: ProxyHandlerDeps,
  context: AuditedRequest,
  ending: { readonly status: number; readonly outcome: string },
): Promise<void> {
  return appendRecord(deps, context, ending).catch(() => undefined);
}

async function deliver(deps: ProxyHandlerDeps, context: AuditedRequest, reply: StreamReply): Promise<void> {
  const { requestId } = context;
  let failure: unknown;
  reply.body.on('error', (error: unknown) => {
    failure = error;
  });
  const passing = relayResponse(context, reply, {
    requestId,
    patience: deps.patience ?? DEFAULT_STALL_LIMITS,
  });
  const passed = await passing.catch((error: unknown) => recordFailure(deps, context, error));
  const problem = problemAfter(passed, failure);
  const { bytes } = passed;
  const status = problem?.code === 'caller_gone' && !reply.tunnel ? CALLER_GONE : reply.status;
  const outcome = [reply.status, `${bytes} bytes`, ...(problem ? [problem.code] : [])].join(', ');
  await end(deps, context, { status, outcome });
  recordResponse(deps, context, { status, streamed: bytes, ...(problem && { problem }) });
}

/** Returns the failure after the head, if any. */
function problemAfter({ ending }: RelayResult, failure: unknown): Problem | undefined {
  if (ending === 'whole') return undefined;
  if (ending === 'left') return clientClosedRequest();
  if (failure instanceof Problem) return failure;
  return new Problem('upstream_bad_reply', 'The reply was cut short.', { cause: failure });
}
