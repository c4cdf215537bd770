import type { Expected } from './endpoint.js';

/** A request and which of the expected replies belongs to it. */
export interface Shot {
  readonly request: string;
  readonly expected: number;
}

/** One run of the load generator; the job is sent to another process. */
export interface Job {
  readonly port: number;
  /** Whose CPU time is read. */
  readonly pid: number;
  readonly connections: number;
  /** Taken in turn. */
  readonly shots: readonly Shot[];
  readonly expected: readonly Expected[];
  /** Sent now and then beside the others: its token has not the role. */
  readonly unknownCaller?: string;
  readonly warmMs: number;
  readonly measureMs: number;
  /** Requests a second at times fixed in advance; absent: each connection asks again as soon as it is answered. */
  readonly rate?: number;
}

/** Results of a run, without the warm-up. */
export interface Outcome {
  readonly replies: number;
  readonly seconds: number;
  /** CPU time of the contender. */
  readonly cpuMs: number;
  readonly residentMb: number;
  /** Part of the machine that worked on something else meanwhile. */
  readonly others: number;
  /** Replies of another status than 200. */
  readonly not200: number;
  /** Replies of another status than they should have had, or none at all. */
  readonly wrong: number;
  /** Replies that were compared byte for byte, and those that were not the same. */
  readonly compared: number;
  readonly different: number;
  /** Requests whose token has not the role, and those of them that were refused. */
  readonly strangers: { readonly asked: number; readonly refused: number };
  /** Milliseconds from the due time, for a run with a rate. */
  readonly latency?: Quantiles;
}

export interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
}
