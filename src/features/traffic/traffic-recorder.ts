import type { Clock } from '../../lib/clock.js';
import { BUCKETS, bucketOf } from '../../telemetry/metrics/latency-buckets.js';
import {
  ALL_ADAPTERS,
  cellStart,
  type CallerCounts,
  NO_CALLS,
  type TrafficCounts,
  durationCounts,
} from './traffic.js';

/** A call through an adapter that was answered. */
interface RecordedCall {
  readonly adapter: string;
  readonly status: number;
  /** Duration in milliseconds; negative for a call whose duration says nothing, for example a WebSocket. */
  readonly ms: number;
  /** Name of the caller for people. */
  readonly caller: string;
}

/** State of the upstream of an adapter. */
export interface UpstreamSample {
  readonly adapter: string;
  readonly inFlight: number;
  readonly waiting: number;
  readonly breaker: 'closed' | 'open' | 'half-open' | null;
}

/** Numbers of one minute by adapter, and of all adapters under {@link ALL_ADAPTERS}. */
export interface RecordedMinute {
  /** Start of the minute, in milliseconds since 1970. */
  readonly at: number;
  readonly counts: ReadonlyMap<string, TrafficCounts>;
}

/** Recorder of the numbers of calls of this process, minute by minute, until they are stored. */
export interface TrafficRecorder {
  readonly note: (call: RecordedCall) => void;
  /** Records the current states; they count for `ms` milliseconds. */
  readonly sample: (samples: Iterable<UpstreamSample>, ms: number) => void;
  /** Removes and returns the minutes that are over; with `isLast`, the current minute too. */
  readonly take: (isLast?: boolean) => readonly RecordedMinute[];
  /** Returns the minutes that were not taken yet, oldest first. */
  readonly minutes: () => readonly RecordedMinute[];
}

/** Length of a minute, in seconds. */
const MINUTE_SECONDS = 60;
/** Maximum number of adapters with numbers of their own in a minute; the calls of others count in total only. */
export const MAX_RECORDED_ADAPTERS = 2_500;
/** Maximum number of callers with numbers of their own, per adapter and minute. */
const MAX_RECORDED_CALLERS = 50;
/** Maximum number of minutes that wait. The store takes them every minute. */
const MAX_WAITING_MINUTES = 5;
/** Maximum length of the name of a caller. */
const MAX_NAME_LENGTH = 128;

/** Creates a recorder without calls. */
export function createTrafficRecorder(clock: Clock): TrafficRecorder {
  let current: Minute | undefined;
  let ended: readonly RecordedMinute[] = [];

  /** Returns the numbers of the current minute. A clock that was set back begins another minute. */
  function minute(): Minute {
    const at = cellStart(clock.now(), MINUTE_SECONDS);
    if (current?.at === at) return current;
    endCurrent();
    current = new Minute(at);
    return current;
  }

  function endCurrent(): void {
    if (current && !current.isEmpty()) ended = [...ended, current.counts()].slice(-MAX_WAITING_MINUTES);
    current = undefined;
  }

  return {
    note(call) {
      minute().note(call);
    },
    sample(samples, ms) {
      minute().sample(samples, ms);
    },
    take(isLast = false) {
      if (isLast || current?.at !== cellStart(clock.now(), MINUTE_SECONDS)) endCurrent();
      const taken = ended;
      ended = [];
      return taken;
    },
    minutes: () => (current && !current.isEmpty() ? [...ended, current.counts()] : ended),
  };
}

class Minute {
  readonly at: number;
  readonly #total = new Counts();
  readonly #adapters = new Map<string, Counts>();

  constructor(at: number) {
    this.at = at;
  }

  isEmpty(): boolean {
    return !this.#total.isWorthStoring() && this.#adapters.size === 0;
  }

  note(call: RecordedCall): void {
    this.#total.note(call);
    this.#countsOf(call.adapter)?.note(call);
  }

