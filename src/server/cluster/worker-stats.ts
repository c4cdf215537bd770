import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Connection } from '../../core/adapter.js';
import type { ReadCacheStatus } from '../../core/read-cache.js';
import type { AdapterInstance, Snapshot } from '../../core/snapshot.js';
import type { BaseUrlStatus, UpstreamStatus } from '../../core/upstream.js';
import type { SpanCounts } from '../../telemetry/trace/exporter.js';

/** State of one adapter in one process. */
export interface WorkerAdapterStats {
  readonly id: string;
  readonly connection: Connection;
  /** Absent if the plugin has a transport, and while there is no upstream. */
  readonly status?: UpstreamStatus;
}

/** A report of one process to the main process. */
export interface WorkerReport {
  readonly adapterStats: readonly WorkerAdapterStats[];
  /** Absent if the process exports no spans. */
  readonly spans?: SpanCounts | undefined;
}

/** Returns the state of the adapters of a process. */
export function adapterStatsOf({ adapters }: Pick<Snapshot, 'adapters'>): readonly WorkerAdapterStats[] {
  return [...adapters.values()].map((instance) => ({
    id: instance.id,
    connection: instance.connection(),
    ...(instance.upstreamStatus && { status: instance.upstreamStatus() }),
  }));
}

/** The reports of all workers about their adapters and spans. */
export interface AdapterStats {
  /** Adds a worker. */
  readonly addWorker: () => WorkerStats;
  /** Returns the same instance with the state of its adapter in all processes. */
  readonly overall: (instance: AdapterInstance) => AdapterInstance;
  /** Adds the spans of all workers to those of this process; undefined if no spans are exported. */
  readonly allSpans: (ownSpans: SpanCounts | undefined) => SpanCounts | undefined;
}

/** The reports of one worker. */
export interface WorkerStats {
  /** Replaces the previous report. */
  readonly report: (report: WorkerReport) => void;
  /** Removes the worker, which has ended. Its counters remain, and later reports are ignored. */
  readonly leave: () => void;
}

/** The latest report of a worker. */
interface LatestReport {
  adapterStats: ReadonlyMap<string, WorkerAdapterStats>;
  spans?: SpanCounts | undefined;
}

/** Creates the statistics without workers. */
export function createAdapterStats(): AdapterStats {
  const workers = new Set<LatestReport>();
  const endedWorkers = new Map<string, UpstreamStatus>();
  let endedSpans: SpanCounts = { exported: 0, dropped: 0 };
  const statsOf = (id: string): readonly WorkerAdapterStats[] =>
    [...workers].flatMap(({ adapterStats }) => adapterStats.get(id) ?? []);
  const keepCounters = ({ adapterStats, spans }: LatestReport): void => {
    for (const { id, status } of adapterStats.values()) {
      const before = endedWorkers.get(id);
      const counters = status && countersOf(status);
      if (counters) endedWorkers.set(id, before ? addStatus(before, counters) : counters);
    }
    endedSpans = addSpans(endedSpans, spans);
  };
  return {
    addWorker() {
      const latest: LatestReport = { adapterStats: new Map() };
      workers.add(latest);
      return {
        report({ adapterStats, spans }) {
          latest.adapterStats = new Map(adapterStats.map((stats) => [stats.id, stats]));
          latest.spans = spans;
        },
        leave() {
          // A later report changes only `latest`, which is no longer read.
          if (workers.delete(latest)) keepCounters(latest);
        },
      };
    },
    overall(instance) {
      const { id, upstreamStatus } = instance;
      const addWorkers = (status: UpstreamStatus): UpstreamStatus =>
        [
          ...statsOf(id).flatMap((stats) => stats.status ?? []),
          ...[endedWorkers.get(id)].flatMap((counters) => counters ?? []),
        ].reduce(addStatus, status);
      return {
        ...instance,
        connection: () =>
          statsOf(id).reduce(
            (latest, stats) => latestConnection(latest, stats.connection),
            instance.connection(),
          ),
        ...(upstreamStatus && { upstreamStatus: () => addWorkers(upstreamStatus()) }),
      };
    },
    allSpans: (ownSpans) =>
      ownSpans && [endedSpans, ...[...workers].map(({ spans }) => spans)].reduce(addSpans, ownSpans),
  };
}

function addSpans(a: SpanCounts, b: SpanCounts | undefined): SpanCounts {
  if (!b) return a;
  return { exported: a.exported + b.exported, dropped: a.dropped + b.dropped };
}

