import type { Operation } from '../../../core/operation.js';
import { REVISION } from '../../../core/revision-tag.js';
import type { TasksDeps } from './deps.js';
import { noSuchTask, taskReply } from './task-reply.js';
import { taskSchema } from './task-schema.js';

/** Returns a complete task: its form, its draft and its outcome. Throws `task_not_found`. */
export const getTask: Operation<TasksDeps> = {
  id: 'getTask',
  summary: 'Get a task with its form, its draft and its outcome.',
  method: 'GET',
  path: '/tasks/:id',
  roles: ['admin', 'engineering'],
  reply: taskSchema,
  replyHeaders: REVISION,
  async handle({ params: { id = '' } }, deps) {
    const task = await deps.tasks.find(id);
    if (!task) throw noSuchTask(id);
    return taskReply(task, deps);
  },
};
