import type { ReactNode } from 'react';
import type { ApiProblem } from '../api/problem.js';
import { TaskTime } from './task-time.js';

/** Shows why a request failed, and what to do next. */
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
  readonly onTakeUp: () => void;
}

/** Shown if two people edited the same task: no edits are lost or overwritten unnoticed. */
export function ConflictNotice({ by, at, onTakeUp }: ConflictNoticeProps): ReactNode {
  return (
    <div className="gh-task-notice" data-kind="warning" role="alert">
      <p>
        <strong>{by} saved this task meanwhile</strong>, on <TaskTime at={at} />. What you changed is still
        here.
      </p>
      <button type="button" className="gh-task-button" onClick={onTakeUp}>
        Put my changes on top of theirs
      </button>
    </div>
  );
}