/**
 * Returns the connection of the process with the latest information, with the latest success of both. A probe that only
 * opened a connection does not disprove a failure of another kind, for example refused credentials.
 */
function latestConnection(a: Connection, b: Connection): Connection {
  if (b.state === 'UNKNOWN') return a;
  if (a.state === 'UNKNOWN') return b;
  const isUsable = b.state !== 'OFFLINE' && b.state !== 'LOGIN_REFUSED';
  const isDisproved = isUsable || b.isUnreachable === true || a.lastTriedBy !== 'probe';
  const timeOf = ({ since, lastTriedAt = since }: Connection): number => (isDisproved ? lastTriedAt : since);
  const latest = timeOf(b) > timeOf(a) ? b : a;
  const lastOkAt = Math.max(a.lastOkAt ?? 0, b.lastOkAt ?? 0);
  return lastOkAt > 0 ? { ...latest, lastOkAt } : latest;
}

function addCache(a: ReadCacheStatus, b: ReadCacheStatus): ReadCacheStatus {
  return {
    hits: a.hits + b.hits,
    misses: a.misses + b.misses,
    stale: a.stale + b.stale,
    evictions: a.evictions + b.evictions,
    entries: a.entries + b.entries,
    bytes: a.bytes + b.bytes,
  };
}

function addStatus(a: UpstreamStatus, b: UpstreamStatus): UpstreamStatus {
  return {
    inFlight: a.inFlight + b.inFlight,
    waiting: a.waiting + b.waiting,
    refused: a.refused + b.refused,
    retries: a.retries + b.retries,
    logins: a.logins + b.logins,
    failedLogins: a.failedLogins + b.failedLogins,
    connections: a.connections + b.connections,
    idleConnections: a.idleConnections + b.idleConnections,
    connectionReuse: a.connectionReuse === 'on' ? b.connectionReuse : a.connectionReuse,
    ...(a.cache && { cache: b.cache ? addCache(a.cache, b.cache) : a.cache }),
    baseUrls: a.baseUrls.map((baseUrl, at) => worstBaseUrl(baseUrl, b.baseUrls[at])),
    current: a.current,
  };
}

const BREAKER_STATES: readonly BaseUrlStatus['breaker'][] = ['closed', 'half-open', 'open'];

/** Returns the worst status of a base URL in two processes. Each process has its own circuit breaker. */
function worstBaseUrl(a: BaseUrlStatus, b: BaseUrlStatus | undefined): BaseUrlStatus {
  if (b?.url !== a.url) return a;
  const rank = Math.max(BREAKER_STATES.indexOf(a.breaker), BREAKER_STATES.indexOf(b.breaker));
  return {
    url: a.url,
    breaker: BREAKER_STATES[rank] ?? a.breaker,
    waitMs: Math.max(a.waitMs, b.waitMs),
    failures: Math.max(a.failures, b.failures),
    inFlight: a.inFlight + b.inFlight,
  };
}

/** Returns the counters of a process that has ended, without its gauges. */
function countersOf(status: UpstreamStatus): UpstreamStatus {
  const { cache } = status;
  const gauges = { inFlight: 0, waiting: 0, connections: 0, idleConnections: 0, baseUrls: [] };
  const idle = { ...gauges, connectionReuse: 'on' as const };
  return { ...status, ...idle, ...(cache && { cache: { ...cache, entries: 0, bytes: 0 } }) };
}

/** Statistics of a process. */
export interface ProcessStats {
  /** Maximum delay of the event loop since the previous read, in seconds. */
  readonly delaySeconds: number;
  /** Resident set size. */
  readonly memoryBytes: number;
  /** Processor time since the start. */
  readonly cpuSeconds: number;
}

/** Interval between two samples of the event loop delay, in milliseconds. */
const RESOLUTION_MS = 20;

/** Starts to measure this process, until it is closed. */
export function openProcessStats(): { readonly read: () => ProcessStats; readonly close: () => void } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return {
    read() {
      const maxMs = delays.count > 0 ? delays.max / 1e6 : 0;
      delays.reset();
      const { user, system } = process.cpuUsage();
      return {
        delaySeconds: Math.max(0, maxMs - RESOLUTION_MS) / 1_000,
        memoryBytes: process.memoryUsage.rss(),
        cpuSeconds: (user + system) / 1e6,
      };
    },
    close: () => {
      delays.disable();
    },
  };
}
