import { setTimeout as pause } from 'node:timers/promises';
import type { Findings } from '../report.js';
import type { Flood, Outcome, Run } from './flood.js';
import {
  type Availability,
  availabilityOf,
  longestStop,
  missingService,
  noiseOf,
  observerOf,
  recoveryMs,
  type Sample,
  startObserver,
  type Stop,
  stopLimitMs,
  untrueReadinessMs,
} from './observation.js';
import { MEMORY_MB, startTarget } from './target.js';

const WARM_MS = 2_000;
const BASELINE_MS = 4_000;
const WATCH_MS = 8_000;
/** Part of the requests of others that must succeed during a flood. */
const LEAST: Availability = { health: 1, calls: 0.95, logins: 0.9 };
/** Time after which every request of others must succeed again, and readiness must say so if it does not. */
const MOST_RECOVERY_MS = 5_000;
const MOST_MEMORY = 0.9;

export interface MeasureOptions {
  /** Part of the count and the time of the flood. */
  readonly part: number;
  /** True lifts the limits of the configuration. */
  readonly isLifted: boolean;
}

/** Sends one flood to a separate process, and measures the service for other callers. */
export async function measureFlood(flood: Flood, { part, isLifted }: MeasureOptions): Promise<Findings> {
  const target = await startTarget({ ...(await flood.prepare?.()), isLifted });
  const observer = startObserver(observerOf(target));
  const ms = (whole: number): number => Math.max(1_000, whole * part);
  await flood.warmUp?.(target);
  await pause(ms(WARM_MS));
  if (flood.judgesStops) await target.longestTurnMs();
  const warmAt = Date.now();
  await pause(ms(BASELINE_MS));
  const turn = async (stop: Stop): Promise<Stop> =>
    flood.judgesStops ? { ...stop, ownMs: await target.longestTurnMs() } : stop;
  const baseline = await turn(longestStop(between(await observer.look(), warmAt)));
  const floodAt = Date.now();
  const run: Run = await flood.run(target, { part, noise: noiseOf(baseline.wallMs) }).catch(brokenOff);
  const endAt = Date.now();
  const stop = await turn(longestStop(between(await observer.look(), floodAt, endAt)));
  await pause(ms(flood.watchMs ?? WATCH_MS));
  const later = (await run.later?.().catch(brokenOff)) ?? { figures: {}, wrong: [] };
  const isAlive = target.isAlive();
  const samples = await observer.stop();
  const [memory, openFiles, { limitedBy }] = [target.memory(), target.openFiles(), target];
  const exit = await target.stop();
  const seen = judgeSamples(flood, { samples, baseline, stop, floodAt, endAt });
  const wrong = [
    ...(isAlive ? [] : ['the process ended during the flood']),
    ...(exit === '0' ? [] : [`the process ended with ${exit}`]),
    ...(memory.peakMb > MEMORY_MB * MOST_MEMORY ? [`memory rose to ${memory.peakMb} MB`] : []),
    ...[seen, run, later].flatMap((outcome) => outcome.wrong),
  ];
  const holds = wrong.length === 0;
  return {
    holds,
    figures: {
      ...{ finding: flood.finding, holds, wrong },
      ...seen.figures,
      memory: { limitMb: MEMORY_MB, limitedBy, ...memory },
      ...{ openFiles, exit },
      ...run.figures,
      ...later.figures,
    },
  };
}

/** Returns the outcome of a flood that ended with an error, for example because the server had ended. */
function brokenOff(error: unknown): Outcome {
  return { figures: {}, wrong: [`the flood ended with ${String(error)}`] };
}

interface Watched {
  readonly samples: readonly Sample[];
  /** Longest stop before the flood, and during it: of a flood of single requests, the longest turn of the event loop. */
  readonly baseline: Stop;
  readonly stop: Stop;
  readonly floodAt: number;
  readonly endAt: number;
}

/** Judges the service for other callers during and after the flood. */
function judgeSamples(flood: Flood, { samples, baseline, stop, floodAt, endAt }: Watched): Outcome {
  const during = between(samples, floodAt, endAt);
  const available = { during: availabilityOf(during), after: availabilityOf(between(samples, endAt)) };
  const mostMs = stopLimitMs(baseline);
  const recoveredMs = recoveryMs(samples, endAt);
  const untrueMs = untrueReadinessMs(between(samples, floodAt));
  const missing = missingService(during, LEAST);
  return {
    figures: {
      available,
      recoveredMs,
      untrueReadinessMs: untrueMs,
      stop: { ...stop, mostMs, baseline },
    },
    wrong: [
      ...missing.map((name) => `${name} during the flood: ${percent(available.during[name])}`),
      ...(recoveredMs > MOST_RECOVERY_MS ? [`others failed for ${recoveredMs} ms after the flood`] : []),
      ...(untrueMs > MOST_RECOVERY_MS ? [`/readyz said 200 for ${untrueMs} ms while no call succeeded`] : []),
      ...(flood.judgesStops && stop.ownMs > mostMs ? [`the event loop stopped for ${stop.ownMs} ms`] : []),
    ],
  };
}

function between(samples: readonly Sample[], from: number, to = Infinity): readonly Sample[] {
  return samples.filter(({ at }) => at >= from && at < to);
}

function percent(part: number): string {
  return `${Math.round(part * 1_000) / 10} %`;
}
