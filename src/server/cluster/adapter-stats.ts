import type { Connection } from '../../core/connection.js';
import type { AdapterInstance, Snapshot } from '../../core/snapshot.js';
import type { BaseUrlStatus, UpstreamStatus } from '../../core/upstream.js';
import type { SpanCounts } from '../../telemetry/trace/exporter.js';

/** How one adapter stands in one process. */
export interface WorkerAdapterStats {
  readonly id: string;
  readonly connection: Connection;
  /** Absent for a transport of its own, and while there is no upstream. */
  readonly status?: UpstreamStatus;
}

/** How things stand in one process. */
export interface Report {
  readonly adapterStats: readonly WorkerAdapterStats[];
  /** Absent where it sends no spans. */
  readonly spans?: SpanCounts | undefined;
}

/** How the adapters of a process stand. */
export function adapterStatsOf({ adapters }: Pick<Snapshot, 'adapters'>): readonly WorkerAdapterStats[] {
  return [...adapters.values()].map((one) => ({
    id: one.id,
    connection: one.connection(),
    ...(one.upstreamStatus && { status: one.upstreamStatus() }),
  }));
}

/** What the workers tell of their adapters, and of their spans. */
export interface AdapterStats {
  /** One more worker will tell. */
  readonly join: () => WorkerStats;
  /** The same instance, which tells how its adapter stands in all processes together. */
  readonly overall: (instance: AdapterInstance) => AdapterInstance;
  /** The spans of this process, with those of all workers; absent where none are sent. */
  readonly allSpans: (own: SpanCounts | undefined) => SpanCounts | undefined;
}

/** One worker that tells. */
export interface WorkerStats {
  /** Takes the place of what it said before. */
  readonly note: (report: Report) => void;
  /** It is gone: what it counted stays counted, and what still comes of it is not heard. */
  readonly leave: () => void;
}

/** What a worker said last. */
interface WorkerReport {
  adapterStats: ReadonlyMap<string, WorkerAdapterStats>;
  spans?: SpanCounts | undefined;
}

/** Makes a memory that knows of no worker. */
export function createAdapterStats(): AdapterStats {
  const tellers = new Set<WorkerReport>();
  const past = new Map<string, UpstreamStatus>();
  let pastSpans: SpanCounts = { exported: 0, dropped: 0 };
  const of = (id: string): readonly WorkerAdapterStats[] =>
    [...tellers].flatMap(({ adapterStats }) => adapterStats.get(id) ?? []);
  const keepCounts = ({ adapterStats, spans }: WorkerReport): void => {
    for (const { id, status } of adapterStats.values()) {
      const before = past.get(id);
      const counted = status && countedOnly(status);
      if (counted) past.set(id, before ? sum(before, counted) : counted);
    }
    pastSpans = addSpans(pastSpans, spans);
  };
  return {
    join() {
      const said: WorkerReport = { adapterStats: new Map() };
      tellers.add(said);
      return {
        note({ adapterStats, spans }) {
          said.adapterStats = new Map(adapterStats.map((one) => [one.id, one]));
          said.spans = spans;
        },
        leave() {
          // What comes late is noted where nobody looks any more.
          if (tellers.delete(said)) keepCounts(said);
        },
      };
    },
    overall(instance) {
      const { id, upstreamStatus } = instance;
      const all = (own: UpstreamStatus): UpstreamStatus =>
        [
          ...of(id).flatMap(({ status }) => status ?? []),
          ...[past.get(id)].flatMap((one) => one ?? []),
        ].reduce(sum, own);
      return {
        ...instance,
        connection: () => of(id).reduce((known, one) => later(known, one.connection), instance.connection()),
        ...(upstreamStatus && { upstreamStatus: () => all(upstreamStatus()) }),
      };
    },
    allSpans: (own) => own && [pastSpans, ...[...tellers].map(({ spans }) => spans)].reduce(addSpans, own),
  };
}

function addSpans(one: SpanCounts, other: SpanCounts | undefined): SpanCounts {
  if (!other) return one;
  return { exported: one.exported + other.exported, dropped: one.dropped + other.dropped };
}

/** Whoever was the last to notice a change knows best. */
function later(one: Connection, other: Connection): Connection {
  if (other.state === 'UNKNOWN') return one;
  return one.state === 'UNKNOWN' || other.since > one.since ? other : one;
}

function sum(one: UpstreamStatus, other: UpstreamStatus): UpstreamStatus {
  return {
    inFlight: one.inFlight + other.inFlight,
    waiting: one.waiting + other.waiting,
    refused: one.refused + other.refused,
    retries: one.retries + other.retries,
    logins: one.logins + other.logins,
    failedLogins: one.failedLogins + other.failedLogins,
    connections: one.connections + other.connections,
    idleConnections: one.idleConnections + other.idleConnections,
    baseUrls: one.baseUrls.map((base, at) => worse(base, other.baseUrls[at])),
    current: one.current,
  };
}

const BREAKERS: readonly BaseUrlStatus['breaker'][] = ['closed', 'half-open', 'open'];

/** The worst of what two processes say of a base URL; each has a breaker of its own. */
function worse(one: BaseUrlStatus, other: BaseUrlStatus | undefined): BaseUrlStatus {
  if (other?.url !== one.url) return one;
  const rank = Math.max(BREAKERS.indexOf(one.breaker), BREAKERS.indexOf(other.breaker));
  return {
    url: one.url,
    breaker: BREAKERS[rank] ?? one.breaker,
    failures: Math.max(one.failures, other.failures),
    inFlight: one.inFlight + other.inFlight,
  };
}

/** What stays of a process that is gone. */
function countedOnly(status: UpstreamStatus): UpstreamStatus {
  return { ...status, inFlight: 0, waiting: 0, connections: 0, idleConnections: 0, baseUrls: [] };
}
