import type { Log } from '../../core/log.js';
import type { Clock, Scheduler } from '../../lib/clock.js';
import { withTimeout } from '../../lib/timeout.js';
import type { Allowance } from './allowance.js';
import type { SharedCounts } from './caller-limits.js';
import type { LimitCountStore } from './limit-counts.js';
import type { NamedLimit } from './limit-matcher.js';
import { SharedAllowance } from './shared-allowance.js';

/** Counts that the nodes of a cluster share, until they are closed. */
interface OpenSharedCounts extends SharedCounts {
  readonly close: () => Promise<void>;
}

interface SharedCountsInput {
  readonly store: LimitCountStore;
  /** Returns true while limits are configured. */
  readonly isUsed: () => boolean;
  /** The system clock, which all processes of this machine share. */
  readonly clock: Clock;
  /** A monotonic scheduler. */
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Maximum time that a call waits for a portion, in milliseconds. */
const EXCHANGE_TIMEOUT_MS = 2_000;
/** Interval of returning unused portions, in milliseconds. */
const RETURN_INTERVAL_MS = 200;
/** Maximum time without an exchange, in milliseconds: the other nodes count the nodes that exchange. */
const REPORT_INTERVAL_MS = 2_000;
/** Time after which the slots of a node that no longer reports are free, in milliseconds. */
const NODE_TTL_MS = 10_000;
/** Maximum number of callers in one exchange. */
const MAX_REQUESTS = 500;

/**
 * Opens the counts that the nodes of a cluster share. A node takes portions in advance, and waits for the database only for a
 * caller of whom it holds no portion. One exchange runs at a time, and serves all calls that wait. While the database does not
 * answer, each node has an equal share of every limit.
 */
export function openSharedCounts(input: SharedCountsInput): OpenSharedCounts {
  const counts = new PortionExchange(input);
  counts.returnIdle();
  counts.start();
  return {
    createAllowance: (limit, key) => counts.createAllowance(limit, key),
    renew: (allowances) => counts.renew(allowances),
    state: () => (counts.share() === undefined ? 'cluster' : 'share'),
    close: () => counts.close(),
  };
}

class PortionExchange {
  readonly #input: SharedCountsInput;
  /** Allowances for the next exchange. */
  readonly #pending = new Set<SharedAllowance>();
  /** Allowances that hold a portion, by id, also of callers that are no longer counted. */
  readonly #holding = new Map<string, SharedAllowance>();
  #nodes = 1;
  #isAway = false;
  #isClosed = false;
  /** True if the other nodes do not know this node, or may have forgotten it. */
  #isFresh = true;
  /** The exchange that was asked for last. It never rejects. */
  #last: Promise<void> = Promise.resolve();
  /** The exchange that has not begun; undefined if there is none. */
  #next: Promise<void> | undefined;
  #reportedAt = -Infinity;
  #cancelTimer = (): void => undefined;

  constructor(input: SharedCountsInput) {
    this.#input = input;
  }

  /** Returns the part of each limit that this node has while the database is away; undefined otherwise. */
  share(): number | undefined {
    return this.#isAway ? 1 / this.#nodes : undefined;
  }

