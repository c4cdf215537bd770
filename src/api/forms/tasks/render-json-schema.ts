import { ownMember } from '../../../core/json-object.js';
import type { Operation } from '../../../core/operation.js';
import { REVISION } from '../../../core/revision-tag.js';
import type { Question } from '../../../core/task.js';
import { bindingSchema } from '../form-schema.js';
import type { TasksDeps } from './deps.js';
import { openTask, type TaskOptions, titleFrom, taskOptionProperties } from './open-task.js';
import { taskSchema } from './task-schema.js';

interface RenderJsonSchemaBody extends TaskOptions {
  readonly jsonSchema: Question['schema'];
  readonly uiSchema?: object | null;
  readonly bindingSchema?: object | null;
  readonly validationSchema?: object | null;
  readonly formData?: unknown;
}

const requestSchema = {
  title: 'Task RenderJsonSchema',
  type: 'object',
  required: ['jsonSchema'],
  additionalProperties: false,
  properties: {
    jsonSchema: {
      type: ['object', 'boolean'],
      description: 'JSON Schema of the data; 2020-12 without $schema',
    },
    uiSchema: { type: ['object', 'null'], description: 'How the fields are shown' },
    bindingSchema,
    validationSchema: { type: ['object', 'array', 'null'], description: 'Further rules' },
    formData: { description: 'What the form begins with; an empty object when it is left out' },
    ...taskOptionProperties,
  },
} as const;

/** Opens a task with a form that a JSON Schema describes (wire 4.12, decision 6). */
export const renderJsonSchema: Operation<TasksDeps, RenderJsonSchemaBody> = {
  id: 'renderJsonSchema',
  summary: 'Open a task that shows a JSON schema as a form.',
  method: 'POST',
  path: '/task/RenderJsonSchema',
  roles: ['admin', 'engineering'],
  body: requestSchema,
  reply: taskSchema,
  replyHeaders: REVISION,
  audited: true,
  handle(call, deps) {
    const { jsonSchema, uiSchema, bindingSchema, validationSchema, formData } = call.body;
    const asked = {
      view: 'RenderJsonSchema',
      title: titleFrom(ownMember(jsonSchema, 'title')) ?? 'JSON Schema',
      schema: jsonSchema,
      uiSchema: uiSchema ?? {},
      bindingSchema: bindingSchema ?? {},
      validationSchema: validationSchema ?? {},
      formData: formData === undefined ? {} : formData,
      warnings: [],
    } as const;
    return openTask(asked, call, deps);
  },
};
