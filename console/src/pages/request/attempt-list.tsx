import type { ReactNode } from 'react';
import { formatDuration } from '../../kit/numbers.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';
import { type TrailAttempt, toneOf } from './request-trail.js';

const text = textOf('request');

/** Renders the attempts of a call on a common time axis, each with its result and the reason for it. */
export function AttemptList({
  attempts,
  totalMs,
}: {
  readonly attempts: readonly TrailAttempt[];
  readonly totalMs: number;
}): ReactNode {
  const end = Math.max(totalMs, ...attempts.map(({ atMs, ms }) => atMs + ms), 1);
  return (
    <ol className="gh-attempts">
      {attempts.map((attempt, at) => (
        <li key={`${attempt.atMs} ${attempt.origin} ${at}`}>
          <AttemptHead attempt={attempt} />
          <AttemptBar attempt={attempt} end={end} />
          <AttemptFacts attempt={attempt} />
          {attempt.text !== null && (
            <pre className="gh-attempt-text" tabIndex={0} role="group" aria-label={text('answer')}>
              {attempt.text}
            </pre>
          )}
        </li>
      ))}
    </ol>
  );
}

function AttemptHead({
  attempt: { method, origin, path, status, code, ms },
}: {
  readonly attempt: TrailAttempt;
}): ReactNode {
  return (
    <div className="gh-attempt-head">
      <StatusLabel status={toneOf(status)}>{status ?? code}</StatusLabel>
      <span className="gh-number">{formatDuration(ms)}</span>
      <code>{`${method} ${origin}${path}`}</code>
    </div>
  );
}

/** Renders when the attempt waited and when it ran, in the time of the whole call. */
function AttemptBar({
  attempt: { atMs, ms, queuedMs, status },
  end,
}: {
  readonly attempt: TrailAttempt;
  readonly end: number;
}): ReactNode {
  const label = text('bar', { from: formatDuration(atMs), duration: formatDuration(ms) });
  const percent = (value: number): number => (value / end) * 100;
  return (
    <svg
      className="gh-attempt-bar"
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect className="gh-track" x="0" y="0" width="100" height="8" />
      {queuedMs > 0 && (
        <rect
          className="gh-wait"
          x={percent(Math.max(0, atMs - queuedMs))}
          y="0"
          width={percent(Math.min(queuedMs, atMs))}
          height="8"
        />
      )}
      <rect
        data-tone={toneOf(status)}
        x={percent(atMs)}
        y="0"
        width={Math.max(percent(ms), 0.8)}
        height="8"
      />
    </svg>
  );
}

function AttemptFacts({
  attempt: { reason, breaker, queuedMs, secrets },
}: {
  readonly attempt: TrailAttempt;
}): ReactNode {
  return (
    <div className="gh-quiet">
      {[
        text(reason),
        ...(queuedMs > 0 ? [text('queued', { duration: formatDuration(queuedMs) })] : []),
        ...(breaker !== null && breaker !== 'closed'
          ? [text(breaker === 'open' ? 'breakerOpen' : 'breakerTrial')]
          : []),
        ...secrets.map(({ path, version }) =>
          version === null ? text('secret', { path }) : text('secretVersion', { path, version }),
        ),
      ].join(' · ')}
    </div>
  );
}
