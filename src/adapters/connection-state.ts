import type { Connection } from '../core/adapter.js';
import type { Log } from '../core/log.js';
import type { ProblemCode } from '../core/problem-codes.js';
import { operatorAdvice, Problem, refusedCredentials, withAdvice } from '../core/problem.js';
import type { Upstream } from '../core/upstream.js';
import type { Clock } from '../lib/clock.js';
import { withTargetName } from './target-name.js';

/** State of the connection to the orchestrator, and the upstream that records it. */
interface ConnectionNotes {
  readonly state: () => Connection;
  /** The upstream; it records the result of each of its calls and probes. */
  readonly upstream: Upstream;
  /** Notes that the orchestrator refused the credentials in a test of them. */
  readonly noteRefusal: (problem: Problem) => void;
}

/** Codes that mean that the orchestrator is unreachable. Any reply means that it is reachable. */
const UNREACHABLE_CODES: ReadonlySet<ProblemCode> = new Set([
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_bad_reply',
  'egress_denied',
]);

/** Codes of failures before a request was sent. A connection that opens disproves them. */
const CONNECTION_CODES: ReadonlySet<ProblemCode> = new Set(['upstream_unreachable', 'egress_denied']);

/** Statuses that refuse the credentials of a call. A 403 may only mean that the account lacks a right. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([401, 407]);

/**
 * Number of refused calls in a row after which the credentials of a working adapter count as refused. Some orchestrators
 * answer 401 to one call that the account may not make.
 */
const MAX_REFUSED_CALLS = 2;

const UNUSABLE_STATES = { refused: 'LOGIN_REFUSED', unavailable: 'OFFLINE' } as const;

/**
 * Wraps an upstream to record its connection, which is `UNKNOWN` before the first call or probe. Once the orchestrator has
 * refused the credentials, only a call or a probe that succeeds with them makes the connection `ONLINE` again.
 */
export function noteConnection(upstream: Upstream, clock: Clock, log: Log): ConnectionNotes {
  const notes = new ConnectionRecorder(clock, log, (reason) =>
    withTargetName(reason, upstream.status ? { upstreamStatus: upstream.status } : {}),
  );
  const onReply = <T extends { readonly status: number }>(reply: T): T => {
    notes.noteCallReply(reply.status);
    return reply;
  };
  const onFailure = (error: unknown): never => {
    if (error instanceof Problem) notes.noteCallFailure(error);
    throw error;
  };
  async function probe(ask: NonNullable<Upstream['probe']>, signal: AbortSignal): Promise<number> {
    try {
      const status = await ask(signal);
      notes.noteProbeReply(status);
      return status;
    } catch (error) {
      // If the signal has fired, its reason says more than the error that it caused.
      notes.noteProbeFailure(signal.aborted ? signal.reason : error);
      throw error;
    }
  }
  async function check(open: NonNullable<Upstream['checkConnection']>, signal: AbortSignal): Promise<void> {
    try {
      await open(signal);
      notes.noteOpenedConnection();
    } catch (error) {
      notes.noteUnopenedConnection(signal.aborted ? signal.reason : error);
      throw error;
    }
  }
  const ask = upstream.probe?.bind(upstream);
  const open = upstream.checkConnection?.bind(upstream);
  const pass = upstream.pass?.bind(upstream);
  return {
    state: () => notes.connection,
    noteRefusal: (problem) => {
      notes.noteProbeFailure(problem);
    },
    upstream: {
      ...upstream,
      send: (request, signal, terms) => upstream.send(request, signal, terms).then(onReply, onFailure),
      ...(pass && { pass: (request, signal) => pass(request, signal).then(onReply, onFailure) }),
      ...(ask && { probe: (signal) => probe(ask, signal) }),
      ...(open && { checkConnection: (signal) => check(open, signal) }),
    },
  };
}

/** Records the results of calls and probes of one adapter, and logs each change once. */
class ConnectionRecorder {
  readonly #clock: Clock;
  readonly #log: Log;
  #latest: Connection;
  /** Kind of the reason while the orchestrator cannot be used. */
  #kind: keyof typeof UNUSABLE_STATES | undefined;
  /** The latest refusal of the credentials, until they are accepted. An outage in between does not disprove it. */
  readonly #nameTarget: (reason: string) => string;
  #refusal: Problem | undefined;
  #refusedCalls = 0;
  /** True if the connection is `OFFLINE` because no connection could be opened. */
  #isUnreachable = false;
  #tried: { readonly at: number; readonly by: 'call' | 'probe' } | undefined;
  #okAt: number | undefined;
  /** True if the health path has once refused credentials. Only then does its success prove them. */
  #probeNeedsCredentials = false;

