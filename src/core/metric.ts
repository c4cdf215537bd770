/** One measurement of the process, as it stands when somebody asks. */
export type Metric = Scalar | Histogram;

interface Named {
  /** Prometheus name, with the unit at its end; counters end in `_total`. */
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

/** How often values fell into each of some buckets. */
export interface Histogram extends Named {
  readonly type: 'histogram';
  /** Greatest value of each bucket but the last, which takes the rest. */
  readonly bounds: readonly number[];
  readonly samples: readonly Distribution[];
}

/** The values of one set of labels. */
export interface Distribution extends Pick<Sample, 'labels'> {
  /** How many fell into each bucket alone. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** A number that only grows. */
export function counter(name: string, help: string, samples: readonly Sample[]): Scalar {
  return { name, help, type: 'counter', samples };
}

/** A number that comes and goes; without samples it was not measured. */
export function gauge(name: string, help: string, samples: readonly Sample[]): Scalar {
  return { name, help, type: 'gauge', samples };
}

/** One request that has been answered, to be counted. Nothing of its body, and no query, is in it. */
export interface AnsweredRequest {
  /** `<application>.<id>`; empty when no operation was found. */
  readonly operation: string;
  /** The adapterId that the caller wrote; empty for operations that go through none. */
  readonly adapter: string;
  /** As in the access log: 499 for a caller who left. */
  readonly status: number;
  readonly seconds: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly requestId: string;
  readonly method: string;
  /** Of the request, without its query. */
  readonly path: string;
  /** What its operation says that it is about, as for its audit record; empty where it says nothing. */
  readonly about: string;
  /** Subject of the token; empty without one. */
  readonly caller: string;
  /** Code of the Problem; empty for a success. */
  readonly code: string;
}

/** Told of every request, once, when its answer goes out; of streams, when they have ended. */
export type MeasureRequest = (answered: AnsweredRequest) => void;
