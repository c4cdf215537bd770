import type { ReactNode } from 'react';
import type { TrafficCell, Mark } from '../../api/observe.js';
import { formatCount, formatDuration } from '../../kit/numbers.js';
import { StatusLabel } from '../../kit/status.js';
import type { Status } from '../../kit/status-kinds.js';
import { Ago } from '../../kit/time.js';

const EVENT_LABELS: Readonly<Record<Mark['kind'], readonly [status: Status, word: string]>> = {
  started: ['good', 'started'],
  restarted: ['good', 'restarted'],
  stopped: ['off', 'stopped'],
  broken: ['bad', 'broken'],
  rotated: ['busy', 'secret rotated'],
  configured: ['busy', 'configured'],
  removed: ['off', 'removed'],
  offline: ['bad', 'offline'],
  online: ['good', 'online'],
  'breaker-open': ['bad', 'breaker open'],
  'breaker-closed': ['good', 'breaker closed'],
};

/** Number of events shown at first. */
const MAX_SHOWN_EVENTS = 6;

/** Renders the content of a timeline as text and numbers: events, and every cell. */
export function TrafficDetails({
  cells,
  marks,
}: {
  readonly cells: readonly TrafficCell[];
  readonly marks: readonly Mark[];
}): ReactNode {
  const latest = marks.toReversed();
  return (
    <>
      {latest.length > 0 && <EventList marks={latest.slice(0, MAX_SHOWN_EVENTS)} />}
      {latest.length > MAX_SHOWN_EVENTS && (
        <details className="gh-fold">
          <summary>{latest.length - MAX_SHOWN_EVENTS} earlier events</summary>
          <EventList marks={latest.slice(MAX_SHOWN_EVENTS)} />
        </details>
      )}
      <details className="gh-fold">
        <summary>Show as table</summary>
        {cells.length === 0 ? <p>No calls in this time range.</p> : <CellTable cells={cells} />}
      </details>
    </>
  );
}

function EventList({ marks }: { readonly marks: readonly Mark[] }): ReactNode {
  return (
    <ul className="gh-marks">
      {marks.map(({ at, adapter, kind, text }, index) => (
        <li key={`${at} ${index}`}>
          <span className="gh-quiet">
            <Ago at={at} />
          </span>
          <StatusLabel status={EVENT_LABELS[kind][0]}>{EVENT_LABELS[kind][1]}</StatusLabel>
          <span>{adapter === null ? `gatehouse: ${text}` : text}</span>
        </li>
      ))}
    </ul>
  );
}

function CellTable({ cells }: { readonly cells: readonly TrafficCell[] }): ReactNode {
  return (
    <div className="gh-cells" tabIndex={0} role="region" aria-label="Traffic as table">
      <table>
        <thead>
          <tr>
            {['Five minutes from', 'Calls', 'Errors', 'p50', 'p95'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.toReversed().map(({ at, calls, errors, p50Ms, p95Ms }) => (
            <tr key={at}>
              <th scope="row">{new Date(at).toLocaleString('en-GB')}</th>
              <td>{formatCount(calls)}</td>
              <td>{formatCount(errors)}</td>
              <td>{formatDuration(p50Ms)}</td>
              <td>{formatDuration(p95Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
