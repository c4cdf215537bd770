import type { ReactNode } from 'react';
import type { ApiProblem } from '../api/problem.js';
import { TaskTime } from './task-time.js';

/** Shows why a request failed, and what the user can do. */
export function ProblemNotice({ problem }: { readonly problem: ApiProblem }): ReactNode {
  const { message, recommendation, requestId } = problem;
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