  sample(samples: Iterable<UpstreamSample>, ms: number): void {
    let [inFlight, waiting] = [0, 0];
    for (const sample of samples) {
      inFlight += sample.inFlight;
      waiting += sample.waiting;
      // An idle adapter gets no row.
      if (
        sample.inFlight > 0 ||
        sample.waiting > 0 ||
        sample.breaker === 'open' ||
        this.#adapters.has(sample.adapter)
      )
        this.#countsOf(sample.adapter)?.sample(sample, ms);
    }
    this.#total.sample({ inFlight, waiting, breaker: null }, ms);
  }

  counts(): RecordedMinute {
    const counts = new Map<string, TrafficCounts>();
    if (this.#total.isWorthStoring()) counts.set(ALL_ADAPTERS, this.#total.counts());
    for (const [name, one] of this.#adapters) if (one.isWorthStoring()) counts.set(name, one.counts());
    return { at: this.at, counts };
  }

  #countsOf(adapter: string): Counts | undefined {
    const found = this.#adapters.get(adapter);
    if (found || this.#adapters.size >= MAX_RECORDED_ADAPTERS) return found;
    const counts = new Counts();
    this.#adapters.set(adapter, counts);
    return counts;
  }
}

/** Numbers of a caller that are being counted. */
type MutableCounts = { -readonly [Name in keyof CallerCounts]: CallerCounts[Name] };

/** Numbers that are being counted. */
class Counts {
  #calls = 0;
  #errors = 0;
  #clientErrors = 0;
  #maxInFlight = 0;
  #maxWaiting = 0;
  #openMs = 0;
  #halfOpenMs = 0;
  readonly #durations = new Uint32Array(BUCKETS);
  readonly #callers = new Map<string, MutableCounts>();

  note({ status, ms, caller }: RecordedCall): void {
    const isError = status >= 500;
    this.#calls += 1;
    const isClientError = status >= 400 && !isError;
    if (isError) this.#errors += 1;
    if (isClientError) this.#clientErrors += 1;
    if (ms >= 0) {
      const bucket = bucketOf(ms);
      this.#durations[bucket] = (this.#durations[bucket] ?? 0) + 1;
    }
    const counts = this.#callerOf(caller);
    counts.calls += 1;
    if (isError) counts.errors += 1;
    if (isClientError) counts.clientErrors += 1;
  }

  sample({ inFlight, waiting, breaker }: Omit<UpstreamSample, 'adapter'>, ms: number): void {
    this.#maxInFlight = Math.max(this.#maxInFlight, inFlight);
    this.#maxWaiting = Math.max(this.#maxWaiting, waiting);
    if (breaker === 'open') this.#openMs += ms;
    if (breaker === 'half-open') this.#halfOpenMs += ms;
  }

  isWorthStoring(): boolean {
    return this.#calls > 0 || this.#openMs > 0 || this.#maxInFlight > 0 || this.#maxWaiting > 0;
  }

  counts(): TrafficCounts {
    return {
      calls: this.#calls,
      errors: this.#errors,
      clientErrors: this.#clientErrors,
      durations: durationCounts(this.#durations),
      maxInFlight: this.#maxInFlight,
      maxWaiting: this.#maxWaiting,
      openSeconds: Math.min(Math.round(this.#openMs / 1_000), MINUTE_SECONDS),
      halfOpenSeconds: Math.min(Math.round(this.#halfOpenMs / 1_000), MINUTE_SECONDS),
      callers: new Map<string, CallerCounts>(
        [...this.#callers].map(([name, counts]) => [name, { ...counts }]),
      ),
    };
  }

  #callerOf(caller: string): MutableCounts {
    const found = this.#callers.get(caller);
    if (found) return found;
    // The empty name sums up the callers beyond the limit.
    const name = this.#callers.size < MAX_RECORDED_CALLERS ? caller.slice(0, MAX_NAME_LENGTH) : '';
    const counts = this.#callers.get(name) ?? { ...NO_CALLS };
    this.#callers.set(name, counts);
    return counts;
  }
}
