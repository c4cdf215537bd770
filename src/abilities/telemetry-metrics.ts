import type { Metric } from '../domain/metric.js';
import type { Telemetry } from '../telemetry.js';

/** What tells of the server, and may fall short of that. */
export type Tellers = Pick<Telemetry, 'droppedLines' | 'spanCounts'>;

/** What was not told because nobody took it in time. */
export function telemetryMetrics({ droppedLines, spanCounts }: Tellers): readonly Metric[] {
  const samples = Object.entries(droppedLines()).map(([output, value]) => ({ labels: { output }, value }));
  return [
    {
      name: 'gatehouse_log_lines_dropped_total',
      help: 'Lines of the log that an output dropped, because it failed or was too slow.',
      type: 'counter',
      samples,
    },
    {
      name: 'gatehouse_spans_total',
      help: 'Spans that the receiver took, and those that were dropped because it did not, or not in time.',
      type: 'counter',
      samples: Object.entries(spanCounts() ?? {}).map(([result, value]) => ({ labels: { result }, value })),
    },
  ];
}
