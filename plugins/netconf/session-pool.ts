import type { Connection } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import type { Scheduler } from '../../src/lib/clock.js';
import { ConnectAttempts, RETRY_BACKOFF } from './connect-attempts.js';
import type { Session } from './session.js';

/** Input of {@link createSessionPool}. */
interface SessionPoolInput {
  /** Opens a session. Throws a Problem. */
  readonly open: (signal: AbortSignal) => Promise<Session>;
  /** Maximum number of sessions. */
  readonly maxSessions: number;
  /** Maximum number of calls that wait for a session. */
  readonly maxWaiting: number;
  /** Time after which an unused session is closed, in milliseconds. */
  readonly idleMs: number;
  readonly scheduler: Scheduler;
}

/** Bounded number of sessions with one server. A session serves one call at a time. */
export interface SessionPool {
  /**
   * Runs the work with a session that nothing else uses, and closes the session if the work throws. Runs it again with another session if
   * the session breaks, or the server loses its first request, before an operation was sent that may change something. Throws `upstream_busy` if too many calls wait, and the
   * Problem of the last attempt to connect if no session is open and the server could not be reached twice.
   */
  use<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly connection: () => Connection;
  /** Closes all sessions. */
  close(): void;
}

/** Maximum number of sessions that break under one call. */
const MAX_RUNS = 3;

/** Failures that may have passed at the next attempt, for which calls wait. */
const PASSING: ReadonlySet<string> = new Set(['upstream_unreachable', 'upstream_timeout']);

/** Creates a pool without sessions. */
export function createSessionPool(input: SessionPoolInput): SessionPool {
  const pool = new Pool(input);
  return {
    use: (work, signal) => pool.use(work, signal),
    connection: () => pool.connection,
    close: () => {
      pool.close();
    },
  };
}

interface Idle {
  readonly session: Session;
  readonly cancel: () => void;
}

/** Call that waits for a session. */
interface Waiter {
  readonly take: (session: Session) => void;
  readonly fail: (error: Error) => void;
}

class Pool {
  readonly #input: SessionPoolInput;
  readonly #idle: Idle[] = [];
  readonly #waiting: Waiter[] = [];
  readonly #all = new Set<Session>();
  /** Attempts to open a session. The first waiting call receives it. */
  readonly #opening = new Set<AbortController>();
  readonly #attempts: ConnectAttempts;
  #isClosed = false;
  #cancelRetry = (): void => undefined;
  connection: Connection;

  constructor(input: SessionPoolInput) {
    this.#input = input;
    this.#attempts = new ConnectAttempts(input.scheduler);
    this.connection = { state: 'UNKNOWN', since: input.scheduler.now() };
  }

