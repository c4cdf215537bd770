import type { ReactNode } from 'react';
import type { Mark } from '../../api/observe.js';
import { StatusLabel } from '../../kit/status.js';
import type { Status } from '../../kit/status-kinds.js';
import { Ago } from '../../kit/time.js';
import { textOf } from '../../text/text.js';

const text = textOf('traffic');

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

/** Renders the events of a time, latest first. */
export function TimelineEvents({ marks }: { readonly marks: readonly Mark[] }): ReactNode {
  const latest = marks.toReversed();
  return (
    <>
      <EventList marks={latest.slice(0, MAX_SHOWN_EVENTS)} />
      {latest.length > MAX_SHOWN_EVENTS && (
        <details className="gh-fold">
          <summary>{text('earlierEvents', { count: latest.length - MAX_SHOWN_EVENTS })}</summary>
          <EventList marks={latest.slice(MAX_SHOWN_EVENTS)} />
        </details>
      )}
    </>
  );
}

function EventList({ marks }: { readonly marks: readonly Mark[] }): ReactNode {
  return (
    <ul className="gh-marks">
      {marks.map(({ at, kind, text: words }, index) => (
        <li key={`${at} ${index}`}>
          <span className="gh-quiet">
            <Ago at={at} />
          </span>
          <StatusLabel status={EVENT_LABELS[kind][0]}>{EVENT_LABELS[kind][1]}</StatusLabel>
          <span>{words}</span>
        </li>
      ))}
    </ul>
  );
}
