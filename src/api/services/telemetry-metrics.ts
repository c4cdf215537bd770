import { counter, type Metric } from '../../core/metric.js';
import type { Telemetry } from '../../server/open-telemetry.js';
import type { SpanCounts } from '../../telemetry/trace/exporter.js';

/** Counters of the log outputs and of the span exporter. */
export interface StatsSources {
  readonly droppedLines: Telemetry['droppedLines'];
  readonly spanCounts: Telemetry['spanCounts'];
}

const NONE: SpanCounts = { exported: 0, dropped: 0 };

/** Returns the metrics of exported spans, and of dropped log lines and spans. */
export function telemetryMetrics({ droppedLines, spanCounts }: StatsSources): readonly Metric[] {
  const samples = Object.entries(droppedLines()).map(([output, value]) => ({ labels: { output }, value }));
  const { exported, dropped } = spanCounts() ?? NONE;
  return [
    counter(
      'gatehouse_log_lines_dropped_total',
      'Lines of the log that an output dropped, because it failed or was too slow.',
      samples,
    ),
    counter(
      'gatehouse_spans_total',
      'Spans that the receiver took, and those that were dropped because it did not, or not in time.',
      [
        { labels: { result: 'exported' }, value: exported },
        { labels: { result: 'dropped' }, value: dropped },
      ],
    ),
  ];
}
