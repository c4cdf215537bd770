import type { ReactNode } from 'react';
import { StackedBars } from '../../kit/charts-bars.js';
import { formatTime } from '../../kit/time.js';
import { textOf } from '../../text/text.js';
import { type Cell, histogramOf } from './histogram.js';
import { type AuditRecord, OUTCOMES, type Outcome } from './record.js';

const text = textOf('audit');

const OUTCOME_TONES: Readonly<Record<Outcome, 'good' | 'warning' | 'bad'>> = {
  done: 'good',
  refused: 'warning',
  failed: 'bad',
};

interface AuditHistogramProps {
  readonly records: readonly AuditRecord[];
  /** Narrows the search to the time range of a bar. */
  readonly onPick: (cell: Cell) => void;
}

/** Renders a chart of the records by time and outcome, folded so that the records come first. */
export function AuditHistogram({ records, onPick }: AuditHistogramProps): ReactNode {
  const cells = histogramOf(records);
  return (
    <details className="gh-fold">
      <summary>{text('chart', { count: records.length })}</summary>
      <StackedBars
        label={text('chartLabel')}
        kinds={OUTCOMES.map((end) => ({ name: text(end), tone: OUTCOME_TONES[end] }))}
        bars={cells.map(({ from, to, counts }) => ({
          key: String(from),
          label: text('range', { from: formatTime(from), to: formatTime(to) }),
          parts: OUTCOMES.map((end) => counts[end]),
        }))}
        ends={[formatTime(cells[0]?.from ?? 0), formatTime(cells.at(-1)?.to ?? 0)]}
        onPick={(index) => {
          const cell = cells[index];
          if (cell) onPick(cell);
        }}
        hint={text('chartHint')}
      />
    </details>
  );
}
