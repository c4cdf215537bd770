import type { Reply } from '../../../core/operation.js';
import { Problem } from '../../../core/problem.js';
import { revisionTag } from '../../../core/revision-tag.js';
import { type Task, taskUrl } from '../../../core/task.js';
import type { TasksDeps } from './deps.js';
import { allowedOrigins } from './postmessage-origins.js';

/** The answer that shows a task, with its revision. */
export function taskReply(task: Task, { taskLimits }: Pick<TasksDeps, 'taskLimits'>): Reply {
  const { id, view, ...rest } = task;
  const messageOrigins = allowedOrigins(task.returnTo, taskLimits());
  return { body: { id, view, url: taskUrl(task), ...rest, messageOrigins }, headers: revisionTag(task) };
}

/** The Problem of a task that is not there. */
export function noSuchTask(id: string): Problem {
  return new Problem('task_not_found', `There is no task "${id}".`);
}
