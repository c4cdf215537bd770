import { requireMethods } from '../core/adapter-method.js';
import type { Adapter, AdapterContext, Connection, OutboundRequest, UpstreamReply } from '../core/adapter.js';
import { isRawJson } from '../core/decode-reply.js';
import { withErrorPlace } from '../core/error-place.js';
import { isHeaderName, isHeaderValue, isOwnHeader } from '../core/header.js';
import { Problem, refusedCredentials, withExtras } from '../core/problem.js';
import { afterSending, type ReplyMemory } from '../core/reply-memory.js';
import type { CallSpan } from '../core/trace.js';
import type { Upstream } from '../core/upstream.js';
import { jsonText } from '../json/write-json.js';
import type { CancelSignal } from '../lib/cancel-signal.js';
import type { AdapterSettings } from '../settings/adapter.js';
import { type PluginStreams, pluginStreamsOf } from './plugin-stream.js';
import { runWithin, type WorkLimits } from './run-within.js';

type Send = NonNullable<Adapter['send']>;

/** Limits of the host for a plugin's own transport. */
type TransportTerms = Pick<AdapterSettings, 'timeouts' | 'replyBytes'> &
  Partial<Pick<AdapterSettings, 'replyHeaders'>>;

/**
 * Returns an upstream whose streams and health probes carry the fixed headers of the adapter. Throws a Problem for a header that an
 * adapter must not set; the text never contains a value.
 */
export function withFixedHeaders(adapter: Adapter, upstream: Upstream): Upstream {
  const fixedHeaders = adapter.fixedHeaders?.();
  if (!fixedHeaders) return upstream;
  for (const [name, value] of Object.entries(fixedHeaders)) {
    if (name === name.toLowerCase() && isHeaderName(name) && !isOwnHeader(name) && isHeaderValue(value))
      continue;
    throw new Problem('adapter_unavailable', `The plugin returned an invalid fixed header '${name}'.`);
  }
  const pass = upstream.pass?.bind(upstream);
  const probe = upstream.probe?.bind(upstream);
  return {
    ...upstream,
    ...(pass && { pass: (request, signal) => pass({ ...request, fixedHeaders }, signal) }),
    ...(probe && { probe: (signal) => probe(signal, fixedHeaders) }),
  };
}

/**
 * Returns the plugin's own transport with the host's deadline and reply limit; for a plugin without a
 * transport, the host's own. Errors of the plugin become Problems, and its replies are checked first.
 */
export function transportOf(adapter: Adapter, upstream: Upstream, terms: TransportTerms): Upstream {
  const send = adapter.send?.bind(adapter);
  const callMethod = methodCallOf(adapter, terms);
  const methods = callMethod && methodListOf(adapter, terms);
  const ofMethods = { ...(callMethod && { callMethod }), ...(methods && { methods }) };
  if (!send) return callMethod ? { ...upstream, ...ofMethods } : upstream;
  const connection = ownConnection(adapter);
  const { callerHeaders } = upstream;
  const streams = pluginStreamsOf(adapter, { ...terms.timeouts, replyHeaders: terms.replyHeaders });
  return {
    send: (request, signal, { span, memory } = {}) =>
      runTransportCall(send, { request: withTrace(request, span), caller: signal, memory }, terms),
    // Without the path: only the transport knows what a Location is relative to.
    ...(callerHeaders && { callerHeaders: (headers) => callerHeaders(headers) }),
    ...(upstream.redactReply && { redactReply: upstream.redactReply }),
    // The transport may use the function of the host that sends requests.
    ...(upstream.certificates && { certificates: upstream.certificates }),
    ...withStreams(upstream, streams),
    ...(connection && { probe: () => askConnection(connection) }),
    ...ofMethods,
  };
}

function withStreams(
  upstream: Upstream,
  streams: PluginStreams | undefined,
): Pick<Upstream, 'close' | 'pass'> {
  if (!streams) return { close: () => upstream.close() };
  return {
    pass: (request, signal) => streams.pass(request, signal),
    close: () => {
      streams.close();
      return upstream.close();
    },
  };
}

/**
 * Returns the function by which a plugin's transport reports its connection; `undefined` if the host must
 * record it.
 */
export function ownConnection(adapter: Adapter): (() => Connection) | undefined {
  const connection = adapter.connection?.bind(adapter);
  if (!connection || !adapter.send) return undefined;
  return () => {
    try {
      return connection();
    } catch {
      return { state: 'UNKNOWN', since: 0 };
    }
  };
}

/** Returns the status 200 unless the transport reports that it is offline, or that its login was refused. */
function askConnection(connection: () => Connection): Promise<number> {
  const { state, reason } = connection();
  if (state === 'LOGIN_REFUSED')
    return Promise.reject(new Problem('upstream_auth', reason ?? refusedCredentials('refused the login')));
  return state === 'OFFLINE'
    ? Promise.reject(new Problem('upstream_unreachable', reason ?? 'the adapter is offline'))
    : Promise.resolve(200);
}

interface TransportCall {
  readonly request: OutboundRequest;
  readonly caller: CancelSignal;
  /** Memory of which the reply is reserved when it has arrived. */
  readonly memory: ReplyMemory | undefined;
}