  async use<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let run = 1; ; run += 1) {
      const session = await this.#take(signal);
      // A server that is slow, and has not lost the request, must get through.
      if (run === MAX_RUNS) session.allowSilence();
      const changes = session.changes();
      try {
        const result = await work(session);
        this.#release(session);
        return result;
      } catch (error) {
        const isBroken = !session.isOpen() && isUnreachable(error);
        session.close();
        if (isUnreachable(error) && this.#all.size === 0) this.#lost(error);
        this.#openForWaiting();
        if (!isBroken || session.changes() > changes || run === MAX_RUNS || signal.aborted) throw error;
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
    for (const { fail } of this.#waiting.splice(0)) fail(stopped());
    for (const { cancel } of this.#idle.splice(0)) cancel();
    for (const attempt of this.#opening) attempt.abort(stopped());
    for (const session of this.#all) session.close();
  }

  async #take(signal: AbortSignal): Promise<Session> {
    if (this.#isClosed) throw stopped();
    signal.throwIfAborted();
    const idle = this.#takeIdle();
    if (idle) return idle;
    const failure = this.#failureWhileDown();
    if (failure) throw failure;
    const unserved = Math.max(0, this.#waiting.length - this.#opening.size);
    if (unserved >= this.#input.maxWaiting && !this.#mayOpen())
      throw new Problem('upstream_busy', `${unserved} calls wait for a NETCONF session`);
    return this.#wait(signal);
  }

  #takeIdle(): Session | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      idle.cancel();
      if (idle.session.isOpen()) return idle.session;
    }
    return undefined;
  }

  /** Waits for a session of other calls, or for a new one. */
  #wait(signal: AbortSignal): Promise<Session> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        if (this.#waiting.length === 0) for (const attempt of this.#opening) attempt.abort(signal.reason);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        take: (session) => {
          signal.removeEventListener('abort', leave);
          resolve(session);
        },
        fail: (error) => {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter);
      this.#openForWaiting();
    });
  }

  #mayOpen(): boolean {
    const hasRoom = this.#all.size + this.#opening.size < this.#input.maxSessions;
    return hasRoom && !this.#isClosed && this.#attempts.isDue(this.#all.size > 0);
  }

  /** Opens sessions for the calls that wait, within the limit, and at least `minimum`. */
  #openForWaiting(minimum = 0): void {
    while (Math.max(this.#waiting.length, minimum) > this.#opening.size && this.#mayOpen()) void this.#open();
  }

  async #open(): Promise<void> {
    const attempt = new AbortController();
    const wave = this.#attempts.wave;
    this.#opening.add(attempt);
    try {
      const session = await this.#input.open(attempt.signal);
      this.#opening.delete(attempt);
      this.#admit(session);
    } catch (error) {
      this.#opening.delete(attempt);
      this.#failed(error, wave);
    }
  }

  #admit(session: Session): void {
    if (this.#isClosed) {
      session.close();
      return;
    }
    this.#all.add(session);
    session.onClose(() => {
      this.#all.delete(session);
      this.#openForWaiting();
    });
    this.#attempts.succeeded();
    this.#record(undefined);
    this.#give(session);
  }

  #failed(error: unknown, wave: number): void {
    if (this.#isClosed) return;
    const isAlone = this.#all.size === 0;
    const isOfCaller = error instanceof Problem && error.code === 'caller_gone';
    if (!isOfCaller) this.#attempts.failed(error, { wave, isAlone });
    if (isAlone && this.#opening.size === 0) {
      if (!isOfCaller && error instanceof Problem) this.#record(error);
      this.#retryLater(this.#attempts.delayMs(), error);
      const failure = this.#failureWhileDown();
      if (failure) for (const { fail } of this.#waiting.splice(0)) fail(failure);
    }
    this.#openForWaiting();
  }

  /** Returns the failure with which calls end instead of waiting; undefined if they may get a session soon. */
  #failureWhileDown(): Error | undefined {
    const { last, failures } = this.#attempts;
    const isPassing = last instanceof Problem && PASSING.has(last.code);
    const isAway = failures > 1 || !isPassing || this.connection.lastOkAt === undefined;
    const hasNone = this.#all.size + this.#opening.size === 0 && !this.#attempts.isDue(false);
    return hasNone && isAway ? last : undefined;
  }

  /** Records that the last session has broken. */
  #lost(failure: Problem): void {
    this.#record(failure);
    this.#retryLater(RETRY_BACKOFF.firstMs, failure);
  }

  /**
   * Connects again after a delay, so that a server that comes back is online without a call. Not before the first connection, which
   * the host repeats, and not with credentials that the server has refused.
   */
  #retryLater(delayMs: number, failure: unknown): void {
    const isRefused = failure instanceof Problem && failure.code === 'upstream_auth';
    if (this.#isClosed || this.connection.lastOkAt === undefined || isRefused) return;
    this.#cancelRetry();
    this.#cancelRetry = this.#input.scheduler.after(delayMs, () => {
      if (this.connection.state === 'ONLINE' && this.#waiting.length === 0) return;
      // The attempt is due, although the timer may fire before the clock has reached the time.
      this.#attempts.makeDue();
      this.#openForWaiting(1);
    });
  }

  /** Takes back the session of a call. */
  #release(session: Session): void {
    if (session.isOpen()) this.#give(session);
    else this.#openForWaiting();
  }

  #give(session: Session): void {
    const waiter = this.#waiting.shift();
    if (waiter) {
      waiter.take(session);
      return;
    }
    const cancel = this.#input.scheduler.after(this.#input.idleMs, () => {
      this.#idle.splice(
        this.#idle.findIndex((idle) => idle.session === session),
        1,
      );
      session.close();
    });
    this.#idle.push({ session, cancel });
  }

  /** Records the result of an attempt to connect, or the loss of a session. */
  #record(failure: Problem | undefined): void {
    const now = this.#input.scheduler.now();
    const state = stateAfter(failure);
    const since = this.connection.state === state ? this.connection.since : now;
    const lastOkAt = failure ? this.connection.lastOkAt : now;
    this.connection = {
      state,
      since,
      lastTriedAt: now,
      lastTriedBy: 'call',
      ...(failure && { reason: failure.message }),
      ...(lastOkAt !== undefined && { lastOkAt }),
    };
  }
}

function stateAfter(failure: Problem | undefined): Connection['state'] {
  if (!failure) return 'ONLINE';
  return failure.code === 'upstream_auth' ? 'LOGIN_REFUSED' : 'OFFLINE';
}

function isUnreachable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'upstream_unreachable';
}

function stopped(): Problem {
  return new Problem('adapter_unavailable', 'the adapter was stopped');
}
