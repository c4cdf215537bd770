import type { IncomingMessage } from 'node:http';
import type { CancelSignal } from '../core/cancel-signal.js';
import { Problem } from '../core/problem.js';
import type { BoundStream, StreamReply, HeaderLines, StreamBody, StreamRequest } from '../core/stream.js';
import { allow, type AllowDeps } from './authorize.js';
import { appendRecord, type AuditDeps, type AuditedRequest, isWritable, unrecordable } from './with-audit.js';
import { watchClient } from './client-disconnect.js';
import { clientClosedRequest, problemOf } from './failure.js';
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

/** A target below the prefix of a stream operation, in its two parts. */
interface SplitTarget {
  readonly adapterId: string;
  /** Exactly as it was sent, from the slash behind the adapter's name on. */
  readonly path: string;
}

/** TRACE is not among them: its reply would repeat the adapter's credentials. */
const METHODS: ReadonlySet<string> = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** Finds targets `<prefix>/<adapterId>...`, in origin or absolute form. */
export function targetPattern(prefix: string): RegExp {
  return new RegExp(`^(?:[Hh][Tt][Tt][Pp][Ss]?://[^/?]+)?/+${prefix.slice(1)}/+([^/?]+)([^]*)$`);
}

/**
 * What is asked of which adapter; nothing of the body is read. Throws `malformed_request`, `uri_too_long` or
 * `method_not_allowed`.
 */
export function readStreamRequest(
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
  // For what it throws: the path itself goes on as it is written, and the way out is stricter.
  normaliseTarget(url);
  const [, adapterId = '', rest = ''] = targetPattern(prefix).exec(url) ?? [];
  return { adapterId: decodeURIComponent(adapterId), path: rest.startsWith('/') ? rest : `/${rest}` };
}

function bodyOf(req: IncomingMessage, goOn: () => void): StreamBody | undefined {
  const length = bodyLength(req.headers);
  if (length === 0) return undefined;
  return {
    ...(length !== Infinity && { length }),
    take() {
      // HTTP/1.0 knows no interim replies (RFC 9110 section 10.1.1).
      if (req.headers.expect !== undefined && req.httpVersion === '1.1') goOn();
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

export interface ProxyHandlerDeps extends AllowDeps, AuditDeps {
  readonly operation: BoundStream;
}

/** The door of what is passed on as a stream, beside that of the other operations. */
export interface ProxyHandler {
  /** True for requests that belong here, whatever else may be wrong with them. */
  readonly isFor: (req: IncomingMessage) => boolean;
  /** Serves one request to its end. Never rejects. */
  readonly serve: (exchange: HttpExchange) => Promise<void>;
}

/**
 * Makes the door. The ladder is that of the other operations without what looks into a body: allow, read the head,
 * record, open, pass on, record. Until the head of the reply has come a failure is a problem document; afterwards it breaks the
 * connection off.
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

/** Opens the stream, between its two records. */
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

/** Records what kept the head of the reply from the caller, and throws it. */
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

/** A record that is lost at the end is in the log; its bytes are with the caller, and the next call is refused. */
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

/** What went wrong behind the head. */
function problemAfter({ ending }: RelayResult, failure: unknown): Problem | undefined {
  if (ending === 'whole') return undefined;
  if (ending === 'left') return clientClosedRequest();
  if (failure instanceof Problem) return failure;
  return new Problem('upstream_bad_reply', 'The reply was cut short.', { cause: failure });
}
