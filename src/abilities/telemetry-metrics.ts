import type { Metric } from '../domain/metric.js';
import type { OpenLog } from '../log/open-log.js';

/** What tells of the server, and may fall short of that. */
export interface Tellers {
  readonly droppedLines: OpenLog['droppedLines'];
}

/** What was not told because nobody took it in time. */
export function telemetryMetrics({ droppedLines }: Tellers): readonly Metric[] {
  const samples = Object.entries(droppedLines()).map(([output, value]) => ({ labels: { output }, value }));
  return [
    {
      name: 'gatehouse_log_lines_dropped_total',
      help: 'Lines of the log that an output dropped, because it failed or was too slow.',
      type: 'counter',
      samples,
    },
  ];
}
