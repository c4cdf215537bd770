import { endOfCredentials } from '../core/principal.js';
import { Problem } from '../core/problem.js';
import type { Scheduler } from '../lib/clock.js';
import { problemOf } from './client-disconnect.js';

/** A response that continues, and the right to it. */
export interface RightfulStream {
  /** The caller as the request was admitted, with the time of expiry in seconds since 1970; undefined for a caller without a token. */
  readonly principal: { readonly expiresAt: number } | undefined;
  /** Authorizes the caller again. Throws the Problem of a caller who has lost the right. */
  readonly authorize: () => void | Promise<void>;
  /** Ends the stream; called at most once. */
  readonly end: (problem: Problem) => void;
}

/** Streams that end when their callers lose the right to them. */
export interface StreamRights {
  /** Watches a stream until the returned function is called. */
  readonly watch: (stream: RightfulStream) => () => void;
  /** Authorizes the callers of all streams again, after a change of tokens or of the configuration. */
  readonly check: () => void;
}

/** Interval in which each stream is checked without an event, because issuers announce no revocation, in milliseconds. */
const CHECK_INTERVAL_MS = 30_000;

/** The times of checks are whole seconds, so that one timer checks many streams. */
const TICK_MS = 1_000;

/** Number of streams that are authorized in one turn of the event loop. */
const BATCH_SIZE = 50;

/** Creates the watch, without streams. */
export function createStreamRights(scheduler: Scheduler): StreamRights {
  const watch = new StreamWatch(scheduler);
  return {
    watch: (stream) => watch.add(stream),
    check: () => {
      watch.checkAll();
    },
  };
}

interface WatchedStream {
  readonly stream: RightfulStream;
  /** Moment when the stream ends; Infinity for credentials that a call is accepted with beyond their time. */
  readonly endsAt: number;
  /** Time of the next check without an event. */
  checkAt: number;
}

class StreamWatch {
  readonly #scheduler: Scheduler;
  readonly #watched = new Set<WatchedStream>();
  /** Streams to authorize. */
  readonly #due = new Set<WatchedStream>();
  #isChecking = false;
  #timerAt = Infinity;
  #cancelTimer: (() => void) | undefined;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  add(stream: RightfulStream): () => void {
    const now = this.#scheduler.now();
    const endsAt = stream.principal ? endOfCredentials(stream.principal, now) : Infinity;
    const watched = { stream, endsAt, checkAt: nextCheck(now) };
    this.#watched.add(watched);
    this.#arm(Math.min(watched.endsAt, watched.checkAt));
    return () => this.#remove(watched);
  }

  checkAll(): void {
    for (const watched of this.#watched) this.#due.add(watched);
    this.#run();
  }

  #remove(watched: WatchedStream): boolean {
    this.#due.delete(watched);
    return this.#watched.delete(watched);
  }

  #arm(at: number): void {
    if (at >= this.#timerAt) return;
    this.#cancelTimer?.();
    this.#timerAt = at;
    this.#cancelTimer = this.#scheduler.after(at - this.#scheduler.now(), () => {
      this.#timerAt = Infinity;
      this.#onTimer(this.#scheduler.now());
    });
  }

  #onTimer(now: number): void {
    let next = Infinity;
    for (const watched of this.#watched) {
      if (now >= watched.endsAt) {
        this.#end(watched, new Problem('unauthorized', 'the token of the stream has expired'));
        continue;
      }
      if (isCheckDue(watched, now)) {
        watched.checkAt = nextCheck(now);
        this.#due.add(watched);
      }
      next = Math.min(next, watched.endsAt, watched.checkAt);
    }
    if (next < Infinity) this.#arm(next);
    this.#run();
  }

  /** Authorizes the callers of the due streams. A reload would otherwise verify thousands of tokens in one turn. */
  #run(): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    let left = BATCH_SIZE;
    for (const watched of this.#due) {
      this.#due.delete(watched);
      this.#authorize(watched);
      left -= 1;
      if (left === 0) break;
    }
    this.#isChecking = false;
    if (this.#due.size > 0)
      setImmediate(() => {
        this.#run();
      });
  }

  #authorize(watched: WatchedStream): void {
    try {
      const authorizing = watched.stream.authorize();
      authorizing?.catch((error: unknown) => {
        this.#endRefused(watched, error);
      });
    } catch (error) {
      this.#endRefused(watched, error);
    }
  }

  /** Ends the stream of a caller who is refused. Other problems, such as an issuer that does not answer, end nothing. */
  #endRefused(watched: WatchedStream, error: unknown): void {
    const problem = problemOf(error);
    if ([401, 403, 500].includes(problem.status)) this.#end(watched, problem);
  }

  #end(watched: WatchedStream, problem: Problem): void {
    if (this.#remove(watched)) watched.stream.end(problem);
  }
}

function isCheckDue({ checkAt }: WatchedStream, now: number): boolean {
  // A longer time means that the clock was set back.
  return now >= checkAt || checkAt - now > CHECK_INTERVAL_MS + TICK_MS;
}

function nextCheck(now: number): number {
  return Math.ceil((now + CHECK_INTERVAL_MS) / TICK_MS) * TICK_MS;
}
