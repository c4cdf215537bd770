import { assigneeKeyOf } from '../core/task-access.js';
import type { TaskHead } from '../core/task.js';
import { hashOf } from './task-reader.js';

/** Returns the columns of `taskAccess` that lists sort by. Tasks of earlier versions do not have all members. */
export function taskOrderColumns({ assignee, excludeRequester, due }: Partial<TaskHead>) {
  return {
    assignee: assignee ? hashOf(assigneeKeyOf(assignee)) : null,
    excludesOwner: excludeRequester === true ? 1 : 0,
    due: due ?? null,
  };
}
