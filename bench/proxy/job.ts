import type { Expected } from './endpoint.js';

/** A request and the index of its expected reply. */
export interface Shot {
  readonly request: string;
  readonly expected: number;
}

/** One run of the load generator; the job is sent to another process. */
export interface Job {
  readonly port: number;
  /** Process whose CPU time is measured. */
  readonly pid: number;
  readonly connections: number;
  /** Requests that are sent in turn. */
  readonly shots: readonly Shot[];
  readonly expected: readonly Expected[];
  /** Request that is sent occasionally among the others; its token lacks the role. */
  readonly unknownCaller?: string;
  readonly warmMs: number;
  /** Replies before the measurement of a closed loop begins; time limits the wait for them. */
  readonly warmReplies?: number;
  readonly measureMs: number;
  /**
   * Requests per second at times fixed in advance; absent: each connection sends the next request right after
   * a reply.
   */
  readonly rate?: number;
}

/** Results of a run, without the warm-up. */
export interface Outcome {
  readonly replies: number;
  readonly seconds: number;
  /** CPU time of the contender. */
  readonly cpuMs: number;
  readonly residentMb: number;
  /** Fraction of the machine's CPU time that other programs used during the run. */
  readonly others: number;
  /** Replies of another status than 200. */
  readonly not200: number;
  /** Replies with an unexpected status, and missing replies. */
  readonly wrong: number;
  /** Replies that were compared byte for byte, and those that differed. */
  readonly compared: number;
  readonly different: number;
  /** Requests whose token lacks the role, and those of them that were refused. */
  readonly strangers: { readonly asked: number; readonly refused: number };
  /** True if the warm-up ended before its number of replies. */
  readonly isCold?: boolean;
  /** Milliseconds from the due time, for a run with a rate. */
  readonly latency?: Quantiles;
}

export interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
}
