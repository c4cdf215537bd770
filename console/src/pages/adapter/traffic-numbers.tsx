import type { ReactNode } from 'react';
import type { Mark } from '../../api/observe.js';
import type { Status } from '../../kit/status-kinds.js';
import { StatusLabel } from '../../kit/status.js';
import { formatTime, Time } from '../../kit/time.js';
import { textOf } from '../../text/text.js';

const text = textOf('traffic');

const EVENT_STATUS: Readonly<Record<Mark['kind'], Status>> = {
  started: 'good',
  restarted: 'good',
  stopped: 'off',
  broken: 'bad',
  rotated: 'busy',
  'secret-accepted': 'good',
  'secret-refused': 'bad',
  'secret-untested': 'warning',
  configured: 'busy',
  reloaded: 'busy',
  removed: 'off',
  offline: 'bad',
  'login-refused': 'bad',
  online: 'good',
  'breaker-open': 'bad',
  'breaker-closed': 'good',
  paused: 'warning',
  blocked: 'warning',
  resumed: 'good',
  scheduled: 'busy',
  unscheduled: 'off',
  'log-level': 'busy',
  created: 'good',
  updated: 'busy',
  'rolled-back': 'busy',
  activated: 'busy',
  deactivated: 'off',
  confirmed: 'good',
  canceled: 'busy',
  reverted: 'warning',
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
      {marks.map(({ at, kind, text: words, reason, until }, index) => (
        <li key={`${at} ${index}`}>
          <span className="gh-quiet">
            <Time at={at} />
          </span>
          <StatusLabel status={EVENT_STATUS[kind]}>{text(`event.${kind}`)}</StatusLabel>
          <span>
            {words}
            {until !== null && ` · ${text('actUntil', { time: formatTime(until) })}`}
            {reason !== null && ` · ${text('actReason', { reason })}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
