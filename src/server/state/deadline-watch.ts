import type { Fault } from '../../core/fault.js';
import type { LogFields } from '../../core/log.js';
import type { PlatformState } from '../../core/platform-state.js';
import { createBackoff } from '../../lib/backoff.js';
import type { Scheduler } from '../../lib/clock.js';
import { deadlinesOf, type DueEndsDeps, type StoredEnd, storeDueEnds } from './due-ends.js';

export interface DeadlineWatchDeps extends DueEndsDeps {
  /** Activates the stored state; resolves to the faults that prevent it. */
  readonly apply: () => Promise<readonly Fault[]>;
  readonly scheduler: Scheduler;
}

/** Delays between attempts to restore or to apply, in milliseconds. */
const RETRY_BACKOFF = { firstMs: 10_000, maxMs: 300_000 };

/** Longest time of a timer, in milliseconds; a later deadline is scheduled in parts. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Ends what has a time limit: temporary log levels, suspensions with an end, and changes that were not confirmed. The end is
 * stored and then activated, so that it applies to all nodes, and also after a restart. Only the first node makes the change.
 */
export class DeadlineWatch {
  readonly #deps: DeadlineWatchDeps;
  readonly #backoff = createBackoff(RETRY_BACKOFF);
  /** Next deadline of the live state, in milliseconds since 1970. */
  #next = Infinity;
  /** Ends that are stored, but not live. */
  #stored: readonly StoredEnd[] = [];
  #running: Promise<void> | undefined;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: DeadlineWatchDeps) {
    this.#deps = deps;
  }

  /** Schedules the next end in the live state. Must be called with each new state. */
  watch(state: PlatformState): void {
    this.#next = Math.min(...deadlinesOf(state));
    // The running attempt schedules the next one.
    if (this.#running) return;
    this.#logLive();
    this.#scheduleNext();
  }

  /** Logs the stored ends, which are live now. */
  #logLive(): void {
    for (const { level, message, fields } of this.#stored) this.#deps.log[level](message, fields);
    this.#stored = [];
  }

  /** Stops the watch. Waits until a running revert has its audit record. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#running;
  }

  #scheduleNext(): void {
    this.#cancel();
    if (this.#next < Infinity) this.#schedule(this.#next - this.#deps.scheduler.now());
  }

  #schedule(ms: number): void {
    this.#cancel();
    if (this.#isClosed) return;
    const delay = Math.min(MAX_TIMER_MS, Math.max(0, ms));
    this.#cancel = this.#deps.scheduler.after(delay, () => {
      this.#running = this.#attempt().finally(() => (this.#running = undefined));
    });
  }

  /** Stores and activates the due ends, and schedules the next attempt. Does not reject. */
  async #attempt(): Promise<void> {
    const isDone = await this.#endDue();
    // A deadline that is still due passed on another node whose clock is behind, or during this attempt.
    if (isDone && this.#next > this.#deps.scheduler.now()) {
      this.#backoff.reset();
      this.#scheduleNext();
    } else this.#schedule(this.#backoff.next());
  }

  /** Resolves to true if everything that is due is stored and live. */
  async #endDue(): Promise<boolean> {
    const { platform, apply, log } = this.#deps;
    try {
      const state = await platform.read();
      const areStored = await this.#storeEnds(state);
      const faults = await apply();
      if (faults.length > 0) {
        const ends = this.#stored.map(({ message, fields }) => ({ message, ...fields }));
        log.error('expired settings are restored in the store, but cannot be applied', { ends, faults });
        return false;
      }
      this.#logLive();
      return areStored;
    } catch (error) {
      this.#warn(error, {});
      return false;
    }
  }

  /** Stores each due end. Resolves to false if an end was not stored; the others are. */
  async #storeEnds(state: PlatformState): Promise<boolean> {
    const { stored, failures } = await storeDueEnds(this.#deps, state);
    this.#stored = [...this.#stored, ...stored];
    for (const { error, fields } of failures) this.#warn(error, fields);
    return failures.length === 0;
  }

  #warn(error: unknown, fields: LogFields): void {
    if (!this.#isClosed)
      this.#deps.log.warn('expired settings not restored; trying again', { error, ...fields });
  }
}
