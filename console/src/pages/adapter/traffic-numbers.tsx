import type { ReactNode } from 'react';
import type { TrafficCell, Mark } from '../../api/observe.js';
import { countWords, tookWords } from '../../kit/numbers.js';
import { StatusLabel } from '../../kit/status.js';
import type { Status } from '../../kit/status-kinds.js';
import { Ago } from '../../kit/time.js';

const KINDS: Readonly<Record<Mark['kind'], readonly [status: Status, word: string]>> = {
  started: ['good', 'started'],
  restarted: ['good', 'restarted'],
  stopped: ['off', 'stopped'],
  broken: ['bad', 'broken'],
  configured: ['busy', 'configured'],
  removed: ['off', 'removed'],
  offline: ['bad', 'offline'],
  online: ['good', 'online'],
  'breaker-open': ['bad', 'breaker open'],
  'breaker-closed': ['good', 'breaker closed'],
};

/** Number of events shown at first. */
const MOST = 6;

/** The content of a timeline as text and numbers: events, and every cell. */
export function TrafficNumbers({
  cells,
  marks,
}: {
  readonly cells: readonly TrafficCell[];
  readonly marks: readonly Mark[];
}): ReactNode {
  const latest = marks.toReversed();
  return (
    <>
      {latest.length > 0 && <TrafficMarkers marks={latest.slice(0, MOST)} />}
      {latest.length > MOST && (
        <details className="gh-fold">
          <summary>{latest.length - MOST} earlier events</summary>
          <TrafficMarkers marks={latest.slice(MOST)} />
        </details>
      )}
      <details className="gh-fold">
        <summary>Show as table</summary>
        {cells.length === 0 ? <p>No calls in this time range.</p> : <Cells cells={cells} />}
      </details>
    </>
  );
}

function TrafficMarkers({ marks }: { readonly marks: readonly Mark[] }): ReactNode {
  return (
    <ul className="gh-marks">
      {marks.map(({ at, adapter, kind, text }, index) => (
        <li key={`${at} ${index}`}>
          <span className="gh-quiet">
            <Ago at={at} />
          </span>
          <StatusLabel status={KINDS[kind][0]}>{KINDS[kind][1]}</StatusLabel>
          <span>{adapter === null ? `gatehouse: ${text}` : text}</span>
        </li>
      ))}
    </ul>
  );
}

function Cells({ cells }: { readonly cells: readonly TrafficCell[] }): ReactNode {
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
              <td>{countWords(calls)}</td>
              <td>{countWords(errors)}</td>
              <td>{tookWords(p50Ms)}</td>
              <td>{tookWords(p95Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
