import type { IncomingMessage } from 'node:http';
import { callerKey } from '../core/principal.js';
import { Problem } from '../core/problem.js';
import {
  type BoundStream,
  type ByteStream,
  headerLinesOf,
  type StreamReply,
  type StreamBody,
  type StreamCall,
  type StreamRequest,
} from '../core/stream.js';
import { authorize, authorizeAgain, type AllowDeps } from './authorize.js';
import { clientClosedRequest, problemOf, watchClient } from './client-disconnect.js';
import { bodyLength } from './drain-request.js';
import { limitCaller, type LimitDeps } from './limit-caller.js';
import { onResponse, releaseUnsent } from './on-response.js';
import { type RelayResult, relayResponse } from './relay-response.js';
import {
  type HttpExchange,
  createRequestContext,
  DEFAULT_STALL_LIMITS,
  type HeldByCall,
  type RequestContext,
} from './request-context.js';
import type { StreamRights } from './stream-rights.js';
import { normalizeTarget } from './target.js';
import { watchClientClose } from './upgrades.js';
import {
  appendRecord,
  type AuditDeps,
  type AuditedRequest,
  notRecordable,
  reserveRecords,
} from './with-audit.js';
import { STATUS_CLIENT_CLOSED, sendFailure } from './write-response.js';

/** Adapter and path of a target below the prefix of a stream operation. */
interface SplitTarget {
  readonly adapterId: string;
  /** The path exactly as the client sent it, from the slash after the adapter's name. */
  readonly path: string;
}

/** Accepted methods. TRACE is not accepted, because its response would repeat the adapter's credentials. */
const FORWARDED_METHODS: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
]);

/** Prefix of a stream operation, and the {@link targetPattern} of its targets. */
interface StreamRoute {
  readonly prefix: string;
  readonly pattern: RegExp;
}

/** Returns a pattern that matches targets `<prefix>/<adapterId>...`, in origin or absolute form. */
function targetPattern(prefix: string): RegExp {
  return new RegExp(`^(?:[Hh][Tt][Tt][Pp][Ss]?://[^/?]+)?/+${prefix.slice(1)}/+([^/?]+)([^]*)$`);
}

/**
 * Reads the adapter and the request from the request head, without the body. Throws `malformed_request`,
 * `uri_too_long` or `method_not_allowed`.
 */
function readStreamRequest(
  { req, res, requestId, span, principal, origin }: RequestContext,
  { prefix, pattern }: StreamRoute,
): { readonly adapterId: string; readonly request: StreamRequest } {
  const { adapterId, path } = splitTarget(req.url ?? '', pattern);
  const { method = '' } = req;
  if (!FORWARDED_METHODS.has(method)) {
    const allow = [...FORWARDED_METHODS].join(', ');
    throw new Problem('method_not_allowed', `This path accepts ${allow}.`, { headers: { allow } });
  }
  const body = requestBodyOf(req, () => {
    res.writeContinue();
  });
  const request = {
    requestId,
    caller: principal && callerKey(principal),
    method,
    path,
    headers: headerLinesOf(req.rawHeaders),
    body,
    span,
    isUpgrade: req.headers.upgrade?.toLowerCase() === 'websocket',
    mount: `${prefix}/${encodeURIComponent(adapterId)}`,
    origin: { address: origin.address, scheme: origin.scheme, host: req.headers.host ?? '' },
  };
  return { adapterId, request };
}

function splitTarget(url: string, pattern: RegExp): SplitTarget {
  // This call only validates the target. The upstream client receives the path as sent, and is stricter.
  normalizeTarget(url);
  const [, adapterId = '', rest = ''] = pattern.exec(url) ?? [];
  return { adapterId: decodeURIComponent(adapterId), path: rest.startsWith('/') ? rest : `/${rest}` };
}

