import { adapterMetrics } from './runtime/adapter-metrics.js';
import type { Metric } from './domain/metric.js';
import type { KeptCurrent } from './keep-current.js';
import { reloadMetrics } from './runtime/reload-metrics.js';
import type { Current } from './runtime/current.js';
import type { LiveSnapshot } from './runtime/live-snapshot.js';
import type { SecretSource } from './secrets/resolve.js';
import { vaultMetrics } from './runtime/vault-metrics.js';

interface Measured {
  readonly current: Current<LiveSnapshot>;
  readonly secrets: Pick<SecretSource, 'status' | 'traffic'>;
  readonly reloading: Pick<KeptCurrent, 'counts'>;
}

/** Every measurement of the process, as it stands now. */
export function metricsOf({ current, secrets, reloading }: Measured): readonly Metric[] {
  const { adapters, outdated } = current.peek();
  return [
    ...adapterMetrics(adapters.values(), outdated),
    ...reloadMetrics(reloading.counts()),
    ...vaultMetrics(secrets),
  ];
}
