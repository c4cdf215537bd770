import { counter, gauge, type Metric, type Sample } from '../../core/metric.js';
import { RingBuffer } from '../../lib/ring-buffer.js';
import type { ProcessStats } from './process-stats.js';

/**
 * Why a worker was replaced: it ended unexpectedly, it stopped responding, it failed to apply a change, or it was restarted.
 */
export type Replacement = 'died' | 'stuck' | 'behind' | 'restart';

/** The workers that serve, with their statistics, and counts of starts and replacements. Slots are numbered from 0. */
export interface WorkerRegistry {
  /** Counts a start of a process, which succeeded or failed. */
  readonly started: (result: 'success' | 'failure') => void;
  /** Records that a worker in a slot serves from now on. */
  readonly serves: (slot: number) => void;
  /** Records that the worker in a slot no longer serves. */
  readonly leaves: (slot: number, reason: Replacement) => void;
  /** Records the statistics of a worker that serves, every second. */
  readonly recordStats: (slot: number, stats: ProcessStats) => void;
  readonly metrics: () => readonly Metric[];
}

/** The latest statistics of the worker in a slot. */
interface LastReport {
  stats?: ProcessStats;
  /** Delays of the last minute, so that a scrape finds the worst delay since the previous scrape. */
  readonly delays: RingBuffer<number>;
}

const MAX_DELAYS = 60;

/** Creates a registry with this number of slots, all vacant. */
export function createWorkerRegistry(wanted: number): WorkerRegistry {
  const starts = { success: 0, failure: 0 };
  const replacements: Record<Replacement, number> = { died: 0, stuck: 0, behind: 0, restart: 0 };
  const serving = new Map<number, LastReport>();
  return {
    started(result) {
      starts[result] += 1;
    },
    serves(slot) {
      serving.set(slot, { delays: new RingBuffer(MAX_DELAYS) });
    },
    leaves(slot, reason) {
      serving.delete(slot);
      replacements[reason] += 1;
    },
    recordStats(slot, stats) {
      const reported = serving.get(slot);
      if (!reported) return;
      reported.stats = stats;
      reported.delays.add(stats.delaySeconds);
    },
    metrics: () => [
      ...countMetricsOf({ wanted, serving: serving.size, starts, replacements }),
      ...statsMetricsOf(serving),
    ],
  };
}

interface Counts {
  readonly wanted: number;
  readonly serving: number;
  readonly starts: Readonly<Record<string, number>>;
  readonly replacements: Readonly<Record<string, number>>;
}

function countMetricsOf({ wanted, serving, starts, replacements }: Counts): readonly Metric[] {
  return [
    gauge('gatehouse_workers_wanted', 'Configured workers; 0 if a single process serves.', [
      { labels: {}, value: wanted },
    ]),
    gauge('gatehouse_workers_serving', 'Workers that serve.', [{ labels: {}, value: serving }]),
    counter(
      'gatehouse_worker_starts_total',
      'Starts of workers, by result: success, failure.',
      Object.entries(starts).map(([result, value]) => ({ labels: { result }, value })),
    ),
    counter(
      'gatehouse_worker_replacements_total',
      'Replaced workers, by reason: died, stuck (did not answer), behind (missed a change), restart (on request).',
      Object.entries(replacements).map(([reason, value]) => ({ labels: { reason }, value })),
    ),
  ];
}

function statsMetricsOf(serving: ReadonlyMap<number, LastReport>): readonly Metric[] {
  const samplesOf = (pick: (stats: ProcessStats, reported: LastReport) => number): readonly Sample[] =>
    [...serving].flatMap(([slot, reported]) =>
      reported.stats ? [{ labels: { worker: String(slot) }, value: pick(reported.stats, reported) }] : [],
    );
  return [
    gauge(
      'gatehouse_worker_eventloop_delay_seconds',
      'Maximum event loop delay of each worker in the last minute; worker is an index from 0.',
      samplesOf((_stats, { delays }) => Math.max(...delays.all())),
    ),
    gauge(
      'gatehouse_worker_memory_bytes',
      'Memory of each worker (resident set).',
      samplesOf(({ memoryBytes }) => memoryBytes),
    ),
    counter(
      'gatehouse_worker_cpu_seconds_total',
      'Processor time of each worker; starts at 0 when the worker is replaced.',
      samplesOf(({ cpuSeconds }) => cpuSeconds),
    ),
  ];
}