async function runTransportCall(
  send: Send,
  { request, caller, memory }: TransportCall,
  terms: TransportTerms,
): Promise<UpstreamReply> {
  try {
    const reply = await runWithin((signal) => send(request, signal), limitsOf(terms, caller));
    const checked = checkReply(reply, terms.replyBytes);
    memory?.open().resize(checked.body.length);
    return checked;
  } catch (error) {
    throw error instanceof Problem ? afterSending(error, request.method) : brokenTransport(error);
  }
}

function limitsOf({ timeouts: { totalMs } }: TransportTerms, signal: CancelSignal): WorkLimits {
  return {
    ms: totalMs,
    timeoutMessage: `no complete reply within ${totalMs} ms (timeouts.totalMs)`,
    signal,
    abortProblem: () => new Problem('caller_gone', 'the caller left before the reply was complete'),
  };
}

/** Returns the call of the plugin's methods with the host's deadline and limit; `undefined` if the plugin has no methods. */
function methodCallOf(adapter: Adapter, terms: TransportTerms): Upstream['callMethod'] {
  const callMethod = adapter.callMethod?.bind(adapter);
  if (!callMethod || !adapter.methods) return undefined;
  return async (call, signal, { memory } = {}) => {
    try {
      const result = await runWithin((own) => callMethod(call, own), limitsOf(terms, signal));
      const reply = resultReply(result, terms.replyBytes);
      memory?.open().resize(reply.body.length);
      return reply;
    } catch (error) {
      throw error instanceof Problem ? error : brokenPlugin(`call the method "${call.method}"`, error);
    }
  };
}

/** Returns the list of the plugin's methods with the host's deadline, and after a check; `undefined` without methods. */
function methodListOf(adapter: Adapter, terms: TransportTerms): Upstream['methods'] {
  const list = adapter.methods?.bind(adapter);
  if (!list) return undefined;
  return async (signal) => {
    try {
      const methods: unknown = await runWithin(() => list(), limitsOf(terms, signal));
      return requireMethods(methods);
    } catch (cause) {
      throw cause instanceof Problem ? cause : brokenPlugin('list the methods', cause);
    }
  };
}

/** Returns the result of a method as a reply. A method without a result returns null, because `undefined` has no JSON form. */
function resultReply(result: unknown, replyBytes: number): UpstreamReply {
  const body = isRawJson(result) ? result.rawJson : Buffer.from(jsonText(result));
  return checkReply({ status: 200, headers: { 'content-type': 'application/json' }, body }, replyBytes);
}

/**
 * Adds the headers of the trace to a request. Only the transport knows the final target, so it receives the
 * trace and the host creates no span.
 */
function withTrace(request: OutboundRequest, span: CallSpan | undefined): OutboundRequest {
  if (!span) return request;
  return { ...request, headers: { ...request.headers, ...span.headers() } };
}

/**
 * Returns the host's `send` as plugins receive it. A transport that passes on its request need not handle the
 * headers of the trace in it, which continue with the outgoing request. The errors have no `isUnsent`.
 */
export function sendOf(upstream: Pick<Upstream, 'send'>): Send {
  return (request, signal) => {
    const { traceparent, tracestate, ...headers } = request.headers;
    if (traceparent === undefined) return upstream.send(request, signal).catch(failRequest);
    const trace = { traceparent, ...(tracestate !== undefined && { tracestate }) };
    const span = { headers: () => trace, request: () => ({ headers: trace }) };
    return upstream.send({ ...request, headers }, signal, { span }).catch(failRequest);
  };
}

/** Throws the error of one request of a plugin, which may have sent other requests for the same call before. */
function failRequest(error: unknown): never {
  throw error instanceof Problem && error.extras.isUnsent ? withExtras(error, { isUnsent: false }) : error;
}

export function connectOf({ connect }: Upstream): AdapterContext['connect'] {
  return (
    connect ?? (() => Promise.reject(new Problem('adapter_unavailable', 'the adapter opens no connections')))
  );
}

/** Returns the reply after a check, because a plugin may be written without types. */
function checkReply(reply: unknown, replyBytes: number): UpstreamReply {
  if (!isReply(reply)) throw new TypeError('the transport answered something that is no reply');
  if (reply.body.length > replyBytes)
    throw new Problem('upstream_too_large', `the reply is larger than ${replyBytes} bytes`);
  return reply;
}

function isReply(reply: unknown): reply is UpstreamReply {
  if (typeof reply !== 'object' || reply === null) return false;
  const { status, headers, body } = reply as Partial<Record<keyof UpstreamReply, unknown>>;
  const isStatus = Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599;
  return isStatus && typeof headers === 'object' && headers !== null && Buffer.isBuffer(body);
}

/** Creates the Problem for an unexpected error, which can contain anything and is only for the log. */
function brokenTransport(cause: unknown): Problem {
  return new Problem('upstream_unreachable', "the transport of the adapter's plugin failed", { cause });
}

/** Creates the Problem for an unexpected error of a plugin; `work` completes "failed to". */
function brokenPlugin(work: string, cause: unknown): Problem {
  return new Problem('plugin_failed', withErrorPlace(`the plugin failed to ${work}`, cause), { cause });
}
