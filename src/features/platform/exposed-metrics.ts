import { counter, gauge, type Metric, type Scalar, samplesOf } from '../../core/metric.js';
import type { Scheduler, Clock } from '../../lib/clock.js';
import { createCooldown } from '../../lib/cooldown.js';
import { withTimeout } from '../../lib/timeout.js';
import { COMMIT, VERSION } from '../../lib/version.js';
import type { SecretCounts } from '../../secrets/open-secrets.js';
import type { Telemetry } from '../../server/open-telemetry.js';
import type { ConfigReloader } from '../../server/state/config-reloader.js';
import { reloadMetrics, vaultMetrics } from '../../server/state/reload-metrics.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import { adapterMetrics, upstreamMetrics } from '../../telemetry/metrics/adapter-metrics.js';
import { processMetrics } from '../../telemetry/metrics/process-metrics.js';
import type { RequestMeter } from '../../telemetry/metrics/request-meter.js';
import type { SpanCounts } from '../../telemetry/trace/exporter.js';
import type { CountedAuditTrail } from '../audit/audit-trail.js';
import type { ServiceProbe } from '../health/deps.js';
import type { Store } from '../store.js';

/** Sources of the metrics about the state of gatehouse. */
interface StateMetricsInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: SecretCounts;
  readonly reloader: ConfigReloader;
  readonly overload: { readonly metric: () => Metric };
  readonly certificates: { readonly metrics: () => readonly Metric[] };
  readonly deprecatedCalls: { readonly metric: () => Metric };
  readonly limits: { readonly metrics: () => readonly Metric[] };
  readonly audit: CountedAuditTrail;
}

/** Returns the metrics about the state of gatehouse, measured at the time of a scrape. */
function stateMetrics(input: StateMetricsInput): readonly Metric[] {
  const { current, secrets, reloader, overload, certificates, deprecatedCalls, audit } = input;
  const { adapters, outdated } = current.current();
  return [
    versionMetric,
    ...adapterMetrics(adapters.values(), outdated),
    ...upstreamMetrics(adapters.values()),
    ...reloadMetrics(reloader.counts()),
    ...vaultMetrics(secrets),
    ...certificates.metrics(),
    overload.metric(),
    ...input.limits.metrics(),
    auditMetric(audit),
    deprecatedCalls.metric(),
  ];
}

function auditMetric({ counts }: CountedAuditTrail): Metric {
  const { stored, failed } = counts();
  const samples = [
    { labels: { result: 'stored' }, value: stored },
    { labels: { result: 'failed' }, value: failed },
  ];
  const help = 'Audit records, by result: stored, failed.';
  return counter('gatehouse_audit_records_total', help, samples);
}

const versionMetric = gauge('gatehouse_info', 'Always 1; the labels have the version and the commit.', [
  { labels: { version: VERSION, commit: COMMIT }, value: 1 },
]);

/** Sources of the metrics of the services that the server depends on. */
interface ServiceMetricsInput {
  readonly services: () => readonly ServiceProbe[];
  readonly store: Pick<Store, 'pool'>;
  readonly clock: Scheduler;
}

/** Timeout of a probe in milliseconds, so that a slow service does not fail the scrape. */
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Returns the state of the services, as the health operations report it, and the connections of the store.
 */
export async function serviceMetrics({
  services,
  store,
  clock,
}: ServiceMetricsInput): Promise<readonly Scalar[]> {
  const pool = store.pool();
  const samples = services().map(async ({ service, running }) => ({
    labels: { service },
    // A service that does not answer in time counts as not running.
    value: (await withTimeout(running(), { ms: PROBE_TIMEOUT_MS, scheduler: clock, late: () => false }))
      ? 1
      : 0,
  }));
  return [
    gauge(
      'gatehouse_service_running',
      '1 while the health operations report the service as running.',
      await Promise.all(samples),
    ),
    gauge(
      'gatehouse_store_connections',
      'Open connections to PostgreSQL; absent with SQLite.',
      samplesOf(pool?.open),
    ),
    gauge(
      'gatehouse_store_connections_idle',
      'Idle connections to PostgreSQL; absent with SQLite.',
      samplesOf(pool?.idle),
    ),
    gauge(
      'gatehouse_store_waiting',
      'Requests that wait for a connection to PostgreSQL; absent with SQLite.',
      samplesOf(pool?.waiting),
    ),
  ];
}

interface MetricsInput extends StateMetricsInput, ServiceMetricsInput, StatsSources {
  readonly meter: RequestMeter;
}

/** Returns all metrics: of gatehouse, of the services that it depends on, and of the process. */
export async function collectMetrics(input: MetricsInput): Promise<readonly Metric[]> {
  const [services, ofProcess] = await Promise.all([serviceMetrics(input), processMetrics()]);
  return [
    ...stateMetrics(input),
    ...input.meter.metrics(),
    ...telemetryMetrics(input),
    ...services,
    ...ofProcess,
  ];
}

/** Counters of the log outputs and of the span exporter. */
export interface StatsSources {
  readonly droppedLines: Telemetry['droppedLines'];
  readonly spanCounts: Telemetry['spanCounts'];
}

const NO_SPANS: SpanCounts = { exported: 0, dropped: 0 };

/** Returns the metrics of exported spans, and of dropped log lines and spans. */
function telemetryMetrics({ droppedLines, spanCounts }: StatsSources): readonly Metric[] {
  const droppedLineSamples = Object.entries(droppedLines()).map(([output, value]) => ({
    labels: { output },
    value,
  }));
  const { exported, dropped } = spanCounts() ?? NO_SPANS;
  return [
    counter(
      'gatehouse_log_lines_dropped_total',
      'Log lines that an output (console, file, syslog) dropped because it failed or was too slow.',
      droppedLineSamples,
    ),
    counter(
      'gatehouse_spans_total',
      'Spans, by result: exported, dropped (the receiver failed or was too slow).',
      [
        { labels: { result: 'exported' }, value: exported },
        { labels: { result: 'dropped' }, value: dropped },
      ],
    ),
  ];
}

/** Minimum interval between requested refreshes in milliseconds, because each refresh reads every secret. */
const REFRESH_COOLDOWN_MS = 10_000;

/**
 * Adds a cooldown to a refresh. The function resolves to 0 after a refresh, or to the milliseconds until the
 * next refresh is allowed.
 */
export function withCooldown(clock: Clock, refresh: () => Promise<void>): () => Promise<number> {
  const remaining = createCooldown(clock, REFRESH_COOLDOWN_MS);
  return async () => {
    const waitMs = remaining();
    if (waitMs === 0) await refresh();
    return waitMs;
  };
}