  createAllowance(limit: NamedLimit, key: string): SharedAllowance {
    const id = idOf(limit, key);
    const onUsed = (allowance: SharedAllowance, isLow: boolean): void => {
      this.#holding.set(id, allowance);
      if (!isLow || this.#isClosed) return;
      this.#pending.add(allowance);
      void this.#exchangeSoon();
    };
    const state = { clock: this.#input.scheduler, share: () => this.share(), onUsed };
    return this.#holding.get(id) ?? new SharedAllowance(id, limit.rule, state);
  }

  renew(allowances: readonly Allowance[]): Promise<void> | undefined {
    if (this.#isAway || this.#isClosed) return undefined;
    const shared = allowances.filter((allowance) => allowance instanceof SharedAllowance);
    const waiting = shared.filter((allowance) => allowance.wait());
    for (const allowance of waiting) this.#pending.add(allowance);
    return waiting.length === 0 ? undefined : this.#exchangeSoon();
  }

  start(): void {
    this.#cancelTimer = this.#input.scheduler.after(RETURN_INTERVAL_MS, () => {
      this.returnIdle();
      if (!this.#isClosed) this.start();
    });
  }

  /** Ends the exchanges, and frees what this node holds. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    await this.#last;
    if (!this.#isFresh) await this.#input.store.leave().catch(() => undefined);
  }

  /** Returns what is not used, and reports this node if it is time. */
  returnIdle(): void {
    if (!this.#input.isUsed()) return;
    for (const [id, allowance] of this.#holding) {
      if (allowance.hasIdle()) this.#pending.add(allowance);
      else if (!allowance.isHolding()) this.#holding.delete(id);
    }
    const hasWork = !this.#isAway && (this.#isFresh || this.#pending.size > 0);
    if (hasWork || this.#isReportDue()) void this.#exchangeSoon();
  }

  #isReportDue(): boolean {
    return this.#input.scheduler.now() - this.#reportedAt >= REPORT_INTERVAL_MS;
  }

  /** Returns the promise of the exchange that serves what is pending now. It never rejects. */
  #exchangeSoon(): Promise<void> {
    if (this.#next) return this.#next;
    // The calls that wait for the exchange before this one continue first, and take their calls of its portion.
    this.#next = this.#last.then(() => {
      this.#next = undefined;
      return this.#exchange();
    });
    this.#last = this.#next;
    return this.#next;
  }

  async #exchange(): Promise<void> {
    if (this.#isClosed) return;
    try {
      if (this.#isFresh || this.#isReportDue()) await this.#report();
      await this.#exchangePortions();
      this.#recover();
    } catch (error) {
      this.#fail(error);
    }
    // What was beyond the maximum belongs to the next exchange.
    if (this.#pending.size > 0 && !this.#isAway) void this.#exchangeSoon();
  }

  async #report(): Promise<void> {
    const { store, clock, scheduler } = this.#input;
    this.#reportedAt = scheduler.now();
    const terms = { now: clock.now(), ttlMs: NODE_TTL_MS, isFresh: this.#isFresh };
    const { nodes, isForgotten } = await this.#inTime(store.report(terms));
    this.#nodes = nodes;
    this.#isFresh = false;
    // The slots of this node were removed with it, because it paused or the clock was set.
    if (isForgotten) for (const allowance of this.#holding.values()) this.#pending.add(allowance);
  }

  async #exchangePortions(): Promise<void> {
    const { store, clock } = this.#input;
    const allowances = [...this.#pending].slice(0, MAX_REQUESTS);
    if (allowances.length === 0) return;
    for (const allowance of allowances) {
      this.#pending.delete(allowance);
      this.#holding.set(allowance.id, allowance);
    }
    const requests = allowances.map((allowance) => allowance.request());
    const { portions, nodes } = await this.#inTime(store.exchange(requests, { now: clock.now() }));
    // A node that joined after the last report counts at once: the database may fail before the next report.
    this.#nodes = nodes;
    for (const [at, allowance] of allowances.entries()) {
      const [portion, request] = [portions[at], requests[at]];
      if (portion && request) allowance.receive(portion, request);
    }
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    const late = (): Promise<never> => Promise.reject(new Error('the database did not answer in time'));
    return withTimeout(work, { ms: EXCHANGE_TIMEOUT_MS, scheduler: this.#input.scheduler, late });
  }

  #recover(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#input.log.info('the nodes share the counts of limits again', { nodes: this.#nodes });
  }

  #fail(error: unknown): void {
    this.#pending.clear();
    this.#isFresh = true;
    for (const [id, allowance] of this.#holding) {
      // After the database is back, running calls need their slots again.
      if (allowance.forget()) this.#pending.add(allowance);
      else this.#holding.delete(id);
    }
    if (this.#isAway) return;
    this.#isAway = true;
    this.#input.log.warn('counts of limits are not shared; each node applies its share of the limits', {
      error,
      nodes: this.#nodes,
    });
  }
}

/** Returns the id of a caller at a limit. Nodes with another rule of the same name count apart, during a change. */
function idOf({ name, rule }: NamedLimit, key: string): string {
  const { requests, periodSeconds, burst, concurrent } = rule;
  return `${name} ${[requests, periodSeconds, burst, concurrent].join('/')} ${key}`;
}
