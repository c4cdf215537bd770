import type { ReactNode } from 'react';
import { formatDuration } from '../../kit/numbers.js';
import type { Status } from '../../kit/status-kinds.js';
import { StatusLabel } from '../../kit/status.js';
import { formatTime } from '../../kit/time.js';
import { textOf } from '../../text/text.js';
import { type ConnectionStep, type ConnectionTest, firstWith } from './connection-test.js';
import './configure.css';

const text = textOf('configure');

const STEP_NAMES = {
  name: 'stepName',
  tcp: 'stepTcp',
  tls: 'stepTls',
  login: 'stepLogin',
  read: 'stepRead',
} as const;

const STATUS: Readonly<Record<ConnectionStep['verdict'], Status>> = {
  ok: 'good',
  warning: 'warning',
  failed: 'bad',
  skipped: 'off',
};

/** Returns the result of a test in one sentence. */
function summaryOf(test: ConnectionTest): string {
  const failed = firstWith(test, 'failed');
  if (failed) return text('testFailed', { step: text(STEP_NAMES[failed.step]) });
  return firstWith(test, 'warning') ? text('testWarned') : text('testPassed');
}

/** Renders the steps of a connection test, with what to do about each failure. */
export function ConnectionResult({ test }: { readonly test: ConnectionTest }): ReactNode {
  return (
    <div className="gh-stack">
      <p role="status">
        <strong>{summaryOf(test)}</strong>
      </p>
      {test.targets.map(({ baseUrl, steps }) => (
        <div key={baseUrl}>
          <p className="gh-quiet gh-connection-url">{baseUrl}</p>
          <ol className="gh-connection" aria-label={baseUrl}>
            {steps.map((step) => (
              <Step key={step.step} step={step} />
            ))}
          </ol>
        </div>
      ))}
    </div>
  );
}

function Step({
  step: { step, verdict, ms, message, fix, certificate },
}: {
  readonly step: ConnectionStep;
}): ReactNode {
  return (
    <li>
      <span className="gh-connection-name">{text(STEP_NAMES[step])}</span>
      <span>
        <StatusLabel status={STATUS[verdict]}>{text(verdict)}</StatusLabel>
      </span>
      <span className="gh-connection-time gh-quiet">{ms === null ? '' : formatDuration(ms)}</span>
      <div className="gh-connection-words">
        <p>{message}</p>
        {fix !== null && <p className="gh-quiet">{fix}</p>}
        {certificate && (
          <p className="gh-quiet">
            {text('certificate', {
              subject: certificate.subject,
              issuer: certificate.issuer,
              end: formatTime(certificate.notAfter),
            })}
          </p>
        )}
      </div>
    </li>
  );
}
