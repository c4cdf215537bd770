import type { Attempt } from './attempt.js';

export type Metric = Scalar | Histogram;

interface Named {
  /** Prometheus name, which ends in the unit; counters end in `_total`. */
  readonly name: string;
  /** Description in one sentence. */
  readonly help: string;
}

/** A metric with one number per set of labels. */
export interface Scalar extends Named {
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly Sample[];
}

/** One value of a metric. Label values come from a small set: never paths, users or secrets. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Distribution of values over buckets. */
export interface Histogram extends Named {
  readonly type: 'histogram';
  /** Upper bound of each bucket except the last, which contains all higher values. */
  readonly bounds: readonly number[];
  readonly samples: readonly Distribution[];
}

export interface Distribution extends Pick<Sample, 'labels'> {
  /** Number of values in each bucket, not cumulative. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** Creates a counter, which only increases. */
export function counter(name: string, help: string, samples: readonly Sample[]): Scalar {
  return { name, help, type: 'counter', samples };
}

/** Creates a gauge, which can increase and decrease. A gauge without samples was not measured. */
export function gauge(name: string, help: string, samples: readonly Sample[]): Scalar {
  return { name, help, type: 'gauge', samples };
}

/** Returns the sample of a metric without labels; none for an absent value. */
export function samplesOf(value: number | undefined): readonly Sample[] {
  return value === undefined ? [] : [{ labels: {}, value }];
}

/** A completed request, for metrics. Contains no body and no query. */
export interface AnsweredRequest {
  /** `<application>.<id>`; empty if no operation was found. */
  readonly operation: string;
  /** The adapterId as the caller wrote it; empty for operations without an adapter. */
  readonly adapter: string;
  /** Status as in the access log: 499 if the caller left. */
  readonly status: number;
  readonly seconds: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly requestId: string;
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** The operation's description of its target, as in the audit record; empty without a description. */
  readonly about: string;
  /** Subject of the token; empty for a call without a token. */
  readonly caller: string;
  /** Issuer of the token; absent for a call without a token. */
  readonly issuer?: string | undefined;
  /** Name of the caller for people; absent: the subject. */
  readonly callerName?: string | undefined;
  /** Code of the Problem; empty for a successful call. */
  readonly code: string;
  readonly clientAddress?: string | undefined;
  /** Roles of the caller in gatehouse; absent for a call without a token. */
  readonly roles?: readonly string[] | undefined;
  readonly traceId?: string | undefined;
  /** Size of the body of the response in bytes; absent for a streamed body. */
  readonly replyBytes?: number | undefined;
  /** Detail of the Problem, without secrets; absent for a successful call. */
  readonly detail?: string | undefined;
  /**
   * Requests that the call sent to other servers, oldest first, without secrets. Absent if there are none, and in a call
   * whose attempts are no longer kept.
   */
  attempts?: readonly Attempt[] | undefined;
}

/** Records a completed request. Called once after the response was sent, or its connection has closed. */
export type MeasureRequest = (answered: AnsweredRequest) => void;

/**
 * Numbers of calls by the bucket of their duration: `12:3 17:1` is three calls in bucket 12, and one in bucket 17. The
 * text takes a tenth of the memory of a map.
 */
export type DurationCounts = string;

export type BucketSums = Float64Array | Uint32Array | number[];

const [COLON, BLANK, ZERO] = [':', ' ', '0'].map((char) => char.charCodeAt(0)) as [number, number, number];

export function addDurations(sums: BucketSums, counts: DurationCounts): void {
  let [bucket, value] = [0, 0];
  for (let at = 0; at <= counts.length; at += 1) {
    const code = at < counts.length ? counts.charCodeAt(at) : BLANK;
    if (code === COLON) {
      bucket = value;
      value = 0;
    } else if (code === BLANK) {
      if (value > 0) sums[bucket] = (sums[bucket] ?? 0) + value;
      value = 0;
    } else value = value * 10 + (code - ZERO);
  }
}
