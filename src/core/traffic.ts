/** How often something was called lately, and how it answered. */
export interface Rates {
  /** Calls, with one decimal. */
  readonly perMinute: number;
  /** Those that ended with a status of 500 or above. */
  readonly errorsPerMinute: number;
  /** Milliseconds within which half of them were answered; null without a call. */
  readonly p50Ms: number | null;
  /** The same for 95 of 100. */
  readonly p95Ms: number | null;
}

/** The calls of five minutes. */
export interface TrafficCell {
  /** When they began, in milliseconds since 1970; a whole multiple of five minutes. */
  readonly at: number;
  readonly calls: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** How often somebody called lately. */
export interface CallerRates extends Pick<Rates, 'perMinute' | 'errorsPerMinute'> {
  /** Subject of the token; empty for all others together. */
  readonly name: string;
}

/** Length of a {@link TrafficCell}. */
export const CELL_SECONDS = 300;
