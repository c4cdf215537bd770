import type { LimitRule } from '../../core/limits.js';
import { type Clock, elapsedSince } from '../../lib/clock.js';
import { type Allowance, bucketLimits, createLocalAllowance } from './allowance.js';
import type { Portion, PortionRequest } from './limit-counts.js';

/** State of the shared counts that every allowance reads. */
interface SharedState {
  readonly clock: Clock;
  /** Part of each limit that this node has for itself; undefined while the nodes share their counts. */
  readonly share: () => number | undefined;
  /** Called when an allowance begins to hold a portion, or needs more soon. */
  readonly onUsed: (allowance: SharedAllowance, isLow: boolean) => void;
}

/** Time after which unused calls of a portion are returned, in milliseconds. */
const CALLS_IDLE_MS = 1_000;
/** Time after which an unused slot is returned, in milliseconds. */
const SLOTS_IDLE_MS = 200;
/** Time until slots are asked for again after all were in use, in milliseconds. */
const SLOTS_RETRY_MS = 100;
/** Maximum time until calls are asked for again after none were left, in milliseconds: a node may return some. */
const CALLS_RETRY_MS = 1_000;

/** What one caller may do at one limit, from portions that this node takes from the shared counts. */
export class SharedAllowance implements Allowance {
  readonly id: string;
  readonly #rule: LimitRule;
  readonly #state: SharedState;
  readonly #rate: { readonly capacity: number; readonly refillMs: number } | undefined;
  #calls = 0;
  #left: number;
  #slots = 0;
  #running = 0;
  /** Calls since the last exchange, by which the next portion is measured. */
  #used = 0;
  #usedAt: number;
  #endedAt: number;
  #exchangedAt: number;
  /** Time when the rate permits a call. */
  #callsAt = 0;
  /** Times before which an exchange brings no calls, or no slots. */
  #askAt = 0;
  #slotsAt = 0;
  /** Calls that this node admitted by its share, which the other nodes do not know. */
  #spent = 0;
  /** Calls that wait for the next exchange. */
  #waiting = 0;
  #own: { readonly share: number; readonly allowance: Allowance } | undefined;

  constructor(id: string, rule: LimitRule, state: SharedState) {
    this.id = id;
    this.#rule = rule;
    this.#state = state;
    this.#rate = bucketLimits(rule);
    this.#left = this.#rate?.capacity ?? 0;
    this.#usedAt = state.clock.now();
    this.#endedAt = this.#usedAt;
    this.#exchangedAt = this.#usedAt;
  }

