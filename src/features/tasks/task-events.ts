import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { TasksDeps } from './deps.js';
import { requireAccess, taskNotFound } from './task-reply.js';

/**
 * Streams the state of a task, and who else has it open, as server-sent events. The stream ends when its token
 * expires or any token is revoked.
 */
export const getTaskEvents: Operation<TasksDeps> = {
  id: 'getTaskEvents',
  summary: 'Stream the changes of a task, and who has it open.',
  description:
    'Sends an event at once, and after each change of the task or of the people who have it open at this server. Each process has a limited number of listeners.',
  problems: ['task_not_found', 'too_many_listeners'],
  method: 'GET',
  path: '/tasks/:id/events',
  roles: ['admin', 'engineering'],
  reply: {
    title: 'Events of a task',
    type: 'string',
    description:
      'Event `task`: {"revision", "status", "lastUpdated", "lastUpdatedByName", "people": [names of others who have the task open], "tokenEnds": RFC 3339}',
  },
  replyType: 'text/event-stream',
  replyHeaders: { 'x-accel-buffering': '`no`: proxies must forward each event immediately' },
  async handle({ params: { id = '' }, principal, signal }, { tasks, taskEvents }) {
    const task = await tasks.find(id);
    if (!task) throw taskNotFound(id);
    requireAccess(task, principal);
    if (!principal) throw new Problem('internal', 'getTaskEvents was opened to callers without a token');
    return {
      body: { livePieces: taskEvents.listen(task, { principal, signal }) },
      headers: { 'x-accel-buffering': 'no' },
    };
  },
};
