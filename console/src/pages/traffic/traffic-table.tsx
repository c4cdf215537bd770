import type { ReactNode } from 'react';
import type { DetailedCell } from '../../api/observe.js';
import { formatCount, formatDuration } from '../../kit/numbers.js';
import { formatMoment } from '../../kit/time-axis.js';
import { textOf } from '../../text/text.js';

const text = textOf('traffic');

/** Renders the numbers of a traffic chart as a table that can be opened, latest first. */
export function TrafficTable({ cells }: { readonly cells: readonly DetailedCell[] }): ReactNode {
  if (cells.length === 0) return null;
  const titles = [
    ...[text('time'), text('callsColumn'), text('errorsColumn'), text('rejectedColumn'), 'p50', 'p95'],
    ...[text('inFlightColumn'), text('waitingColumn')],
  ];
  return (
    <details className="gh-fold">
      <summary>{text('asTable')}</summary>
      <div className="gh-cells" tabIndex={0} role="region" aria-label={text('table')}>
        <table>
          <thead>
            <tr>
              {titles.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.toReversed().map((cell) => (
              <tr key={cell.at}>
                <th scope="row">{formatMoment(cell.at)}</th>
                <td>{formatCount(cell.calls)}</td>
                <td>{formatCount(cell.errors)}</td>
                <td>{formatCount(cell.clientErrors)}</td>
                <td>{formatDuration(cell.p50Ms)}</td>
                <td>{formatDuration(cell.p95Ms)}</td>
                <td>{formatCount(cell.maxInFlight)}</td>
                <td>{formatCount(cell.maxWaiting)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
