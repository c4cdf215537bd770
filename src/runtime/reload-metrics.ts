import type { Metric } from '../domain/metric.js';
import type { ReloadCounts } from './reload-counts.js';

/** How reloads of the configuration, and of rotated secrets, ended so far. */
export function reloadMetrics({ files, secrets }: ReloadCounts): readonly Metric[] {
  return [
    {
      name: 'gatehouse_config_reload_total',
      help: 'Configurations read from disk after the start, by what became of them.',
      type: 'counter',
      samples: Object.entries(files).map(([result, value]) => ({ labels: { result }, value })),
    },
    {
      name: 'vault_reload_total',
      help: 'Rotated secrets that an adapter took up (live), or did not work with (failed).',
      type: 'counter',
      samples: [...secrets].flatMap(([adapter, counts]) =>
        Object.entries(counts).map(([result, value]) => ({ labels: { adapter, result }, value })),
      ),
    },
  ];
}
