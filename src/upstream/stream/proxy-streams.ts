import { finished } from 'node:stream';
import type { AdapterSettings } from '../../core/adapter-settings.js';
import type { CancelSignal } from '../../core/cancel-signal.js';
import { Problem } from '../../core/problem.js';
import type { Redact } from '../../core/redactor.js';
import type { StreamReply, StreamRequest } from '../../core/stream.js';
import { type DeadlineTerms, type Phase, withDeadline } from '../deadline.js';
import { checkParameters } from '../build-request.js';
import { type Balancer, outcomeOfReply } from '../policy/balance.js';
import type { AttemptResult } from '../policy/breaker.js';
import type { Queue } from '../policy/queue.js';
import { isUpstreamFailure } from '../send.js';
import { type CredentialLease, mayRepeat, type AuthenticatedSender } from '../with-authentication.js';
import { confine } from '../target.js';
import type { Endpoint } from '../endpoint.js';
import { type LineOptions, type LineReply, openLines, type HeaderLines } from './header-lines.js';
import { replyHeaders } from './reply-headers.js';
import { tokenIn } from './request-headers.js';
import { createRunningStreams, type RunningStreams } from './active-streams.js';

/** Components that streams share with the other calls of an adapter. */
export interface StreamParts extends LineOptions {
  readonly queue: Queue;
  readonly balancer: Balancer;
  readonly signIn: Pick<AuthenticatedSender, 'acquireCredentials'>;
  /** Removes the adapter's credentials from replies that repeat them. */
  readonly redact: Redact;
  /** Maximum duration of streams after the adapter is closed. */
  readonly drainMs: number;
}

/** Forwards requests as streams, over separate connections. */
export interface Streams {
  readonly pass: (request: StreamRequest, signal: CancelSignal) => Promise<StreamReply>;
  close(): Promise<void>;
}

interface Deps extends StreamParts {
  readonly settings: AdapterSettings;
  readonly lines: HeaderLines;
  readonly running: RunningStreams;
}

/** A streamed request, across all its attempts. */
interface StreamAttempt {
  readonly request: StreamRequest;
  readonly signal: CancelSignal;
  readonly tried: Endpoint[];
  readonly progress: { phase: Phase };
}

/** An attempt whose reply head has arrived. */
interface Attempt {
  readonly reply: LineReply;
  readonly status: number;
  readonly lent: CredentialLease;
}

/** Creates the stream forwarding of an adapter. Opens no connection before the first request. */
export function openStreams(settings: AdapterSettings, parts: StreamParts): Streams {
  const { scheduler, drainMs } = parts;
  const { idleMs, totalMs } = settings.timeouts;
  const lines = openLines(settings, parts);
  const running = createRunningStreams({ scheduler, idleMs, drainMs });
  const deps: Deps = { ...parts, settings, lines, running };
  return {
    async pass(request, signal) {
      checkTarget(request, deps);
      const { queue } = parts;
      await openStreamAttempt(queue, { totalMs, caller: signal, scheduler });
      try {
        const passage = { request, signal, tried: [], progress: { phase: 'connecting' as const } };
        const attempt = await tryAndRenew(passage, deps);
        const reply = replyOf(attempt, request, deps);
        running.watch(reply.body, attempt.reply.socket, () => {
          queue.leave();
        });
        return reply;
      } catch (error) {
        queue.leave();
        throw error;
      }
    },
    async close() {
      await running.drain();
      lines.close();
    },
  };
}

/** Takes a slot in the queue; creates a deadline only if it must wait. */
async function openStreamAttempt(queue: Queue, terms: DeadlineTerms): Promise<void> {
  if (queue.tryEnter()) return;
  await withDeadline(terms, async (deadline) => {
    await queue.enter(deadline);
    // The slot was granted as the deadline ended: the caller is gone, so the slot is released.
    if (deadline.reason) queue.leave();
  });
}

/**
 * Throws `invalid_path` for a target that could leave the base URL, or that contains credentials of the
 * adapter or the caller.
 */
function checkTarget({ path, headers }: StreamRequest, { endpoints: [first], settings }: Deps): void {
  confine(first.base, path);
  checkParameters(path, settings.auth);
  const token = tokenIn(headers);
  const isShown = token !== undefined && path.includes(token);
  if (!isShown && !holdsToken(path)) return;
  throw new Problem('invalid_path', 'the path holds your token, which the orchestrator must not see', {
    errors: [{ pointer: '', message: 'send the token in the Authorization header alone' }],
  });
}

