import { type ReactNode, useState } from 'react';
import type { ApiProblem } from '../api/problem.js';
import { RETRY_MS, tryConnection } from '../api/use-retry.js';
import { useSecondsLeft, useSessionEnded } from '../api/use-session-ended.js';
import { Button } from '../form/view/controls.js';
import { formatCountdown } from '../text/span.js';
import { SignInLink, TaskDialog } from './parts.js';
import { text } from './task-text.js';

/** Shows why a request failed, and what the person can do. */
export function ProblemNotice({ problem }: { readonly problem: ApiProblem }): ReactNode {
  const isEnded = useSessionEnded();
  if (problem.status === 401)
    return isEnded ? null : (
      <div className="gh-task-notice" data-kind="warning" role="status">
        <p>{text('signedInAgain')}</p>
      </div>
    );
  const { message, hint } = wordsOf(problem);
  return (
    <div className="gh-task-notice" data-kind="bad" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      {hint !== '' && <p>{hint}</p>}
      {problem.requestId !== undefined && (
        <p className="gh-task-quiet">{text('request', { id: problem.requestId })}</p>
      )}
    </div>
  );
}

interface Words {
  readonly message: string;
  /** What the person does next. The recommendation of the server is for programs. */
  readonly hint: string;
}

function wordsOf({ code, status, message }: ApiProblem): Words {
  switch (code) {
    case 'requester_excluded':
      return { message: text('requesterExcluded'), hint: '' };
    case 'body_too_large':
      return { message: text('tooLarge'), hint: text('tooLargeHint') };
    case 'unreachable':
      return { message: text('unreachable'), hint: text('unreachableHint') };
    default:
      return { message, hint: status >= 500 ? text('tryAgain') : '' };
  }
}

/** Reports that the server does not answer, and offers to try again. */
export function ConnectionNotice({ isLost }: { readonly isLost: boolean }): ReactNode {
  if (!isLost) return null;
  return (
    <div className="gh-task-notice" data-kind="warning">
      <p role="status">
        <strong>{text('lost')}</strong> {text('lostHint', { seconds: RETRY_MS / 1000 })}
      </p>
      <Button onClick={tryConnection}>{text('lostRetry')}</Button>
    </div>
  );
}

/** Asks the person to sign in again in a new window when the session has ended. The entered data stays. */
export function SessionEndedDialog(): ReactNode {
  return useSessionEnded() ? <SignInDialog /> : null;
}

function SignInDialog(): ReactNode {
  const [isClosed, setClosed] = useState(false);
  const hint = <p>{text('sessionEndedHint')}</p>;
  const link = <SignInLink kind="primary">{text('signInAgain')}</SignInLink>;
  // A person who closes the dialog still reads the form, and still finds the link.
  if (isClosed)
    return (
      <div className="gh-task-notice" data-kind="warning" role="status">
        <p>
          <strong>{text('sessionEnded')}</strong>
        </p>
        {hint}
        {link}
      </div>
    );
  return (
    <TaskDialog title={text('sessionEnded')} onClose={() => setClosed(true)}>
      {hint}
      <div className="gh-actions">
        {link}
        <Button onClick={() => setClosed(true)}>{text('backToForm')}</Button>
      </div>
    </TaskDialog>
  );
}

/** Counts down the last minutes of a session that cannot be renewed. `endsAt` is in milliseconds since 1970. */
export function SessionCountdown({ endsAt }: { readonly endsAt: number | undefined }): ReactNode {
  const seconds = useSecondsLeft(endsAt);
  const isEnded = useSessionEnded();
  const [answered, setAnswered] = useState<number>();
  if (seconds === undefined || isEnded || answered === endsAt) return null;
  return (
    <div className="gh-task-notice" data-kind="warning">
      <p role="timer">{text('sessionEnds', { time: formatCountdown(seconds) })}</p>
      <SignInLink onClick={() => setAnswered(endsAt)}>{text('signInAgain')}</SignInLink>
    </div>
  );
}
