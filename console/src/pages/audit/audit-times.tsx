import type { ReactNode } from 'react';
import { StackedBars } from '../../kit/charts-bars.js';
import { Panel } from '../../kit/page.js';
import { type Cell, histogramOf } from './histogram.js';
import { type AuditRecord, OUTCOMES, type Outcome } from './record.js';

const OUTCOME_KINDS: Readonly<
  Record<Outcome, { readonly name: string; readonly tone: 'good' | 'warning' | 'bad' }>
> = {
  done: { name: 'done', tone: 'good' },
  refused: { name: 'refused (4xx)', tone: 'warning' },
  failed: { name: 'failed (5xx)', tone: 'bad' },
};

export interface AuditHistogramProps {
  readonly records: readonly AuditRecord[];
  /** Narrows the search to the time range of a bar. */
  readonly onPick: (cell: Cell) => void;
}

/** Renders a chart of the records by time and outcome. */
export function AuditHistogram({ records, onPick }: AuditHistogramProps): ReactNode {
  const cells = histogramOf(records);
  return (
    <Panel title={`${records.length} ${records.length === 1 ? 'record' : 'records'} by time`}>
      <StackedBars
        label="Records by time and outcome"
        kinds={OUTCOMES.map((end) => OUTCOME_KINDS[end])}
        bars={cells.map(({ from, to, counts }) => ({
          key: String(from),
          label: `${timeOf(from)} to ${timeOf(to)}`,
          parts: OUTCOMES.map((end) => counts[end]),
        }))}
        ends={[timeOf(cells[0]?.from ?? 0), timeOf(cells.at(-1)?.to ?? 0)]}
        onPick={(index) => {
          const cell = cells[index];
          if (cell) onPick(cell);
        }}
        hint="Click a bar to show only its time range, or use the fields From and Before."
      />
    </Panel>
  );
}

function timeOf(at: number): string {
  return new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
}
