/** One measurement of the process, as it stands when somebody asks. */
export interface Metric {
  /** Prometheus name, with the unit at its end; counters end in `_total`. */
  readonly name: string;
  /** One sentence. */
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly Sample[];
}

/** One value of a metric. Labels come from a small set: never paths, users or values of secrets. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
