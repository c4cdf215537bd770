import type { Reply } from '../../../core/operation.js';
import { Problem } from '../../../core/problem.js';
import { revisionTag } from '../../../core/revision-tag.js';
import { type Task, taskUrl } from '../../../core/task.js';
import type { TasksDeps } from './deps.js';
import { allowedOrigins } from './postmessage-origins.js';

/** Creates the reply with a task and its revision. */
export function taskReply(task: Task, { taskLimits }: Pick<TasksDeps, 'taskLimits'>): Reply {
  const { id, view, ...rest } = task;
  const messageOrigins = allowedOrigins(task.returnTo, taskLimits());
  return { body: { id, view, url: taskUrl(task), ...rest, messageOrigins }, headers: revisionTag(task) };
}

/** Creates the Problem of a task that does not exist. */
export function noSuchTask(id: string): Problem {
  return new Problem('task_not_found', `There is no task "${id}".`);
}
