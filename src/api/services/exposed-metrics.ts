import { type Metric, gauge, type Sample, type Scalar } from '../../core/metric.js';
import { exposition } from '../../telemetry/metrics/exposition.js';
import { processExposition } from '../../telemetry/metrics/process-metrics.js';
import type { RequestMeter } from '../../telemetry/metrics/request-meter.js';
import { telemetryMetrics, type StatsSources } from './telemetry-metrics.js';
import { callMetrics } from '../legacy/call-metrics.js';
import type { CallCounter } from '../legacy/call-counter.js';
import type { Settings } from '../../core/settings.js';
import { adapterMetrics } from '../../telemetry/metrics/adapter-metrics.js';
import type { ConfigReloader } from '../../server/reload/config-reloader.js';
import { reloadMetrics } from '../../server/reload/reload-metrics.js';
import type { SnapshotHolder } from '../../server/reload/snapshot-holder.js';
import type { ActiveSnapshot } from '../../server/reload/active-snapshot.js';
import type { SecretSource } from '../../vault/open-secrets.js';
import { upstreamMetrics } from '../../telemetry/metrics/upstream-metrics.js';
import { vaultMetrics } from '../../server/reload/vault-metrics.js';
import { VERSION } from '../../server/version.js';
import type { ServiceProbe } from '../health/deps.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { withTimeout } from '../../core/lib/timeout.js';
import type { Store } from '../../storage/store.js';

/** Sources of the metrics that are measured at the time of a scrape. */
export interface Measured {
  readonly settings: Pick<Settings, 'release'>;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: Pick<SecretSource, 'status' | 'traffic'>;
  readonly reloader: Pick<ConfigReloader, 'counts'>;
  readonly overload: { readonly metric: () => Metric };
  readonly deprecatedCalls: CallCounter;
}

/** Returns the metrics of the state of gatehouse itself. */
export function metricsOf(measured: Measured): readonly Metric[] {
  const { settings, current, secrets, reloader, overload, deprecatedCalls } = measured;
  const { adapters, outdated } = current.current();
  return [
    versionMetric,
    ...adapterMetrics(adapters.values(), outdated),
    ...upstreamMetrics(adapters.values()),
    ...reloadMetrics(reloader.counts()),
    ...vaultMetrics(secrets),
    overload.metric(),
    callMetrics(deprecatedCalls, settings.release),
  ];
}

const versionMetric = gauge('gatehouse_info', '1, with the version of gatehouse.', [
  { labels: { version: VERSION }, value: 1 },
]);

/** Services that the server depends on. */
interface DependencyVersions {
  readonly services: readonly ServiceProbe[];
  readonly store: Pick<Store, 'pool'>;
  readonly clock: Scheduler;
}

/** Timeout of a service in milliseconds, so that a slow service does not fail the scrape. */
const VERSION_TIMEOUT_MS = 2_000;

/**
 * Returns the state of the services, as the health operations report it, and the connections of the store.
 */
export async function serviceMetrics({
  services,
  store,
  clock,
}: DependencyVersions): Promise<readonly Scalar[]> {
  const pool = store.pool();
  const samples = services.map(async ({ service, running }) => ({
    labels: { service },
    // A service that does not answer in time counts as not running.
    value: (await withTimeout(running(), { ms: VERSION_TIMEOUT_MS, scheduler: clock, late: () => false }))
      ? 1
      : 0,
  }));
  return [
    gauge(
      'gatehouse_service_running',
      '1 for a service that health tells as running.',
      await Promise.all(samples),
    ),
    gauge('gatehouse_store_connections', 'Connections to PostgreSQL; none with SQLite.', one(pool?.open)),
    gauge('gatehouse_store_connections_idle', 'Connections to PostgreSQL that nobody uses.', one(pool?.idle)),
    gauge('gatehouse_store_waiting', 'Work that waits for a connection to PostgreSQL.', one(pool?.waiting)),
  ];
}

function one(value: number | undefined): readonly Sample[] {
  return value === undefined ? [] : [{ labels: {}, value }];
}

interface Exposed extends Measured, DependencyVersions, StatsSources {
  readonly meter: Pick<RequestMeter, 'metrics'>;
  /** Other processes of this server. */
  readonly workers: { readonly metrics: () => readonly Metric[] };
}

/** Returns all metrics in the text format of Prometheus. */
export async function exposeMetrics(exposed: Exposed): Promise<string> {
  const [services, ofProcess] = await Promise.all([serviceMetrics(exposed), processExposition()]);
  const { meter, workers } = exposed;
  const own = [...metricsOf(exposed), ...meter.metrics(), ...workers.metrics(), ...telemetryMetrics(exposed)];
  return exposition([...own, ...services]) + ofProcess;
}
