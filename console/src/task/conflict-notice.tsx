import type { ReactNode } from 'react';
import { TaskTime } from './task-time.js';

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
