import { readdirSync, readFileSync } from 'node:fs';
import {
  constants,
  type IntervalHistogram,
  monitorEventLoopDelay,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { counter, type Distribution, gauge, type Metric, type Sample, samplesOf } from '../../core/metric.js';

/** Bucket bounds of garbage collections, in seconds. */
const GC_BUCKETS = [0.001, 0.01, 0.1, 1, 2, 5];

const GC_KINDS = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

let observers: ReturnType<typeof startObservers> | undefined;

/**
 * Returns metrics of memory, processor time, open files, garbage collection and event loop delay, with the
 * names common to Prometheus clients for Node.js. The first call starts to observe the process.
 */
export async function processMetrics(): Promise<readonly Metric[]> {
  const { delays, collections } = (observers ??= startObservers());
  const start = performance.now();
  await setImmediate();
  const lag = (performance.now() - start) / 1000;
  return [
    ...processorMetrics(),
    ...systemMetrics(),
    scalar('nodejs_eventloop_lag_seconds', 'Lag of event loop in seconds.', lag),
    ...delayMetrics(delays),
    ...activityMetrics(),
    ...heapMetrics(),
    versionMetric,
    {
      name: 'nodejs_gc_duration_seconds',
      help: 'Garbage collection duration by kind, one of major, minor, incremental or weakcb.',
      type: 'histogram',
      bounds: GC_BUCKETS,
      samples: [...collections.values()],
    },
  ];
}

type Collection = PerformanceEntry & { readonly detail: NodeGCPerformanceDetail };

function startObservers() {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  const collections = new Map<string, Distribution & { counts: number[]; sum: number }>();
  new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as Collection[]) {
      const kind = GC_KINDS.get(detail.kind) ?? '';
      const counts = [...GC_BUCKETS, Infinity].map(() => 0);
      const series = collections.get(kind) ?? { labels: { kind }, counts, sum: 0 };
      collections.set(kind, series);
      const at = GC_BUCKETS.filter((bound) => bound < duration / 1000).length;
      series.counts[at] = (series.counts[at] ?? 0) + 1;
      series.sum += duration / 1000;
    }
  }).observe({ entryTypes: ['gc'] });
  return { delays, collections };
}

function scalar(name: string, help: string, value: number | undefined): Metric {
  return gauge(name, help, samplesOf(value));
}

function processorMetrics(): readonly Metric[] {
  const { user, system } = process.cpuUsage();
  const seconds = (name: string, kind: string, microseconds: number): Metric =>
    counter(name, `Total ${kind} CPU time spent in seconds.`, samplesOf(microseconds / 1e6));
  return [
    seconds('process_cpu_user_seconds_total', 'user', user),
    seconds('process_cpu_system_seconds_total', 'system', system),
    seconds('process_cpu_seconds_total', 'user and system', user + system),
  ];
}

const startedAt = Math.round(Date.now() / 1000 - process.uptime());

/** Returns what the operating system knows of the process. The values of `/proc` are absent on other systems than Linux. */
function systemMetrics(): readonly Metric[] {
  const status = textOf('status');
  const limits = textOf('limits');
  // Without the one that reads the folder.
  const openFiles = status === '' ? undefined : readdirSync('/proc/self/fd').length - 1;
  return [
    scalar('process_start_time_seconds', 'Start time of the process since unix epoch in seconds.', startedAt),
    scalar('process_resident_memory_bytes', 'Resident memory size in bytes.', process.memoryUsage.rss()),
    scalar(
      'process_virtual_memory_bytes',
      'Virtual memory size in bytes.',
      numberIn(status, 'VmSize:', 1024),
    ),
    scalar('process_heap_bytes', 'Process heap size in bytes.', numberIn(status, 'VmData:', 1024)),
    scalar('process_open_fds', 'Number of open file descriptors.', openFiles),
    scalar('process_max_fds', 'Maximum number of open file descriptors.', numberIn(limits, 'Max open files')),
  ];
}

/** Returns the text of a file of `/proc`, which the kernel makes without reading a disk; empty on other systems. */
function textOf(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function numberIn(text: string, field: string, factor = 1): number | undefined {
  const [, digits] = new RegExp(`^${field}\\s*(\\d+)`, 'm').exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * factor;
}

/** Returns the delays of the event loop since the last call. */
function delayMetrics(delays: IntervalHistogram): readonly Metric[] {
  const rows = [
    ['min', 'The minimum recorded event loop delay.', delays.min],
    ['max', 'The maximum recorded event loop delay.', delays.max],
    ['mean', 'The mean of the recorded event loop delays.', delays.mean],
    ['stddev', 'The standard deviation of the recorded event loop delays.', delays.stddev],
    ['p50', 'The 50th percentile of the recorded event loop delays.', delays.percentile(50)],
    ['p90', 'The 90th percentile of the recorded event loop delays.', delays.percentile(90)],
    ['p99', 'The 99th percentile of the recorded event loop delays.', delays.percentile(99)],
  ] as const;
  delays.reset();
  return rows.map(([name, help, value]) => scalar(`nodejs_eventloop_lag_${name}_seconds`, help, value / 1e9));
}

/** The functions of Node.js, which its types leave out, that list the open handles and the running requests of libuv. */
interface Lists {
  readonly _getActiveHandles?: () => readonly object[];
  readonly _getActiveRequests?: () => readonly object[];
}

function activityMetrics(): readonly Metric[] {
  const grouped = (name: string, help: string, types: readonly string[]): Metric => {
    const counts = new Map<string, number>();
    for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
    const samples = [...counts].map(([type, value]): Sample => ({ labels: { type }, value }));
    return gauge(`nodejs_active_${name}`, `Number of active ${help}`, samples);
  };
  const lists: Lists = process as object;
  const classes = (kind: keyof Lists): readonly string[] =>
    (lists[kind]?.() ?? []).map((one) => one.constructor.name);
  return [
    grouped(
      'resources',
      'resources that are currently keeping the event loop alive, grouped by async resource type.',
      process.getActiveResourcesInfo(),
    ),
    grouped(
      'handles',
      'libuv handles grouped by handle type. Every handle type is C++ class name.',
      classes('_getActiveHandles'),
    ),
    grouped(
      'requests',
      'libuv requests grouped by request type. Every request type is C++ class name.',
      classes('_getActiveRequests'),
    ),
  ];
}

function heapMetrics(): readonly Metric[] {
  const { heapTotal, heapUsed, external } = process.memoryUsage();
  const spaces = getHeapSpaceStatistics();
  const bySpace = (name: string, member: 'space_size' | 'space_used_size' | 'space_available_size'): Metric =>
    gauge(
      `nodejs_heap_space_size_${name}_bytes`,
      `Process heap space size ${name} from Node.js in bytes.`,
      spaces.map((space) => ({
        labels: { space: space.space_name.replace(/_space$/, '') },
        value: space[member],
      })),
    );
  return [
    scalar('nodejs_heap_size_total_bytes', 'Process heap size from Node.js in bytes.', heapTotal),
    scalar('nodejs_heap_size_used_bytes', 'Process heap size used from Node.js in bytes.', heapUsed),
    scalar('nodejs_external_memory_bytes', 'Node.js external memory size in bytes.', external),
    bySpace('total', 'space_size'),
    bySpace('used', 'space_used_size'),
    bySpace('available', 'space_available_size'),
  ];
}

const [major = '', minor = '', patch = ''] = process.version.slice(1).split('.');

const versionMetric = gauge('nodejs_version_info', 'Node.js version info.', [
  { labels: { version: process.version, major, minor, patch }, value: 1 },
]);
