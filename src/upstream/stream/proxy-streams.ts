import { forwardedReplyHeaders } from '../../core/header.js';
import { Problem } from '../../core/problem.js';
import type { Redact } from '../../core/secret.js';
import type { StreamReply, StreamRequest } from '../../core/stream.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { AdapterSettings } from '../../settings/adapter.js';
import { checkParameters } from '../build-request.js';
import { type DeadlineTerms, type Phase, withDeadline } from '../deadline.js';
import type { Endpoint } from '../endpoint.js';
import { type Balancer, endAttempt, resultOfReply } from '../policy/balance.js';
import type { AttemptResult } from '../policy/breaker.js';
import type { Queue } from '../policy/queue.js';
import { isUpstreamFailure } from '../send.js';
import { type BaseUrl, confine } from '../target.js';
import { type Authentication, type CredentialLease, mayRepeat } from '../with-authentication.js';
import { createActiveStreams, type ActiveStreams, onceEnded } from './active-streams.js';
import {
  type StreamConnections,
  type StreamConnectionOptions,
  type ConnectionReply,
  openStreamConnections,
} from './connections.js';
import { replyHeaders } from './reply-headers.js';
import { callerTokenIn } from './request-headers.js';
import { createStreamSlots } from './stream-slots.js';

/** Components that streams share with the other calls of an adapter. */
interface StreamDeps extends StreamConnectionOptions {
  readonly queue: Queue;
  readonly balancer: Balancer;
  readonly authentication: Authentication;
  /** Removes the adapter's credentials from replies that repeat them. */
  readonly redact: Redact;
  /** Maximum duration of streams after the adapter is closed. */
  readonly drainMs: number;
}

/** Forwards requests as streams, over separate connections. */
export interface Streams {
  readonly pass: (request: StreamRequest, signal: CancelSignal) => Promise<StreamReply>;
  /** Returns the number of streams that wait for other streams. */
  readonly waiting: () => number;
  /** Returns the number of streams that were refused because of other streams. */
  readonly refused: () => number;
  close(): Promise<void>;
}

interface Deps extends StreamDeps {
  readonly settings: AdapterSettings;
  readonly connections: StreamConnections;
  readonly active: ActiveStreams;
  /** Lower-case names of the reply headers that callers get. */
  readonly forwarded: ReadonlySet<string>;
  /** All base URLs. */
  readonly bases: readonly BaseUrl[];
  /** Name of the parameter that carries the adapter's credentials. */
  readonly parameter: string | undefined;
}

/** A streamed request, across all its attempts. */
interface StreamCall {
  readonly request: StreamRequest;
  readonly signal: CancelSignal;
  readonly tried: Endpoint[];
  readonly progress: { phase: Phase };
}

/** An attempt whose reply head has arrived. */
interface StreamAttempt {
  readonly reply: ConnectionReply;
  readonly status: number;
  readonly lease: CredentialLease;
}

/** Creates the stream forwarding of an adapter. Takes next to no memory before the first request. */
export function openStreams(settings: AdapterSettings, parts: StreamDeps): Streams {
  let opened: Streams | undefined;
  const open = (): Streams => (opened ??= openNow(settings, parts));
  return {
    pass: (request, signal) => open().pass(request, signal),
    waiting: () => opened?.waiting() ?? 0,
    refused: () => opened?.refused() ?? 0,
    // Opens them, so that a later request finds them closed.
    close: () => open().close(),
  };
}

function openNow(settings: AdapterSettings, parts: StreamDeps): Streams {
  const { scheduler, drainMs } = parts;
  const { idleMs, totalMs } = settings.timeouts;
  const connections = openStreamConnections(settings, parts);
  const active = createActiveStreams({ scheduler, idleMs, drainMs });
  const bases = parts.endpoints.map(({ base }) => base);
  const parameter = settings.auth.type === 'query' ? settings.auth.name : undefined;
  const forwarded = forwardedReplyHeaders(settings.replyHeaders);
  const deps: Deps = { ...parts, settings, connections, active, forwarded, bases, parameter };
  const slots = createStreamSlots(settings.queue, parts.queue, scheduler);
  return {
    async pass(request, signal) {
      checkTarget(request, deps);
      const slot = slots.take(request.caller, { totalMs, caller: signal, scheduler });
      const release = slot instanceof Promise ? await slot : slot;
      try {
        const call = { request, signal, tried: [], progress: { phase: 'connecting' as const } };
        const attempt = await sendWithRenewal(call, deps);
        const reply = replyOf(attempt, request, deps);
        active.track(reply.body, attempt.reply.socket, release);
        return reply;
      } catch (error) {
        release();
        throw error;
      }
    },
    waiting: slots.waiting,
    refused: slots.refused,
    async close() {
      await active.drain();
      connections.close();
    },
  };
}

/**
 * Throws `invalid_path` for a target that could leave the base URL, or that contains credentials of the
 * adapter or the caller.
 */
function checkTarget({ path, headers }: StreamRequest, { endpoints: [first], settings }: Deps): void {
  confine(first.base, path);
  checkParameters(path, settings.auth);
  const token = callerTokenIn(headers);
  const repeatsToken = token !== undefined && path.includes(token);
  if (!repeatsToken && !hasTokenParameter(path)) return;
  throw new Problem('invalid_path', 'the path contains your token, which the orchestrator must not see', {
    errors: [{ pointer: '', message: 'send the token in the Authorization header only' }],
  });
}

