import type { ReactNode } from 'react';
import { isOverdue } from '../../../src/core/task.js';
import { dueText } from '../text/due-text.js';
import { useNow } from '../text/use-now.js';
import type { Task } from './server.js';
import { TaskTime } from './task-time.js';

/** Interval in which the page updates how far the deadline is, in milliseconds. */
const REFRESH_MS = 10_000;

/** How far the deadline of an open task is, and its local time. An overdue task can still be decided. */
export function TaskDue({ task }: { readonly task: Pick<Task, 'status' | 'due'> }): ReactNode {
  const now = useNow(REFRESH_MS);
  const { due } = task;
  if (due === null) return null;
  return (
    <p className="gh-task-due">
      <strong className="gh-task-state" data-kind={isOverdue(task, now) ? 'bad' : undefined}>
        {dueText(due, now)}
      </strong>{' '}
      <span className="gh-task-quiet">
        <TaskTime at={due} />
      </span>
    </p>
  );
}
