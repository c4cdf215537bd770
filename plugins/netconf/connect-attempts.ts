import { createBackoff } from '../../src/lib/backoff.js';
import type { Scheduler } from '../../src/lib/clock.js';

/** Delays between attempts to connect after one has failed: the server may lock the account. */
export const RETRY_BACKOFF = { firstMs: 1_000, maxMs: 60_000 };

/** How an attempt failed. */
interface FailedAttempt {
  /** The `wave` when the attempt began. */
  readonly wave: number;
  /** True if no session was open. */
  readonly isAlone: boolean;
}

/**
 * Decides when the next attempt to connect is due. A failure while other sessions are open means that the server takes no further one:
 * it delays further sessions, and has no effect when the others have closed.
 */
export class ConnectAttempts {
  readonly #clock: Pick<Scheduler, 'now'>;
  readonly #backoff = createBackoff(RETRY_BACKOFF);
  readonly #growth = createBackoff(RETRY_BACKOFF);
  #retryAt = 0;
  #growAt = 0;
  /** The last failure while no session was open; undefined after a success. */
  last: Error | undefined;
  /** Number of consecutive failures while no session was open. Attempts that ran together count once. */
  failures = 0;
  /** Number of failures so far. Attempts with the same number at their start ran together. */
  wave = 0;

  constructor(clock: Pick<Scheduler, 'now'>) {
    this.#clock = clock;
  }

  succeeded(): void {
    this.last = undefined;
    this.failures = 0;
    this.#retryAt = 0;
    this.#growAt = 0;
    this.#backoff.reset();
    this.#growth.reset();
  }

  failed(error: unknown, { wave, isAlone }: FailedAttempt): void {
    const isRepeated = wave !== this.wave;
    this.wave += 1;
    if (!isAlone) {
      if (!isRepeated) this.#growAt = this.#clock.now() + this.#growth.next();
      return;
    }
    this.last = error instanceof Error ? error : new Error('the attempt to connect failed', { cause: error });
    if (isRepeated && this.failures > 0) return;
    this.failures += 1;
    this.#retryAt = this.#clock.now() + this.#backoff.next();
  }

  /** Returns true if a session may be opened now; `isFurther` for one beside others. */
  isDue(isFurther: boolean): boolean {
    return this.#clock.now() >= (isFurther ? this.#growAt : this.#retryAt);
  }

  /** Milliseconds until the next attempt is due; the first delay if it is due. */
  delayMs(): number {
    const ms = this.#retryAt - this.#clock.now();
    return ms > 0 ? ms : RETRY_BACKOFF.firstMs;
  }

  makeDue(): void {
    this.#retryAt = 0;
  }
}
