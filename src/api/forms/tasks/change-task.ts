import type { Call, Reply } from '../../../core/operation.js';
import { Problem } from '../../../core/problem.js';
import { revisionTag, seenRevision } from '../../../core/revision-tag.js';
import type { Task } from '../../../core/task.js';
import type { TasksDeps } from './deps.js';
import { withinLimit } from '../within-limit.js';
import { noSuchTask, taskReply } from './task-reply.js';

/** Author and time of a change to a task. */
export interface Hand {
  readonly by: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/**
 * Returns the task if it is open and at the revision that the caller saw. Throws `task_finished` and
 * `precondition_failed`.
 */
export function demandOpen(task: Task, seen: number | undefined): Task {
  const { outcome, revision } = task;
  if (outcome)
    throw new Problem(
      'task_finished',
      `The task was ${outcome.status} by ${outcome.by} at ${outcome.at}, and stays as it is.`,
    );
  if (seen === undefined || seen === revision) return task;
  throw new Problem(
    'precondition_failed',
    `The task is at revision ${revision}; it was changed since it was read.`,
    { headers: revisionTag(task) },
  );
}

/**
 * Changes the task of a call if the task is open and at the revision that the caller saw. Throws
 * `task_not_found`, `task_finished`, `precondition_failed` (with the current revision in `ETag`) and
 * `body_too_large`.
 */
export async function changeTask(
  call: Call,
  deps: TasksDeps,
  change: (task: Task, hand: Hand) => Partial<Task>,
): Promise<Reply & { readonly change: NonNullable<Reply['change']> }> {
  const { id = '' } = call.params;
  const seen = seenRevision(call);
  const { maxBytes } = deps.taskLimits();
  const hand = { by: call.principal?.subject ?? '', at: new Date(deps.now()).toISOString() };
  let before: Task | undefined;
  const updated = await deps.tasks.update(id, (task) => {
    before = demandOpen(task, seen);
    const next = { ...task, ...change(task, hand), lastUpdated: hand.at, lastUpdatedBy: hand.by };
    return withinLimit(next, { maxBytes, what: 'task' });
  });
  if (!updated) throw noSuchTask(id);
  return { ...taskReply(updated, deps), change: { before, after: updated } };
}
