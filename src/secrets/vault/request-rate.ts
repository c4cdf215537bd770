import { jitteredBackoffMs } from '../../lib/backoff.js';
import type { Clock } from '../../lib/clock.js';

/** Lowest rate, in requests a second: one that Vault limits must still end at some time. */
const MIN_RATE = 1;
/** Part of the served rate that is used after a refusal, because others may have a part in the limit. */
const REDUCTION = 0.8;
/** Time in which the rate doubles again, in milliseconds. */
const DOUBLING_MS = 10_000;
/** Time without a refusal after which the rate has no limit, in milliseconds. */
const RECOVERY_MS = 60_000;
const SECOND_MS = 1_000;
/** Limits of the pause after a refusal without `Retry-After`, in milliseconds. */
const PAUSE = { firstMs: 500, maxMs: 8_000 };

/** A reserved moment for one request. */
interface Turn {
  /** Milliseconds until the request may be sent. */
  readonly waitMs: number;
  /** Number of refusals that were known when the moment was reserved. */
  readonly refusals: number;
}

/**
 * Token bucket of one token for the requests to Vault. It has no limit until a quota of Vault refuses a request (429): then all requests
 * wait as long as Vault asks for, and go on at a rate somewhat below that which Vault served. The rate doubles every ten
 * seconds, and has no limit again after a minute without a refusal.
 */
export class RequestRate {
  readonly #clock: Clock;
  readonly #random: () => number;
  #rate = Infinity;
  #limitedAt = 0;
  #nextAt = 0;
  #reservedAt = 0;
  #refusals = 0;
  /** Refusals since the last request that was served. */
  #refusedInRow = 0;
  /** Times of the requests that were served in the last second. */
  #served: number[] = [];

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Reserves the next moment for a request. */
  reserve(): Turn {
    const now = this.#clock.now();
    const rate = this.#rateAt(now);
    // A system clock that is set back must not delay requests.
    this.#nextAt += Math.min(0, now - this.#reservedAt);
    this.#reservedAt = now;
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = rate === Infinity ? 0 : at + SECOND_MS / rate;
    return { waitMs: at - now, refusals: this.#refusals };
  }

  noteServed(): void {
    const now = this.#clock.now();
    this.#refusedInRow = 0;
    this.#served = [...this.#servedAt(now), now];
  }

  /** Notes that Vault refused the request of a turn. Returns the milliseconds until requests go on. */
  noteRefused({ refusals }: Turn, retryAfterMs: number | undefined): number {
    const now = this.#clock.now();
    // Requests that were sent together are refused together; they lower the rate once.
    if (refusals === this.#refusals) {
      this.#refusals += 1;
      this.#refusedInRow += 1;
      this.#rate = Math.max(MIN_RATE, REDUCTION * Math.min(this.#rateAt(now), this.#servedAt(now).length));
      this.#limitedAt = now;
      this.#nextAt = now;
    }
    const pauseMs = retryAfterMs ?? jitteredBackoffMs(this.#refusedInRow, PAUSE, this.#random);
    this.#nextAt = Math.max(this.#nextAt, now + pauseMs);
    return pauseMs;
  }

  #rateAt(now: number): number {
    const ms = Math.abs(now - this.#limitedAt);
    if (ms >= RECOVERY_MS) this.#rate = Infinity;
    return this.#rate * 2 ** (ms / DOUBLING_MS);
  }

  #servedAt(now: number): number[] {
    return this.#served.filter((at) => Math.abs(now - at) < SECOND_MS);
  }
}
