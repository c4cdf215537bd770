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

/** Stores the current input of a person. With `If-Match`, fails if the task has changed in the meantime. */
export const saveTaskDraft: Operation<TasksDeps, DraftBody> = {
  id: 'saveTaskDraft',
  summary: 'Save the draft of a task.',
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
