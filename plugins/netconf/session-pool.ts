import type { Connection } from '../../src/core/adapter.js';
import { createBackoff } from '../../src/core/lib/backoff.js';
import type { Scheduler } from '../../src/core/lib/clock.js';
import { Problem } from '../../src/core/problem.js';
import type { Session } from './session.js';

/** Input of {@link createSessionPool}. */
export interface SessionPoolInput {
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
   * Runs the work with a session that nothing else uses. Closes the session if the work throws. Throws `upstream_busy` if too many calls wait, and the Problem of the last attempt while the next one is not due.
   */
  use<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly connection: () => Connection;
  /** Closes all sessions. */
  close(): void;
}

/** Delays between attempts to connect after one has failed: the server may lock the account. */
const RETRY_BACKOFF = { firstMs: 1_000, maxMs: 60_000 };

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

/** Call that waits for a session, or for the room to open one. */
interface Waiter {
  readonly wake: (session: Session | undefined) => void;
  readonly fail: (problem: Problem) => void;
}

class Pool {
  readonly #input: SessionPoolInput;
  readonly #idle: Idle[] = [];
  readonly #waiting: Waiter[] = [];
  readonly #all = new Set<Session>();
  readonly #backoff = createBackoff(RETRY_BACKOFF);
  #opening = 0;
  #isClosed = false;
  #lastFailure: Problem | undefined;
  #retryAt = 0;
  #cancelRetry = (): void => undefined;
  connection: Connection;

  constructor(input: SessionPoolInput) {
    this.#input = input;
    this.connection = { state: 'UNKNOWN', since: input.scheduler.now() };
  }

  async use<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T> {
    const session = await this.#take(signal);
    try {
      const result = await work(session);
      this.#release(session);
      return result;
    } catch (error) {
      session.close();
      if (error instanceof Problem && error.code === 'upstream_unreachable' && this.#all.size === 0) {
        this.#record(error);
        this.#retryAfter(RETRY_BACKOFF.firstMs, error);
      }
      this.#wakeNext();
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
    for (const { fail } of this.#waiting.splice(0)) fail(stopped());
    for (const { cancel } of this.#idle.splice(0)) cancel();
    for (const session of this.#all) session.close();
  }

  async #take(signal: AbortSignal): Promise<Session> {
    if (this.#isClosed) throw stopped();
    signal.throwIfAborted();
    for (;;) {
      const idle = this.#takeIdle();
      if (idle) return idle;
      if (this.#mayOpen()) this.#opening += 1;
      else {
        const released = await this.#wait(signal);
        if (released) return released;
      }
      try {
        return await this.#open(signal);
      } catch (error) {
        // While other sessions serve calls, this call waits for one of them: the server may have a limit.
        if (this.#all.size === 0 || signal.aborted) throw error;
      }
    }
  }

  #takeIdle(): Session | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      idle.cancel();
      if (idle.session.isOpen()) return idle.session;
    }
    return undefined;
  }

  /** Returns true if a call may open a session. After a failure it waits for a session of others, if there is one. */
  #mayOpen(): boolean {
    const hasRoom = this.#all.size + this.#opening < this.#input.maxSessions;
    return hasRoom && (this.#all.size === 0 || !this.#isTooEarly());
  }

  /** Returns true as long as the next attempt to connect is not due. */
  #isTooEarly(): boolean {
    return this.#lastFailure !== undefined && this.#input.scheduler.now() < this.#retryAt;
  }

  /** Waits for a session, or for the room to open one. */
  #wait(signal: AbortSignal): Promise<Session | undefined> {
    if (this.#waiting.length >= this.#input.maxWaiting)
      throw new Problem('upstream_busy', `${this.#waiting.length} calls wait for a NETCONF session`);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      const settle = (): void => {
        signal.removeEventListener('abort', leave);
      };
      const waiter: Waiter = {
        wake: (session) => {
          settle();
          resolve(session);
        },
        fail: (problem) => {
          settle();
          reject(problem);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter);
    });
  }

  /** Opens a session in a place that `#opening` counts already. */
  async #open(signal: AbortSignal): Promise<Session> {
    try {
      if (this.#lastFailure && this.#isTooEarly()) throw this.#lastFailure;
      return await this.#connect(signal);
    } finally {
      this.#opening -= 1;
      this.#wakeNext();
    }
  }

  async #connect(signal: AbortSignal): Promise<Session> {
    try {
      const session = await this.#input.open(signal);
      if (this.#isClosed) {
        session.close();
        throw stopped();
      }
      this.#all.add(session);
      session.onClose(() => {
        this.#all.delete(session);
      });
      this.#lastFailure = undefined;
      this.#backoff.reset();
      this.#record(undefined);
      return session;
    } catch (error) {
      if (error instanceof Problem && error.code !== 'caller_gone') {
        this.#lastFailure = error;
        const delayMs = this.#backoff.next();
        this.#retryAt = this.#input.scheduler.now() + delayMs;
        if (this.#all.size === 0) {
          this.#record(error);
          this.#retryAfter(delayMs, error);
        }
      }
      throw error;
    }
  }

  /**
   * Connects again after a delay, so that a server that comes back is online without a call. Not before the first connection, which
   * the host repeats, and not with credentials that the server has refused.
   */
  #retryAfter(delayMs: number, { code }: Problem): void {
    if (this.#isClosed || this.connection.lastOkAt === undefined || code === 'upstream_auth') return;
    this.#cancelRetry();
    this.#cancelRetry = this.#input.scheduler.after(delayMs, () => {
      if (this.connection.state === 'ONLINE') return;
      // The attempt is due, although the timer may fire before the clock has reached the time.
      this.#retryAt = 0;
      // The failure is recorded, and the next attempt follows from it.
      this.use(() => Promise.resolve(), new AbortController().signal).catch(() => undefined);
    });
  }

  #release(session: Session): void {
    if (!session.isOpen()) {
      this.#wakeNext();
      return;
    }
    const waiter = this.#waiting.shift();
    if (waiter) {
      waiter.wake(session);
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

  /** Lets a waiting call open a session, if there is room. */
  #wakeNext(): void {
    if (!this.#mayOpen()) return;
    const waiter = this.#waiting.shift();
    if (!waiter) return;
    this.#opening += 1;
    waiter.wake(undefined);
  }

  /** Records the result of an attempt to connect, or the loss of a session. */
  #record(failure: Problem | undefined): void {
    const now = this.#input.scheduler.now();
    const state = failure ? 'OFFLINE' : 'ONLINE';
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

function stopped(): Problem {
  return new Problem('adapter_unavailable', 'the adapter was stopped');
}