function requestBodyOf(req: IncomingMessage, sendContinue: () => void): StreamBody | undefined {
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

interface ProxyHandlerDeps extends AllowDeps, AuditDeps, LimitDeps {
  readonly operation: BoundStream;
  /** Ends streams whose callers lose the right to them. */
  readonly rights: StreamRights;
}

/** A call until its stream ends. */
interface RunningCall {
  /** Body of the reply; undefined before its head. */
  body?: ByteStream;
  /** Why the caller has lost the right to the call; undefined: the caller has it. */
  refusal?: Problem;
}

/** Handler of requests that the server forwards as streams. The pipeline handles all other operations. */
export interface ProxyHandler {
  /** Returns true for a request of the stream operation, even if the request is invalid. */
  readonly isFor: (req: IncomingMessage) => boolean;
  /** Serves one request until its response ends. Never rejects. */
  readonly serve: (exchange: HttpExchange) => Promise<void>;
}

/**
 * Creates the handler. Its steps are: authorize, read the head, count the call for limits, record the start, open the stream, relay the
 * response, record the end. Before the response head arrives, a failure becomes a problem document.
 * Afterwards, a failure terminates the connection. A caller who loses the right to the call is a failure too.
 */
export function createProxyHandler(deps: ProxyHandlerDeps): ProxyHandler {
  const { operation } = deps;
  const { prefix } = operation;
  const pattern = targetPattern(prefix);
  return {
    isFor: ({ url = '' }) => pattern.test(url),
    async serve(exchange) {
      const context = createRequestContext(deps, exchange, operation);
      const { signal, cancel, release } = watchClient(exchange.req);
      const stopWatch = watchClientClose(exchange.req);
      let stopRights = (): void => undefined;
      const held: HeldByCall = { onEnd: undefined, endCall: undefined };
      context.held = held;
      try {
        const authorizing = authorize(deps, operation, context);
        if (authorizing) await authorizing;
        const { adapterId, request } = readStreamRequest(context, { prefix, pattern });
        context.adapter = adapterId;
        const { principal } = context;
        const running: RunningCall = {};
        stopRights = deps.rights.watch({
          principal,
          authorize: () =>
            authorizeAgain(deps, operation, {
              context,
              requireAccess(caller) {
                operation.requireAccess({ adapterId, request, principal: caller });
              },
            }),
          end(problem) {
            running.refusal = problem;
            if (running.body) running.body.destroy(problem);
            else cancel(problem);
          },
        });
        const limited = limitCaller(deps, operation, context);
        held.endCall = limited instanceof Promise ? await limited : limited;
        context.auditTarget = request.isUpgrade ? 'WebSocket' : request.method;
        const audited = context as AuditedRequest;
        await recordStart(deps, audited);
        const reply = await openStream(deps, audited, {
          call: { adapterId, request, principal, signal },
          running,
        });
        stopWatch();
        await relay(deps, audited, reply);
      } catch (error) {
        stopWatch();
        await sendFailure(deps, context, problemOf(error, signal));
      } finally {
        stopRights();
        release();
        releaseUnsent(context);
      }
    },
  };
}

/** Opens the stream. Writes the final audit record if it cannot open. */
async function openStream(
  deps: ProxyHandlerDeps,
  audited: AuditedRequest,
  { call, running }: { readonly call: StreamCall; readonly running: RunningCall },
): Promise<StreamReply> {
  try {
    call.signal.throwIfAborted();
    const reply = await deps.operation.open(call);
    running.body = reply.body;
    if (!running.refusal) return reply;
    reply.body.on('error', () => undefined).destroy();
    throw running.refusal;
  } catch (error) {
    return recordFailure(deps, audited, problemOf(error, call.signal));
  }
}

/** Records a failure before the response head, and throws its Problem. */
async function recordFailure(
  deps: ProxyHandlerDeps,
  context: AuditedRequest,
  error: unknown,
): Promise<never> {
  const problem = problemOf(error);
  await recordEnd(deps, context, { status: problem.status, outcome: problem.code });
  throw problem;
}

/** Writes the first audit record, and reserves room for the last one. Throws `audit_unavailable` if the trail has none. */
async function recordStart(deps: ProxyHandlerDeps, context: AuditedRequest): Promise<void> {
  await reserveRecords(deps, context, 2);
  try {
    await appendRecord(deps, context, { status: 0, outcome: 'began' });
  } catch (error) {
    deps.audit.release(context.auditRoom ?? 0);
    throw notRecordable(error);
  }
}

/**
 * Writes the final audit record. Only logs a lost record, because the client already has the bytes and the
 * server refuses the next call.
 */
function recordEnd(
  deps: ProxyHandlerDeps,
  context: AuditedRequest,
  result: { readonly status: number; readonly outcome: string },
): Promise<void> {
  return appendRecord(deps, context, result).catch(() => undefined);
}

async function relay(deps: ProxyHandlerDeps, context: AuditedRequest, reply: StreamReply): Promise<void> {
  const { requestId } = context;
  let failure: unknown;
  reply.body.on('error', (error: unknown) => {
    failure = error;
  });
  const relaying = relayResponse(context, reply, {
    requestId,
    stallLimits: deps.stallLimits ?? DEFAULT_STALL_LIMITS,
  });
  const result = await relaying.catch((error: unknown) => recordFailure(deps, context, error));
  const problem = failureAfterHead(result, failure);
  const { bytes } = result;
  const status = problem?.code === 'caller_gone' && !reply.tunnel ? STATUS_CLIENT_CLOSED : reply.status;
  const outcome = [reply.status, `${bytes} bytes`, ...(problem ? [problem.code] : [])].join(', ');
  await recordEnd(deps, context, { status, outcome });
  onResponse(deps, context, {
    status,
    bytes,
    ms: deps.clock.now() - context.startedAt,
    clientClosed: status === STATUS_CLIENT_CLOSED,
    isForwarded: true,
    problem,
  });
}

/** Returns the Problem of a response that failed after its head. */
function failureAfterHead({ outcome }: RelayResult, failure: unknown): Problem | undefined {
  if (outcome === 'completed') return undefined;
  if (outcome === 'sink_closed') return clientClosedRequest();
  if (failure instanceof Problem) return failure;
  return new Problem('upstream_bad_reply', 'The upstream response ended early.', { cause: failure });
}
