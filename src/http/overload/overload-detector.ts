import type { Scheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import { counter, type Scalar } from '../../core/metric.js';
import type { OverloadSettings } from '../../core/settings.js';
import type { Readings } from './load-samples.js';

/** How many calls may be in flight. */
export interface CallLimit {
  readonly isBeyond: (calls: number) => boolean;
  /** Takes how late calls begin since the last look, in milliseconds. */
  readonly sample: (delayMs: number) => void;
}

/** So many calls are welcome although they wait: a few dozen callers who wait for each answer are no overload. */
const FEW = 64;

/** Times `loopDelayMs` that these may wait: of very heavy calls, fewer are welcome, and so many always. */
const LONG = 10;
const ALWAYS = 16;

/** Looks among which a second late one must be: one long turn is no overload. */
const MEMORY = 5;

/** Of the calls in flight, what is left room for after a late look, and what the room grows by after another. */
const LESS = 0.7;
const MORE = 1.1;

/**
 * Makes a limit that finds out how many calls the machine can carry: fewer than are in flight while the event loop is late, and
 * a few more whenever it is not, up to `calls`.
 */
export function createCallLimit({
  calls: most,
  loopDelayMs,
}: Omit<OverloadSettings, 'memoryPercent'>): CallLimit {
  let limit = most;
  let seen = 0;
  let sinceLate = Infinity;
  return {
    isBeyond(calls) {
      seen = Math.max(seen, calls);
      return calls > limit;
    },
    sample(delayMs) {
      const isLate = delayMs > loopDelayMs;
      const least = delayMs > loopDelayMs * LONG ? ALWAYS : FEW;
      if (!isLate) limit = Math.min(most, limit * MORE);
      else if (sinceLate < MEMORY) limit = Math.min(limit, Math.max(least, Math.min(limit, seen) * LESS));
      sinceLate = isLate ? 1 : sinceLate + 1;
      seen = 0;
    },
  };
}

/** Where calls wait to begin while the event loop is late. */
export interface AdmissionQueue {
  /** Begins a call when those before it have begun, in the next turn at the earliest. */
  readonly hold: (begin: () => void) => void;
  /** The longest time that a call has waited since this was last asked, in milliseconds. */
  readonly longestWaitMs: () => number;
}

/** The event loop, as far as a turnstile knows it. */
export interface Loop {
  /** Milliseconds, of which only differences mean anything. */
  readonly now: () => number;
  /** Runs work in the next turn, in the order in which it was given. */
  readonly soon: (work: () => void) => void;
}

interface Waiting {
  readonly begin: () => void;
  readonly since: number;
}

/** What the calls that begin in one turn may take, in milliseconds. */
const TURN_MS = 5;

/**
 * Makes one. Calls that begin one after the other in one turn hold up everything else: answers of orchestrators, refusals, health.
 * Few in each turn leave room between them: as many as fit, which is found out.
 */
export function createAdmissionQueue({ now, soon }: Loop): AdmissionQueue {
  const line: Waiting[] = [];
  let [isTurning, longestMs] = [false, 0];
  let [atOnce, turnedAt] = [1, 0];
  const beginNext = (): void => {
    const next = line.shift();
    if (!next) return;
    longestMs = Math.max(longestMs, now() - next.since);
    next.begin();
  };
  const fit = (tookMs: number): void => {
    atOnce = tookMs > TURN_MS ? Math.max(1, Math.floor((atOnce * TURN_MS) / tookMs)) : atOnce + 1;
  };
  const turn = (): void => {
    const at = now();
    if (isTurning) fit(at - turnedAt);
    turnedAt = at;
    isTurning = line.length > 0;
    if (!isTurning) return;
    for (let left = Math.min(atOnce, line.length); left > 0; left -= 1) soon(beginNext);
    soon(turn);
  };
  return {
    hold(begin) {
      line.push({ begin, since: now() });
      if (!isTurning) turn();
    },
    longestWaitMs() {
      const first = line[0];
      const found = Math.max(longestMs, first ? now() - first.since : 0);
      longestMs = 0;
      return found;
    },
  };
}

/** What there is too much of: work for the event loop, memory in use, or calls in flight. */
export type OverloadReason = 'loop' | 'memory' | 'calls';

/** Knows when calls are to be turned away, and counts those that were. */
export interface Overload {
  /** Why a call is to be turned away while so many are in flight, itself among them; undefined: it is welcome. */
  readonly strain: (calls: number) => OverloadReason | undefined;
  /** True while calls that are welcome have to be held. */
  readonly isLate: () => boolean;
  /** Has a call wait for its turn. */
  readonly hold: AdmissionQueue['hold'];
  /** Notes a call that was turned away. */
  readonly note: (strain: OverloadReason) => void;
  readonly metric: () => Scalar;
  readonly close: () => void;
}

export interface OverloadOptions {
  readonly limits: OverloadSettings;
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly loop: Loop;
  readonly log: Log;
}

/** Pause between two looks, in milliseconds. */
const SAMPLE_INTERVAL_MS = 100;

/** Part of its limit below which memory is no longer full. */
const RELIEF = 0.9;

/** Part of its limit above which the delay of the loop makes calls wait for their turn. */
const EARLY = 0.5;

/** Looks after which what was not seen again is over: one second. */
const QUIET_LOOKS = 10;

/** Watches the process from now on. An overload is told once in the log when it begins, and once when it is over. */
export function watchOverload({ limits, readings, scheduler, loop, log }: OverloadOptions): Overload {
  const limit = createCallLimit(limits);
  const isMemoryFull = createMemoryGauge(limits.memoryPercent, readings.memoryPercent);
  const turnedAway: Record<OverloadReason, number> = { loop: 0, memory: 0, calls: 0 };
  const episode = createEpisode(log);
  const turnstile = createAdmissionQueue(loop);
  let [isFull, looksInTime] = [false, QUIET_LOOKS];
  const look = (): void => {
    const delayMs = Math.max(readings.delayMs(), turnstile.longestWaitMs());
    limit.sample(delayMs);
    looksInTime = delayMs > limits.loopDelayMs * EARLY ? 0 : looksInTime + 1;
    isFull = isMemoryFull();
    episode.sample();
    stop = scheduler.after(SAMPLE_INTERVAL_MS, look);
  };
  let stop = scheduler.after(SAMPLE_INTERVAL_MS, look);
  return {
    strain(calls) {
      if (isFull) return 'memory';
      if (!limit.isBeyond(calls)) return undefined;
      return calls > limits.calls ? 'calls' : 'loop';
    },
    isLate: () => looksInTime < QUIET_LOOKS,
    hold: turnstile.hold,
    note(strain) {
      turnedAway[strain] += 1;
      episode.note(strain);
    },
    metric: () =>
      counter(
        'gatehouse_overload_refused_total',
        'Calls that were turned away because the server had too much to do.',
        Object.entries(turnedAway).map(([strain, value]) => ({ labels: { strain }, value })),
      ),
    close: () => {
      stop();
    },
  };
}

/** True from the second look in a row that finds too much, since a collection may be due, until one that finds clearly less. */
function createMemoryGauge(limit: number, read: () => number): () => boolean {
  let [wasBeyond, isFull] = [false, false];
  return () => {
    const value = read();
    const isBeyond = value > limit;
    isFull = (isBeyond && wasBeyond) || (isFull && value > limit * RELIEF);
    wasBeyond = isBeyond;
    return isFull;
  };
}

/** From the first call that is turned away until there was none for a while. */
function createEpisode(log: Log): {
  readonly note: (strain: OverloadReason) => void;
  readonly sample: () => void;
} {
  let [refused, quiet] = [0, 0];
  return {
    note(strain) {
      if (refused === 0) log.warn('overloaded: calls are turned away', { strain });
      refused += 1;
      quiet = 0;
    },
    sample() {
      if (refused === 0) return;
      quiet += 1;
      if (quiet <= QUIET_LOOKS) return;
      log.info('the overload is over', { refused });
      refused = 0;
    },
  };
}
