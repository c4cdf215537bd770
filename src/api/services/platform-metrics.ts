import { callMetrics } from '../legacy/call-metrics.js';
import type { CallTally } from '../legacy/call-counter.js';
import type { Settings } from '../../core/settings.js';
import { adapterMetrics } from '../../telemetry/metrics/adapter-metrics.js';
import { gauge, type Metric } from '../../core/metric.js';
import type { ConfigReloader } from '../../server/reload/config-reloader.js';
import { reloadMetrics } from '../../server/reload/reload-metrics.js';
import type { SnapshotHolder } from '../../server/reload/snapshot-holder.js';
import type { ActiveSnapshot } from '../../server/reload/active-snapshot.js';
import type { SecretSource } from '../../vault/open-secrets.js';
import { upstreamMetrics } from '../../telemetry/metrics/upstream-metrics.js';
import { vaultMetrics } from '../../server/reload/vault-metrics.js';
import { VERSION } from '../../server/version.js';

/** What is measured at the moment that somebody asks. */
export interface Measured {
  readonly settings: Pick<Settings, 'release'>;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: Pick<SecretSource, 'status' | 'traffic'>;
  readonly reloading: Pick<ConfigReloader, 'counts'>;
  readonly overload: { readonly metric: () => Metric };
  readonly deprecatedCalls: CallTally;
}

/** How everything stands that gatehouse itself knows. */
export function metricsOf(measured: Measured): readonly Metric[] {
  const { settings, current, secrets, reloading, overload, deprecatedCalls } = measured;
  const { adapters, outdated } = current.current();
  return [
    versionMetric,
    ...adapterMetrics(adapters.values(), outdated),
    ...upstreamMetrics(adapters.values()),
    ...reloadMetrics(reloading.counts()),
    ...vaultMetrics(secrets),
    overload.metric(),
    callMetrics(deprecatedCalls, settings.release),
  ];
}

const versionMetric = gauge('gatehouse_info', '1, with the version of gatehouse.', [
  { labels: { version: VERSION }, value: 1 },
]);
