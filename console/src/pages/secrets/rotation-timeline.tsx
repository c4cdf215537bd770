import type { ReactNode } from 'react';
import '../../style/charts.css';
import '../../style/traffic.css';
import { positionOf, type Span } from '../../kit/chart-shapes.js';
import { Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { TimeAxis } from '../../kit/time-axis-labels.js';
import { formatMoment } from '../../kit/time-axis.js';
import { textOf } from '../../text/text.js';
import { type LeaseRow, rotationRows, rotationSpan } from './rotation-rows.js';
import { type Reference, referenceStatusOf } from './secret.js';

const text = textOf('traffic');

interface RotationTimelineProps {
  readonly references: readonly Reference[];
  /** Current time, in milliseconds since 1970. */
  readonly now: number;
}

/** Renders when Vault last confirmed each secret, and until when its lease lasts; nothing without secrets. */
export function RotationTimeline({ references, now }: RotationTimelineProps): ReactNode {
  const rows = rotationRows(references, now);
  if (rows.length === 0) return null;
  const span = rotationSpan(rows, now);
  return (
    <Panel title={text('rotation')}>
      <ul className="gh-rotation">
        {rows.map((row) => (
          <li key={row.reference.reference} className="gh-heat-row">
            <code title={row.reference.reference}>{row.reference.reference}</code>
            <Lease row={row} span={span} now={now} />
          </li>
        ))}
      </ul>
      <div className="gh-heat-row">
        <span />
        <TimeAxis span={span} />
      </div>
      <p className="gh-legend gh-quiet">{text('rotationHelp')}</p>
    </Panel>
  );
}

function Lease({
  row,
  span,
  now,
}: {
  readonly row: LeaseRow;
  readonly span: Span;
  readonly now: number;
}): ReactNode {
  const { reference, from, to } = row;
  const { status, word } = referenceStatusOf(reference);
  const start = positionOf(from, span);
  return (
    <div className="gh-rotation-plot" data-status={status}>
      <span
        className="gh-rotation-bar"
        data-lease={to !== undefined}
        style={{
          insetInlineStart: `${start * 100}%`,
          inlineSize: `${(positionOf(to ?? now, span) - start) * 100}%`,
        }}
      />
      <span
        className="gh-rotation-now"
        aria-hidden="true"
        style={{ insetInlineStart: `${positionOf(now, span) * 100}%` }}
      />
      <span className="gh-rotation-words">
        <StatusLabel status={status}>{word}</StatusLabel>{' '}
        <span className="gh-quiet">{describeLease(row)}</span>
      </span>
    </div>
  );
}

function describeLease({ reference: { version }, from, to }: LeaseRow): string {
  const parts = [
    ...(version === null ? [] : [text('secretVersion', { version })]),
    text('secretRead', { time: formatMoment(from) }),
    ...(to === undefined ? [] : [text('leaseUntil', { time: formatMoment(to) })]),
  ];
  return parts.join(' · ');
}
