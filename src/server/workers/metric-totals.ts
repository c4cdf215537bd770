import type { Distribution, Metric, Sample } from '../../core/metric.js';
import type { WorkerProcess } from './worker-process.js';

/** Metrics of all workers, also of those that have ended. */
export interface MetricTotals {
  /** Keeps what a worker reports. */
  readonly note: (worker: WorkerProcess, metrics: readonly Metric[]) => void;
  /** Keeps only the last counters of a worker that has ended. */
  readonly leave: (worker: WorkerProcess) => void;
  readonly sum: () => readonly Metric[];
}

/** Creates totals without workers. No counter becomes less: only what a worker counted after its last report is lost. */
export function createMetricTotals(): MetricTotals {
  const latest = new Map<WorkerProcess, readonly Metric[]>();
  const left = new WeakSet<WorkerProcess>();
  let ended: readonly Metric[] = [];
  return {
    note(worker, metrics) {
      if (!left.has(worker)) latest.set(worker, metrics);
    },
    leave(worker) {
      left.add(worker);
      ended = addMetrics([ended, countersIn(latest.get(worker) ?? [])]);
      latest.delete(worker);
    },
    sum: () => addMetrics([...latest.values(), ended]),
  };
}

/** Gauges of amounts, which add up over processes. */
const ADDED = /(?:_bytes|_entries|_in_flight|_waiting|_connections|_connections_idle|_fds)$|^nodejs_active_/;

/** Gauges of which the lowest value counts: a service runs if it runs for every process. */
const LOWEST = new Set([
  'gatehouse_service_running',
  'gatehouse_limits_shared',
  'process_start_time_seconds',
]);

/**
 * Adds up the metrics of processes. Counters and histograms are added, and gauges of amounts. Of other gauges, such as times and
 * states, the highest value counts, or the lowest if only all processes together are well.
 */
export function addMetrics(all: readonly (readonly Metric[])[]): readonly Metric[] {
  const added = new Map<string, Metric>();
  for (const metric of all.flat()) {
    const before = added.get(metric.name);
    added.set(metric.name, before ? addTwo(before, metric) : metric);
  }
  return [...added.values()];
}

/** Returns only what still counts after a process has ended: its counters and histograms. */
export function countersIn(metrics: readonly Metric[]): readonly Metric[] {
  return metrics.filter(({ type }) => type !== 'gauge');
}

function addTwo(one: Metric, other: Metric): Metric {
  if (one.type === 'histogram')
    return other.type === 'histogram'
      ? { ...one, samples: joined(one.samples, other.samples, addDistributions) }
      : one;
  if (other.type === 'histogram') return one;
  const join = joinerOf(one);
  const samples = joined(one.samples, other.samples, (a, b) => ({ ...a, value: join(a.value, b.value) }));
  return { ...one, samples };
}

function joinerOf({ name, type }: Metric): (a: number, b: number) => number {
  if (type === 'counter' || ADDED.test(name)) return (a, b) => a + b;
  return LOWEST.has(name) ? Math.min : Math.max;
}

function addDistributions(a: Distribution, b: Distribution): Distribution {
  const counts = a.counts.map((count, at) => count + (b.counts[at] ?? 0));
  return { labels: a.labels, counts, sum: a.sum + b.sum };
}

function joined<T extends Pick<Sample, 'labels'>>(
  one: readonly T[],
  other: readonly T[],
  join: (a: T, b: T) => T,
): readonly T[] {
  const byLabels = new Map(one.map((sample) => [keyOf(sample), sample]));
  for (const sample of other) {
    const key = keyOf(sample);
    const before = byLabels.get(key);
    byLabels.set(key, before ? join(before, sample) : sample);
  }
  return [...byLabels.values()];
}

function keyOf({ labels }: Pick<Sample, 'labels'>): string {
  return JSON.stringify(Object.entries(labels));
}
