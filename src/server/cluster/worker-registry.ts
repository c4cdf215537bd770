import { counter, gauge, type Metric, type Sample } from '../../core/metric.js';
import { RingBuffer } from '../../core/lib/ring-buffer.js';
import type { ProcessStats } from './process-stats.js';

/** Why another worker took the place of one: it ended unasked, answered no more, did not follow a change, or was told to retire. */
export type Replacement = 'died' | 'stuck' | 'behind' | 'restart';

/** Which workers serve, how they fare, and what became of those before them. Places are numbered from 0. */
export interface WorkerRegistry {
  /** A process was started: it can serve, or could not begin. */
  readonly started: (result: 'success' | 'failure') => void;
  /** A worker serves at a place from now on. */
  readonly serves: (place: number) => void;
  /** The worker at a place serves no more. */
  readonly leaves: (place: number, why: Replacement) => void;
  /** Told of each worker that serves, once a second. */
  readonly note: (place: number, vitals: ProcessStats) => void;
  readonly metrics: () => readonly Metric[];
}

/** What the worker at a place has told. */
interface LastReport {
  vitals?: ProcessStats;
  /** Of the last minute: a scrape is to find what was between it and the one before. */
  readonly delays: RingBuffer<number>;
}

const DELAYS = 60;

/** Makes the roster of so many places, all of them vacant. */
export function createWorkerRegistry(wanted: number): WorkerRegistry {
  const starts = { success: 0, failure: 0 };
  const replacements: Record<Replacement, number> = { died: 0, stuck: 0, behind: 0, restart: 0 };
  const serving = new Map<number, LastReport>();
  return {
    started(result) {
      starts[result] += 1;
    },
    serves(place) {
      serving.set(place, { delays: new RingBuffer(DELAYS) });
    },
    leaves(place, why) {
      serving.delete(place);
      replacements[why] += 1;
    },
    note(place, vitals) {
      const reported = serving.get(place);
      if (!reported) return;
      reported.vitals = vitals;
      reported.delays.add(vitals.delaySeconds);
    },
    metrics: () => [
      ...countsOf({ wanted, serving: serving.size, starts, replacements }),
      ...vitalsOf(serving),
    ],
  };
}

interface Counts {
  readonly wanted: number;
  readonly serving: number;
  readonly starts: Readonly<Record<string, number>>;
  readonly replacements: Readonly<Record<string, number>>;
}

function countsOf({ wanted, serving, starts, replacements }: Counts): readonly Metric[] {
  return [
    gauge('gatehouse_workers_wanted', 'Call workers that there are to be; 0: one process serves alone.', [
      { labels: {}, value: wanted },
    ]),
    gauge('gatehouse_workers_serving', 'Call workers that serve.', [{ labels: {}, value: serving }]),
    counter(
      'gatehouse_worker_starts_total',
      'Processes of call workers that were started, by whether they could begin.',
      Object.entries(starts).map(([result, value]) => ({ labels: { result }, value })),
    ),
    counter(
      'gatehouse_worker_replacements_total',
      'Call workers whose place another one took, by why.',
      Object.entries(replacements).map(([reason, value]) => ({ labels: { reason }, value })),
    ),
  ];
}

function vitalsOf(serving: ReadonlyMap<number, LastReport>): readonly Metric[] {
  const each = (pick: (vitals: ProcessStats, reported: LastReport) => number): readonly Sample[] =>
    [...serving].flatMap(([place, reported]) =>
      reported.vitals ? [{ labels: { worker: String(place) }, value: pick(reported.vitals, reported) }] : [],
    );
  return [
    gauge(
      'gatehouse_worker_eventloop_delay_seconds',
      'How late the event loop of each call worker was at worst in the last minute.',
      each((_vitals, { delays }) => Math.max(...delays.all())),
    ),
    gauge(
      'gatehouse_worker_memory_bytes',
      'Memory of each call worker (resident set).',
      each(({ memoryBytes }) => memoryBytes),
    ),
    counter(
      'gatehouse_worker_cpu_seconds_total',
      'Processor time of each call worker; begins anew with each that takes its place.',
      each(({ cpuSeconds }) => cpuSeconds),
    ),
  ];
}
