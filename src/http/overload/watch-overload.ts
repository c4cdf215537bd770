import type { Scheduler } from '../../domain/clock.js';
import type { Log } from '../../domain/log.js';
import type { Metric } from '../../domain/metric.js';
import type { OverloadSettings } from '../../domain/settings.js';
import type { Readings } from './readings.js';

/** What there is too much of: work for the event loop, memory in use, or calls in flight. */
export type Strain = 'loop' | 'memory' | 'calls';

/** Knows when calls are to be turned away, and counts those that were. */
export interface Overload {
  /** Why a call is to be turned away while so many are in flight; undefined: it is welcome. */
  readonly strain: (calls: number) => Strain | undefined;
  /** Notes a call that was turned away. */
  readonly note: (strain: Strain) => void;
  readonly metric: () => Metric;
  readonly close: () => void;
}

export interface OverloadOptions {
  readonly limits: OverloadSettings;
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly log: Log;
}

/** Pause between two looks, in milliseconds. */
const LOOK_MS = 100;

/** Looks in a row that find too much before anything is done: a single long turn or collection is none. */
const LOOKS = 2;

/** Part of a limit below which a strain has ended. */
const RELIEF = 0.8;

/** Looks without a call turned away after which an overload is over: one second. */
const QUIET_LOOKS = 10;

/** Watches the process from now on. An overload is told once in the log when it begins, and once when it is over. */
export function watchOverload({ limits, readings, scheduler, log }: OverloadOptions): Overload {
  const isLoopLate = createGauge(limits.loopDelayMs, readings.delayMs);
  const isMemoryFull = createGauge(limits.memoryPercent, readings.memoryPercent);
  const turnedAway: Record<Strain, number> = { loop: 0, memory: 0, calls: 0 };
  const episode = createEpisode(log);
  let lasting: Strain | undefined;
  const look = (): void => {
    const [late, full] = [isLoopLate(), isMemoryFull()];
    if (full) lasting = 'memory';
    else lasting = late ? 'loop' : undefined;
    episode.look();
    stop = scheduler.after(LOOK_MS, look);
  };
  let stop = scheduler.after(LOOK_MS, look);
  return {
    strain: (calls) => lasting ?? (calls > limits.calls ? 'calls' : undefined),
    note(strain) {
      turnedAway[strain] += 1;
      episode.note(strain);
    },
    metric: () => ({
      name: 'gatehouse_overload_refused_total',
      help: 'Calls that were turned away because the server had too much to do.',
      type: 'counter',
      samples: Object.entries(turnedAway).map(([strain, value]) => ({ labels: { strain }, value })),
    }),
    close: () => {
      stop();
    },
  };
}

/** True from the second reading in a row beyond the limit until one well below it. */
function createGauge(limit: number, read: () => number): () => boolean {
  let [beyond, isOver] = [0, false];
  return () => {
    const value = read();
    beyond = value > limit ? beyond + 1 : 0;
    isOver = beyond >= LOOKS || (isOver && value > limit * RELIEF);
    return isOver;
  };
}

/** From the first call that is turned away until there was none for a while. */
function createEpisode(log: Log): { readonly note: (strain: Strain) => void; readonly look: () => void } {
  let [refused, quiet] = [0, 0];
  return {
    note(strain) {
      if (refused === 0) log.warn('overloaded: calls are turned away', { strain });
      refused += 1;
      quiet = 0;
    },
    look() {
      if (refused === 0) return;
      quiet += 1;
      if (quiet <= QUIET_LOOKS) return;
      log.info('the overload is over', { refused });
      refused = 0;
    },
  };
}
