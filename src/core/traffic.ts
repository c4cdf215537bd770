/** Recent call rates and latencies. */
export interface Rates {
  /** Calls per minute, with one decimal. */
  readonly perMinute: number;
  /** Calls per minute that ended with a status of 500 or above. */
  readonly errorsPerMinute: number;
  /** Median latency in milliseconds; null without a call. */
  readonly p50Ms: number | null;
  /** 95th percentile of the latency in milliseconds; null without a call. */
  readonly p95Ms: number | null;
}

/** Calls within five minutes. */
export interface TrafficCell {
  /** Start of the five minutes, in milliseconds since 1970; a multiple of five minutes. */
  readonly at: number;
  readonly calls: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Recent call rates of one caller. */
export interface CallerRates extends Pick<Rates, 'perMinute' | 'errorsPerMinute'> {
  /** Subject of the token; empty for the sum of all other callers. */
  readonly name: string;
}

/** Length of a {@link TrafficCell}, in seconds. */
export const CELL_SECONDS = 300;