/**
 * Returns true if the query parameter `token` is a JWT: this server accepts that parameter as authentication
 * elsewhere, so callers may use it here as well.
 */
function holdsToken(path: string): boolean {
  const at = path.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : path.slice(at + 1));
  return query.getAll('token').some((value) => JWT.test(value));
}

const JWT = /^eyJ[^.]*\.[^.]+\.[^.]+$/;

/**
 * Returns the reply. If the session has ended, retries once with a new session, unless the request has a body
 * or must not be repeated.
 */
async function tryAndRenew(passage: StreamAttempt, deps: Deps): Promise<Attempt> {
  const first = await tryEndpoints(passage, deps);
  const renewing = first.lent.heard(first.status);
  const { body, method } = passage.request;
  // The login continues for later calls.
  if (!renewing || body || !mayRepeat(method, first.status)) return first;
  if (!(await renewing)) return first;
  discard(first.reply);
  const second = await tryEndpoints({ ...passage, tried: [] }, deps);
  void second.lent.heard(second.status);
  return second;
}

/** Tries other base URLs until the request has been sent. */
async function tryEndpoints(passage: StreamAttempt, deps: Deps): Promise<Attempt> {
  const { tried, progress } = passage;
  const most = Math.min(deps.settings.retry.attempts, deps.endpoints.length);
  for (;;) {
    try {
      return await tryOnce(passage, deps);
    } catch (error) {
      const isSent = progress.phase === 'waiting for the reply';
      if (isSent || tried.length >= most || !(error instanceof Problem) || !isUpstreamFailure(error))
        throw error;
    }
  }
}

async function tryOnce({ request, signal, tried, progress }: StreamAttempt, deps: Deps): Promise<Attempt> {
  const { balancer, signIn, lines, scheduler, settings } = deps;
  const { endpoint, pass } = balancer.choose(tried);
  tried.push(endpoint);
  let outcome: AttemptResult = 'neither';
  endpoint.inFlight += 1;
  try {
    progress.phase = 'connecting';
    const terms = { totalMs: settings.timeouts.totalMs, caller: signal, scheduler };
    // A login without a waiting caller would cause an unhandled rejection.
    signal.throwIfAborted();
    const lending = signIn.acquireCredentials(endpoint);
    const lent = lending instanceof Promise ? await inLogin(lending, terms) : lending;
    const reply = await lines.send(request, endpoint, { credentials: lent, signal, progress });
    const status = reply.head.statusCode ?? 0;
    outcome = outcomeOfReply({ status });
    watchEnd(reply, endpoint);
    return { reply, status, lent };
  } catch (error) {
    endpoint.inFlight -= 1;
    if (error instanceof Problem && isUpstreamFailure(error)) outcome = 'failed';
    throw error;
  } finally {
    // The permit ends with the head: a stream of several hours would otherwise block all other calls of a
    // half-open breaker.
    pass.end(outcome);
  }
}

/** Waits for a running login, which other calls may share. */
function inLogin<T>(login: Promise<T>, terms: DeadlineTerms): Promise<T> {
  return withDeadline(terms, (deadline) => {
    deadline.phase = 'logging in';
    return login;
  });
}

/** Releases the endpoint when a stream ends; a truncated reply counts as a failure. */
function watchEnd({ head, tunnel, stop }: LineReply, endpoint: Endpoint): void {
  finished(tunnel ?? head, (error) => {
    endpoint.inFlight -= 1;
    stop();
    if (error && !tunnel && isCutShort(error)) endpoint.breaker.report('failed');
  });
}

/**
 * Returns true for Node's error when the sender terminates a reply. Streams that this server ends have a
 * Problem or no error code.
 */
function isCutShort(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || String(error.code).startsWith('HPE_'));
}

function replyOf({ reply, status }: Attempt, { mount }: StreamRequest, deps: Deps): StreamReply {
  const { head, tunnel, url } = reply;
  const { auth } = deps.settings;
  const outside = {
    bases: deps.endpoints.map(({ base }) => base),
    mount,
    url,
    parameter: auth.type === 'query' ? auth.name : undefined,
  };
  const headers = replyHeaders({ status, rawHeaders: head.rawHeaders }, outside, deps.redact);
  return { status, headers, body: tunnel ?? head, ...(tunnel && { tunnel }) };
}

function discard({ head, tunnel }: LineReply): void {
  (tunnel ?? head).destroy();
}
