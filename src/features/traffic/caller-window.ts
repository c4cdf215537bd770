import type { Clock } from '../../lib/clock.js';
import { SlidingCounts } from './sliding-counts.js';
import type { CallerRates } from './traffic-view.js';
import { callRates, minutesSince } from './traffic-window.js';
import { addCallers, type CallerCounts, NO_CALLS } from './traffic.js';

/** Call rates by caller for the last five minutes. */
export interface CallerWindow {
  /** Counts a call of a caller, by its identity. `name` is the latest name for people. */
  readonly note: (caller: string, status: number, name?: string) => void;
  /** Returns at most `most` callers, busiest first, plus one unnamed entry for all other callers. */
  readonly rates: (most: number) => readonly CallerRates[];
  /** Returns the counts of this process; those that are counted together have an empty identity. */
  readonly sums: () => readonly CallerSums[];
}

/** Counts of one caller in the last five minutes, with its identity and its name for people. */
export interface CallerSums extends CallerCounts {
  readonly caller: string;
  readonly name: string;
}

/** A caller, and its calls. */
interface CountedCaller {
  name: string;
  readonly counts: SlidingCounts;
}

/** Maximum number of callers that are counted separately. */
const MAX_CALLERS = 1_000;
const [CALLS, ERRORS, CLIENT_ERRORS] = [0, 1, 2];
const COLUMNS = 3;

/**
 * Creates a window that starts now. Idle callers are replaced by new ones; beyond the limit, callers are
 * counted together. The rates include `others`, the counts of the other processes of the server.
 */
export function createCallerWindow(
  clock: Clock,
  others: () => readonly CallerSums[] = () => [],
): CallerWindow {
  const openedAt = clock.now();
  const callers = new Map<string, CountedCaller>();
  const overflow: CountedCaller = { name: '', counts: new SlidingCounts(COLUMNS) };

  function add(caller: string): CountedCaller {
    if (callers.size >= MAX_CALLERS) removeIdle();
    if (callers.size >= MAX_CALLERS) return overflow;
    const added = { name: caller, counts: new SlidingCounts(COLUMNS) };
    callers.set(caller, added);
    return added;
  }

  /**
   * Time of the latest search for idle callers. A search for each caller beyond the limit would be too
   * expensive.
   */
  let searchedAt = -Infinity;
  function removeIdle(): void {
    const now = clock.now();
    if (Math.abs(now - searchedAt) < 30_000) return;
    searchedAt = now;
    for (const [caller, { counts }] of callers) if (sumsOf(counts, now).calls === 0) callers.delete(caller);
  }

  return {
    note(caller, status, name = caller) {
      const now = clock.now();
      const counted = callers.get(caller) ?? add(caller);
      if (counted !== overflow) counted.name = name;
      counted.counts.count(now, CALLS);
      if (status >= 400) counted.counts.count(now, status >= 500 ? ERRORS : CLIENT_ERRORS);
    },
    rates: (most) =>
      ratesOf([...sums(), ...others()], { most, minutes: minutesSince(openedAt, clock.now()) }),
    sums,
  };

  function sums(): readonly CallerSums[] {
    const now = clock.now();
    const named = [...callers].map(([caller, { name, counts }]) => ({
      caller,
      name,
      ...sumsOf(counts, now),
    }));
    const together = { caller: '', name: '', ...sumsOf(overflow.counts, now) };
    return [...named, together].filter(({ calls }) => calls > 0);
  }
}

/** Returns the rates of the busiest callers, and of all others together. */
function ratesOf(
  all: readonly CallerSums[],
  { most, minutes }: { readonly most: number; readonly minutes: number },
): readonly CallerRates[] {
  const byCaller = new Map<string, CallerSums>();
  for (const one of all) {
    const known = byCaller.get(one.caller);
    byCaller.set(one.caller, known ? { ...one, ...addCallers(known, one) } : one);
  }
  const unnamed = byCaller.get('') ?? NO_CALLS;
  byCaller.delete('');
  const busiest = [...byCaller.values()].sort((one, other) => other.calls - one.calls);
  const rest = [...busiest.slice(most), unnamed].reduce(addCallers, NO_CALLS);
  const shown = [...busiest.slice(0, most), ...(rest.calls > 0 ? [{ ...rest, name: '' }] : [])];
  return shown.map(({ name, calls, errors, clientErrors }) => ({
    name,
    ...callRates({ calls, errors, clientErrors }, minutes),
  }));
}

function sumsOf(counts: SlidingCounts, now: number): CallerCounts {
  const sums = new Float64Array(COLUMNS);
  counts.addTo(sums, now);
  return {
    calls: sums[CALLS] ?? 0,
    errors: sums[ERRORS] ?? 0,
    clientErrors: sums[CLIENT_ERRORS] ?? 0,
  };
}
