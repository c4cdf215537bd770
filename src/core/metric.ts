/** One current measurement of the process. */
export type Metric = Scalar | Histogram;

interface Named {
  /** Prometheus name, which ends in the unit; counters end in `_total`. */
  readonly name: string;
  /** One sentence. */
  readonly help: string;
}

/** One number for each set of labels. */
export interface Scalar extends Named {
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly Sample[];
}

/** One value of a metric. Labels come from a small set: never paths, users or values of secrets. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Distribution of values over buckets. */
export interface Histogram extends Named {
  readonly type: 'histogram';
  /** Upper bound of each bucket except the last, which takes all other values. */
  readonly bounds: readonly number[];
  readonly samples: readonly Distribution[];
}

/** The values of one set of labels. */
export interface Distribution extends Pick<Sample, 'labels'> {
  /** Number of values in each bucket, not cumulative. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** Creates a counter, which only increases. */
export function counter(name: string, help: string, samples: readonly Sample[]): Scalar {
  return { name, help, type: 'counter', samples };
}

/** Creates a gauge, which can rise and fall; without samples it was not measured. */
export function gauge(name: string, help: string, samples: readonly Sample[]): Scalar {
  return { name, help, type: 'gauge', samples };
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
  /** Subject of the token; empty without one. */
  readonly caller: string;
  /** Code of the Problem; empty for a success. */
  readonly code: string;
}

/** Called once for every request when its answer is sent, and for every stream when it has ended. */
export type MeasureRequest = (answered: AnsweredRequest) => void;
