import { callMetrics } from '../apps/deprecations/call-metrics.js';
import type { CallTally } from '../apps/deprecations/call-tally.js';
import type { Settings } from '../domain/settings.js';
import { adapterMetrics } from '../runtime/adapter-metrics.js';
import { gauge, type Metric } from '../domain/metric.js';
import type { ConfigReloader } from '../keep-current.js';
import { reloadMetrics } from '../runtime/reload-metrics.js';
import type { SnapshotHolder } from '../runtime/current.js';
import type { ActiveSnapshot } from '../runtime/live-snapshot.js';
import type { SecretSource } from '../secrets/resolve.js';
import { upstreamMetrics } from '../runtime/upstream-metrics.js';
import { vaultMetrics } from '../runtime/vault-metrics.js';
import { VERSION } from '../version.js';

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