/**
 * Returns true if the query parameter `token` is a JWT: other routes of this server accept that parameter as
 * authentication, so callers may send it here by mistake.
 */
function hasTokenParameter(path: string): boolean {
  const at = path.indexOf('?');
  if (at < 0) return false;
  const query = new URLSearchParams(path.slice(at + 1));
  return query.getAll('token').some((value) => JWT.test(value));
}

const JWT = /^eyJ[^.]*\.[^.]+\.[^.]+$/;

/**
 * Returns the reply. If the session has ended, retries once with a new session, unless the request has a body
 * or must not be repeated.
 */
async function sendWithRenewal(call: StreamCall, deps: Deps): Promise<StreamAttempt> {
  const first = await sendToAnyEndpoint(call, deps);
  const renewing = first.lease.reportStatus(first.status);
  const { body, method } = call.request;
  // The login continues for later calls.
  if (!renewing || body || !mayRepeat(method, first.status)) return first;
  const isRenewed = await waitForLogin(renewing, termsOf(call, deps)).catch((reason: unknown) => {
    discard(first.reply);
    throw reason;
  });
  if (!isRenewed) return first;
  discard(first.reply);
  const second = await sendToAnyEndpoint({ ...call, tried: [] }, deps);
  void second.lease.reportStatus(second.status);
  return second;
}

/** Sends the request to a base URL, and to others until it has been sent. */
function sendToAnyEndpoint(call: StreamCall, deps: Deps): Promise<StreamAttempt> {
  const maxAttempts = Math.min(deps.settings.retry.attempts, deps.endpoints.length);
  return maxAttempts <= 1 ? sendOnce(call, deps) : sendToEach(call, deps, maxAttempts);
}

async function sendToEach(call: StreamCall, deps: Deps, maxAttempts: number): Promise<StreamAttempt> {
  const { tried, progress } = call;
  for (;;) {
    try {
      return await sendOnce(call, deps);
    } catch (error) {
      const isSent = progress.phase === 'waiting for the reply';
      if (isSent || tried.length >= maxAttempts || !(error instanceof Problem) || !isUpstreamFailure(error))
        throw error;
    }
  }
}

async function sendOnce(call: StreamCall, deps: Deps): Promise<StreamAttempt> {
  const { request, signal, tried, progress } = call;
  const { balancer, authentication, connections } = deps;
  const { endpoint, permit } = balancer.choose(tried);
  tried.push(endpoint);
  let result: AttemptResult = 'neither';
  let login: Promise<unknown> | undefined;
  endpoint.inFlight += 1;
  try {
    progress.phase = 'connecting';
    // A login without a waiting caller would cause an unhandled rejection.
    signal.throwIfAborted();
    const acquired = authentication.acquireCredentials(endpoint);
    if (acquired instanceof Promise) login = acquired;
    const lease = acquired instanceof Promise ? await waitForLogin(acquired, termsOf(call, deps)) : acquired;
    login = undefined;
    const reply = await connections.send(request, endpoint, { credentials: lease, signal, progress });
    const status = reply.head.statusCode ?? 0;
    result = resultOfReply({ status });
    releaseOnEnd(reply, endpoint);
    return { reply, status, lease };
  } catch (error) {
    endpoint.inFlight -= 1;
    if (error instanceof Problem && isUpstreamFailure(error)) {
      result = 'failed';
      signal.throwIfAborted();
    }
    throw error;
  } finally {
    // The permit ends with the head: a stream of several hours would otherwise block all other calls of a
    // half-open breaker.
    endAttempt(permit, result, login);
  }
}

/** Returns the terms of a wait for a login. */
function termsOf({ signal }: StreamCall, { scheduler, settings }: Deps): DeadlineTerms {
  return { totalMs: settings.timeouts.totalMs, caller: signal, scheduler };
}

/** Waits for a running login, which other calls may share. */
function waitForLogin<T>(login: Promise<T>, terms: DeadlineTerms): Promise<T> {
  return withDeadline(terms, (deadline) => {
    deadline.phase = 'logging in';
    return login;
  });
}

/** Releases the endpoint when a stream ends; a truncated reply counts as a failure. */
function releaseOnEnd({ head, tunnel, stop }: ConnectionReply, endpoint: Endpoint): void {
  onceEnded(tunnel ?? head, () => {
    endpoint.inFlight -= 1;
    stop();
    if (!tunnel && head.errored && isTruncated(head.errored)) endpoint.breaker.report('failed');
  });
}

/**
 * Returns true for Node's error when the sender terminates a reply. Streams that this server ends have a
 * Problem or no error code.
 */
function isTruncated(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || String(error.code).startsWith('HPE_'));
}

function replyOf({ reply, status }: StreamAttempt, { mount }: StreamRequest, deps: Deps): StreamReply {
  const { head, tunnel, url } = reply;
  const location = { bases: deps.bases, mount, url, parameter: deps.parameter };
  const headers = replyHeaders({ status, rawHeaders: head.rawHeaders }, location, deps);
  return { status, headers, body: tunnel ?? head, tunnel };
}

function discard({ head, tunnel }: ConnectionReply): void {
  (tunnel ?? head).destroy();
}
