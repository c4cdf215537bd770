import type { Operation } from '../../../core/operation.js';
import { REVISION } from '../../../core/revision-tag.js';
import { changeTask } from './change-task.js';
import type { TasksDeps } from './deps.js';
import { taskSchema } from './task-schema.js';

interface DraftBody {
  readonly formData: unknown;
}

const requestSchema = {
  title: 'Draft of a task',
  type: 'object',
  required: ['formData'],
  additionalProperties: false,
  properties: { formData: { description: 'Any JSON value; it need not fit the schema' } },
} as const;

/** Keeps what a person has filled in so far. With If-Match, only when nobody else has changed the task. */
export const saveTaskDraft: Operation<TasksDeps, DraftBody> = {
  id: 'saveTaskDraft',
  summary: 'Keep what a person has filled in so far.',
  method: 'PUT',
  path: '/tasks/:id/draft',
  roles: ['admin', 'engineering'],
  body: requestSchema,
  reply: taskSchema,
  replyHeaders: REVISION,
  audited: true,
  handle: (call, deps) =>
    changeTask(call, deps, (_task, hand) => ({ draft: { formData: call.body.formData, ...hand } })),
};
