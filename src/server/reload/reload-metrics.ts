import { counter, type Metric } from '../../core/metric.js';
import type { ReloadCounts } from './reload-counts.js';

/** How reloads of the configuration, and of rotated secrets, ended so far. */
export function reloadMetrics({ files, secrets }: ReloadCounts): readonly Metric[] {
  return [
    counter(
      'gatehouse_config_reload_total',
      'Configurations read from disk after the start, by what became of them.',
      Object.entries(files).map(([result, value]) => ({ labels: { result }, value })),
    ),
    counter(
      'vault_reload_total',
      'Rotated secrets that an adapter took up (live), or did not work with (failed).',
      [...secrets].flatMap(([adapter, counts]) =>
        Object.entries(counts).map(([result, value]) => ({ labels: { adapter, result }, value })),
      ),
    ),
  ];
}
