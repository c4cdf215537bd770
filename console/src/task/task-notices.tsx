import type { ReactNode } from 'react';
import type { ApiProblem } from '../api/problem.js';
import { useSessionEnded, useSignInAgainPath } from '../api/use-session-ended.js';
import { TaskTime } from './task-time.js';

/** Offers a sign-in in a new window when the session has ended; the entered data stays. */
export function SessionEndedNotice(): ReactNode {
  return useSessionEnded() ? <SignInAgain /> : null;
}

function SignInAgain(): ReactNode {
  const path = useSignInAgainPath();
  return (
    <div className="gh-task-notice" data-kind="warning" role="alert">
      <p>
        <strong>Your session has ended.</strong> The sign-in opens in a new window. What you entered on this
        page is kept.
      </p>
      <a className="gh-task-button" href={path} target="_blank" rel="noreferrer">
        Sign in again
      </a>
    </div>
  );
}

/** Shows why a request failed, and what the user can do. */
export function ProblemNotice({ problem }: { readonly problem: ApiProblem }): ReactNode {
  const { message, recommendation, requestId } = problem;
  const isEnded = useSessionEnded();
  if (problem.status === 401)
    return isEnded ? null : (
      <div className="gh-task-notice" data-kind="warning" role="status">
        <p>You are signed in again. Repeat the action: the server did not carry it out.</p>
      </div>
    );
  return (
    <div className="gh-task-notice" data-kind="bad" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      {recommendation !== undefined && <p>{recommendation}</p>}
      {requestId !== undefined && <p className="gh-task-quiet">Request {requestId}</p>}
    </div>
  );
}

export interface ConflictNoticeProps {
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
  readonly onApply: () => void;
}

/** Shown if another user saved the task during the edit. The user decides when to merge the two versions. */
export function ConflictNotice({ by, at, onApply }: ConflictNoticeProps): ReactNode {
  return (
    <div className="gh-task-notice" data-kind="warning" role="alert">
      <p>
        <strong>{by} saved a newer version of this task</strong> on <TaskTime at={at} />. Your changes are not
        saved yet.
      </p>
      <button type="button" className="gh-task-button" onClick={onApply}>
        Apply my changes to the new version
      </button>
    </div>
  );
}
