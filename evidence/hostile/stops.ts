import { setTimeout as pause } from 'node:timers/promises';
import { startHostileUpstream } from '../../test/support/hostile-upstream.js';
import { FAILURES, ODD_REPLIES } from '../../test/upstream/hostile-behaviours.js';
import { openCostlyUpstream } from '../costly-replies.js';
import type { Reply } from '../floods/ask.js';
import {
  longestStop,
  observerOf,
  type Sample,
  startObserver,
  type Stop,
  stopLimitMs,
} from '../floods/observation.js';
import { callUri, warmUp } from '../floods/rest-calls.js';
import { startTarget, type Target } from '../floods/target.js';
import type { Findings } from '../report.js';

interface StopsOptions {
  /** Time limit of a call. */
  readonly totalMs: number;
  /** Selects the behaviors; all by default. */
  readonly among?: (name: string) => boolean;
}

const BASELINE_MS = 4_000;
/** Margin of a period before and after its call, in milliseconds. */
const MARGIN_MS = 100;
/** How often a call is repeated whose reply seems to stop the event loop. */
const REPETITIONS = 2;

/** Period of one call, with the status of its reply. */
interface Period {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly status?: number;
}

/** Statuses of calls that have reached their target: passed on, refused for the reply, or ended by the time limit. */
const REACHED = [200, 502, 504];
const PASSED_ON = [200];

/**
 * L8: measures how long each hostile reply to a restCall stops the event loop of gatehouse as it is shipped:
 * the longest answer to a light request of an independent observer, against the same before the calls.
 */
export async function measureStops({ totalMs, among = () => true }: StopsOptions): Promise<Findings> {
  const target = await startTarget({ isLifted: false, egress: { timeoutMs: totalMs } });
  const observer = startObserver(observerOf(target));
  await warmUp(target);
  const from = Date.now();
  await pause(BASELINE_MS);
  const baseline = { name: 'baseline', from, to: Date.now() };
  const mostMs = stopLimitMs(stopIn(await observer.look(), baseline));
  const measure: Measure = async (name, call) => {
    let period = await callDuring(name, call);
    // A stop by the reply recurs; one by other work of the process or the machine does not.
    for (let again = 0; again < REPETITIONS; again += 1) {
      if (stopIn(await observer.look(), period).ownMs <= mostMs) break;
      period = await callDuring(name, call);
    }
    return period;
  };
  const calls = { target, among, measure };
  const hostile = await callHostile(calls);
  const costly = await callCostly(calls);
  const samples = await observer.stop();
  await target.stop();
  const { holds, figures } = judgeStops(samples, baseline, [...hostile, ...costly]);
  const wrong = [...wrongOf(hostile, REACHED), ...wrongOf(costly, PASSED_ON)];
  return { holds: holds && hostile.length > 0 && wrong.length === 0, figures: { ...figures, wrong } };
}

/** Returns the calls whose replies have another status. */
function wrongOf(periods: readonly Period[], statuses: readonly number[]): readonly string[] {
  return periods
    .filter(({ status = 0 }) => !statuses.includes(status))
    .map(({ name, status }) => `${name}: ${status}`);
}

/** Makes a call, and returns its period. */
type Measure = (name: string, call: () => Promise<Reply>) => Promise<Period>;

interface Calls {
  readonly target: Target;
  readonly among: (name: string) => boolean;
  readonly measure: Measure;
}

async function callHostile({ target, among, measure }: Calls): Promise<readonly Period[]> {
  const periods: Period[] = [];
  for (const [name, script] of [...FAILURES, ...ODD_REPLIES]) {
    if (!among(name)) continue;
    const upstream = await startHostileUpstream([script]);
    periods.push(await measure(name, () => callUri(target, `${upstream.origin}/`)));
    await upstream.close();
  }
  return periods;
}

async function callCostly({ target, among, measure }: Calls): Promise<readonly Period[]> {
  const periods: Period[] = [];
  const { urls, close } = await openCostlyUpstream();
  for (const [kind, url] of Object.entries(urls)) {
    const name = `sends 10 MiB of ${kind} as gzip`;
    if (among(name)) periods.push(await measure(name, () => callUri(target, url)));
  }
  close();
  return periods;
}

async function callDuring(name: string, call: () => Promise<Reply>): Promise<Period> {
  const from = Date.now();
  await pause(MARGIN_MS);
  const { status } = await call();
  await pause(MARGIN_MS);
  return { name, from, to: Date.now(), status };
}

/** Compares the longest stop in each period with the limit, which follows from the baseline of the same run. */
export function judgeStops(
  samples: readonly Sample[],
  baseline: Period,
  periods: readonly Period[],
): Findings {
  const alone = stopIn(samples, baseline);
  const mostMs = stopLimitMs(alone);
  const stops = periods.map((period) => ({ name: period.name, ...stopIn(samples, period) }));
  const longest = stops.reduce((most, stop) => (stop.ownMs > most.ownMs ? stop : most), {
    name: '',
    ownMs: 0,
    wallMs: 0,
  });
  const over = stops.filter(({ ownMs }) => ownMs > mostMs);
  return {
    holds: over.length === 0,
    figures: {
      vectors: stops.length,
      longestMs: longest.ownMs,
      longestOnTheClockMs: longest.wallMs,
      longest: longest.name,
      mostMs,
      baselineMs: alone.ownMs,
      over: Object.fromEntries(over.map(({ name, ownMs }) => [name, ownMs])),
    },
  };
}

function stopIn(samples: readonly Sample[], { from, to }: Period): Stop {
  return longestStop(samples.filter(({ at }) => at >= from && at < to));
}
