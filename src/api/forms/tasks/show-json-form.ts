import type { Form } from '../../../core/form.js';
import type { Operation } from '../../../core/operation.js';
import { Problem } from '../../../core/problem.js';
import { REVISION } from '../../../core/revision-tag.js';
import type { TasksDeps } from './deps.js';
import { openTask, type TaskOptions, titleFrom, taskOptionProperties } from './open-task.js';
import { taskSchema } from './task-schema.js';

interface ShowJsonFormBody extends TaskOptions {
  readonly form_id: string;
  readonly instance_data?: unknown;
}

const requestSchema = {
  title: 'Task ShowJsonForm',
  type: 'object',
  required: ['form_id'],
  additionalProperties: false,
  properties: {
    form_id: { type: 'string', minLength: 1, description: 'Id or name of a form' },
    instance_data: { description: 'What the form begins with; an empty object when it is left out' },
    ...taskOptionProperties,
  },
} as const;

/** Opens a task with the current state of a stored form (wire 4.12, decision 6). */
export const showJsonForm: Operation<TasksDeps, ShowJsonFormBody> = {
  id: 'showJsonForm',
  summary: 'Open a task that shows a JSON form.',
  method: 'POST',
  path: '/task/ShowJsonForm',
  roles: ['admin', 'engineering'],
  body: requestSchema,
  reply: taskSchema,
  replyHeaders: REVISION,
  audited: true,
  target: ({ body: { form_id } }) => form_id,
  async handle(call, deps) {
    const { form_id, instance_data } = call.body;
    const found = await deps.forms.find(form_id);
    if (!found) throw new Problem('form_not_found', `There is no form "${form_id}".`);
    const { name, schema, uiSchema, bindingSchema, validationSchema } = JSON.parse(found.json) as Form;
    const asked = {
      view: 'ShowJsonForm',
      title: titleFrom(name) ?? found.id,
      schema,
      uiSchema,
      bindingSchema,
      validationSchema,
      formData: instance_data === undefined ? {} : instance_data,
      warnings: [],
    } as const;
    return openTask(asked, call, deps);
  },
};