  rateWaitMs(): number {
    const own = this.#ownAllowance();
    if (own) return own.rateWaitMs();
    if (!this.#rate || this.#calls >= 1) return 0;
    return Math.max(1, Math.ceil(this.#callsAt - this.#state.clock.now()));
  }

  hasSlot(running: number): boolean {
    const own = this.#ownAllowance();
    if (own) return own.hasSlot(running);
    return this.#rule.concurrent === null || this.#running < this.#slots;
  }

  take(): void {
    this.#running += 1;
    this.#usedAt = this.#state.clock.now();
    const own = this.#ownAllowance();
    if (own) {
      own.take();
      this.#spent += 1;
      this.#state.onUsed(this, false);
      return;
    }
    this.#used += 1;
    if (this.#rate) this.#calls -= 1;
    // A caller of a single call needs no further portion.
    const isLow = this.#used > 1 && this.#calls * 4 <= this.#used && this.#left >= 1;
    this.#state.onUsed(this, isLow);
  }

  end(): void {
    this.#running -= 1;
    this.#endedAt = this.#state.clock.now();
  }

  remaining(): number | undefined {
    const own = this.#ownAllowance();
    if (own) return own.remaining();
    return this.#rate && this.#calls + this.#left;
  }

  resetMs(): number {
    const own = this.#ownAllowance();
    if (own) return own.resetMs();
    if (!this.#rate) return 0;
    const level = this.#calls + this.#left + this.#refilled();
    return Math.max(0, this.#rate.capacity - level) * this.#rate.refillMs;
  }

  /** Lets one more call wait for the next exchange. Returns false if the exchange cannot help yet. */
  wait(): boolean {
    const now = this.#state.clock.now();
    if (this.rateWaitMs() > 0 && now < this.#askAt) return false;
    if (!this.hasSlot(this.#running) && now < this.#slotsAt) return false;
    this.#waiting += 1;
    return true;
  }

  /** True if the allowance holds something, which must be renewed or returned. */
  isHolding(): boolean {
    return this.#calls > 0 || this.#slots > 0;
  }

  /** True if the allowance holds something that it has not used for a while, or has used without the other nodes. */
  hasIdle(): boolean {
    return this.#spent > 0 || this.#idleCalls() > 0 || this.#idleSlots() > 0;
  }

  /** Returns the request of the next exchange. From now on, calls that wait belong to a later exchange. */
  request(): PortionRequest {
    const { concurrent } = this.#rule;
    const needed = this.#waiting;
    this.#waiting = 0;
    const returned = needed > 0 ? 0 : this.#idleCalls();
    this.#calls -= returned;
    const wanted = returned > 0 ? 0 : this.#expectedCalls();
    const rate = this.#rate && {
      ...this.#rate,
      needed: Math.max(0, needed - this.#calls),
      wanted,
      held: Math.max(0, this.#calls - needed),
      returned,
      spent: this.#spent,
    };
    this.#spent = 0;
    // Idle slots are not used from now on, because the other nodes may receive them.
    this.#slots -= this.#idleSlots();
    const slots =
      concurrent === null
        ? null
        : { maximum: concurrent, needed: Math.max(this.#slots, this.#running + needed) };
    this.#used = 0;
    this.#exchangedAt = this.#state.clock.now();
    return { id: this.id, rate: rate ?? null, slots };
  }

  /** Adds the portion of an exchange. */
  receive({ calls, left, waitMs, slots }: Portion, requested: PortionRequest): void {
    const now = this.#state.clock.now();
    this.#calls += calls;
    this.#left = left;
    this.#callsAt = waitMs > 0 ? now + waitMs : 0;
    this.#askAt = waitMs > 0 ? now + Math.min(waitMs, CALLS_RETRY_MS) : 0;
    this.#slots = slots;
    this.#endedAt = now;
    this.#slotsAt = requested.slots && slots < requested.slots.needed ? now + SLOTS_RETRY_MS : 0;
  }

  /**
   * Forgets what the allowance holds, because the other nodes may take it. Returns true if the next exchange must report running
   * or admitted calls.
   */
  forget(): boolean {
    this.#calls = 0;
    this.#slots = 0;
    this.#waiting = 0;
    return this.#running > 0 || this.#spent > 0;
  }

  /** Returns the calls of the next second, by the calls since the last exchange. */
  #expectedCalls(): number {
    const elapsedMs = elapsedSince(this.#state.clock, this.#exchangedAt);
    return Math.ceil(Math.min(2 * this.#used, (this.#used * 1_000) / Math.max(1, elapsedMs)));
  }

  /** Returns the calls that the rate has permitted since the last exchange. */
  #refilled(): number {
    return this.#rate ? elapsedSince(this.#state.clock, this.#exchangedAt) / this.#rate.refillMs : 0;
  }

  #idleCalls(): number {
    return elapsedSince(this.#state.clock, this.#usedAt) >= CALLS_IDLE_MS ? this.#calls : 0;
  }

  #idleSlots(): number {
    const isIdle = elapsedSince(this.#state.clock, this.#endedAt) >= SLOTS_IDLE_MS;
    return isIdle ? Math.max(0, this.#slots - this.#running) : 0;
  }

  /** Returns the allowance with the share of this node while the nodes cannot share their counts. */
  #ownAllowance(): Allowance | undefined {
    const share = this.#state.share();
    if (share === undefined) {
      this.#own = undefined;
      return undefined;
    }
    if (this.#own?.share !== share) {
      // The other nodes know of the same calls, so this node has its share of what is left of them.
      const level = (this.#calls + this.#left + this.#refilled()) * share;
      const local = { share, level: Math.min(level, (this.#rate?.capacity ?? 0) * share) };
      this.#own = { share, allowance: createLocalAllowance(this.#state.clock, this.#rule, local) };
    }
    return this.#own.allowance;
  }
}