  /** `nameTarget` puts the host into a reason for the log; callers do not see it. */
  constructor(clock: Clock, log: Log, nameTarget: (reason: string) => string) {
    this.#clock = clock;
    this.#log = log;
    this.#nameTarget = nameTarget;
    this.#latest = { state: 'UNKNOWN', since: clock.now() };
  }

  get connection(): Connection {
    return {
      ...this.#latest,
      ...(this.#latest.state === 'OFFLINE' && this.#isUnreachable && { isUnreachable: true }),
      ...(this.#tried && { lastTriedAt: this.#tried.at, lastTriedBy: this.#tried.by }),
      ...(this.#okAt !== undefined && { lastOkAt: this.#okAt }),
    };
  }

  /** Notes that a probe opened a connection. That disproves only that no connection can be opened. */
  noteOpenedConnection(): void {
    this.#noteTry('probe');
    if (this.#latest.state !== 'OFFLINE' || this.#isUnreachable) this.#noteAnswer(false);
  }

  /** Notes that a probe could not open a connection, which the next connection that opens disproves. */
  noteUnopenedConnection(cause: unknown): void {
    this.noteProbeFailure(cause);
    this.#isUnreachable = this.#kind === 'unavailable';
  }

  noteCallReply(status: number): void {
    this.#noteTry('call');
    if (REFUSAL_STATUSES.has(status))
      this.#noteRefusedCall(new Problem('upstream_auth', refusedCredentials(`answered ${status}`)));
    else {
      if (!this.#refusal) this.#refusedCalls = 0;
      this.#noteAnswer(status < 400);
    }
  }

  noteCallFailure(problem: Problem): void {
    if (problem.extras.isInconclusive) return;
    if (problem.code === 'upstream_auth') {
      this.#noteTry('call');
      this.#noteRefusedCall(problem);
    } else if (UNREACHABLE_CODES.has(problem.code)) {
      this.#noteTry('call');
      this.#setUnusable('unavailable', problem);
    }
  }

  noteProbeReply(status: number): void {
    this.#noteTry('probe');
    this.#noteAnswer(this.#probeNeedsCredentials && status < 400);
  }

  noteProbeFailure(cause: unknown): void {
    const code = cause instanceof Problem ? cause.code : undefined;
    // The adapter was closed, which says nothing about its orchestrator.
    if (code === 'adapter_unavailable') return;
    this.#noteTry('probe');
    if (code === 'upstream_auth') {
      this.#probeNeedsCredentials = true;
      this.#setUnusable('refused', cause);
    } else if (this.#refusal && code === 'upstream_failed') this.#setUnusable('refused', this.#refusal);
    else this.#setUnusable('unavailable', cause);
  }

  /** Notes that the orchestrator answers. If the credentials were refused, only `isProof` makes the connection `ONLINE`. */
  #noteAnswer(isProof: boolean): void {
    if (isProof) [this.#refusal, this.#refusedCalls] = [undefined, 0];
    if (this.#refusal) this.#setUnusable('refused', this.#refusal);
    else this.#setOnline();
  }

  #noteRefusedCall(cause: Problem): void {
    this.#refusedCalls += 1;
    if (this.#latest.state === 'ONLINE' && this.#refusedCalls < MAX_REFUSED_CALLS) return;
    this.#setUnusable('refused', cause);
  }

  #noteTry(by: 'call' | 'probe'): void {
    this.#tried = { at: this.#clock.now(), by };
  }

  #setOnline(): void {
    this.#okAt = this.#clock.now();
    this.#isUnreachable = false;
    if (this.#latest.state === 'ONLINE') return;
    this.#kind = undefined;
    this.#latest = { state: 'ONLINE', since: this.#clock.now() };
    this.#log.info('orchestrator answers');
  }

  #setUnusable(kind: keyof typeof UNUSABLE_STATES, cause: unknown): void {
    const isProblem = cause instanceof Problem;
    this.#isUnreachable = isProblem && CONNECTION_CODES.has(cause.code);
    if (kind === 'refused' && isProblem) this.#refusal = cause;
    if (this.#kind === kind) return;
    const reason = isProblem ? cause.message : 'the probe failed';
    const fix = isProblem ? operatorAdvice(cause) : undefined;
    this.#kind = kind;
    this.#latest = {
      state: UNUSABLE_STATES[kind],
      since: this.#clock.now(),
      reason: isProblem ? withAdvice(cause) : reason,
    };
    this.#log.warn('orchestrator cannot be used', {
      reason: this.#nameTarget(reason),
      ...(fix !== undefined && { fix }),
    });
  }
}
