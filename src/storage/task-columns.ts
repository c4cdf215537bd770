import { createHash } from 'node:crypto';
import { type TaskHead, ANY_READER, assigneeKeyOf } from '../core/task.js';

/** Returns the columns of `taskAccess` that lists sort by. Tasks of earlier versions do not have all members. */
export function taskOrderColumns({ assignee, excludeRequester, due }: Partial<TaskHead>) {
  return {
    assignee: assignee ? hashOf(assigneeKeyOf(assignee)) : null,
    excludesOwner: excludeRequester === true ? 1 : 0,
    due: due ?? null,
  };
}

/** Hashes a key, because indexed columns have a maximum length and PostgreSQL stores no NUL. */
export function hashOf(key: string): string {
  return key === ANY_READER ? key : createHash('sha256').update(key).digest('hex');
}
