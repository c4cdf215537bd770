import type { Operation } from '../../../core/operation.js';
import { REVISION } from '../../../core/revision-tag.js';
import type { YangSchema } from '../../../core/yang.js';
import { compileTexts, type YangTexts, yangTextProperties } from '../yang-texts.js';
import type { TasksDeps } from './deps.js';
import { invalidMember } from './invalid-member.js';
import { openTask, type TaskOptions, taskOptionProperties } from './open-task.js';
import { taskSchema } from './task-schema.js';

interface RenderYangFormBody extends TaskOptions, Omit<YangTexts, 'target' | 'draft' | 'content'> {
  readonly module?: string;
  readonly formData?: unknown;
}

const requestSchema = {
  title: 'Task RenderYangForm',
  type: 'object',
  required: ['yangData'],
  additionalProperties: false,
  properties: {
    ...yangTextProperties,
    module: {
      type: 'string',
      minLength: 1,
      description: 'Main module to show; the only one when it is left out',
    },
    formData: {
      description: 'RFC 7951 document that the form begins with; an empty object when it is left out',
    },
    ...taskOptionProperties,
  },
} as const;

/** Opens a task with a form for the configuration that a YANG module describes (wire 4.12, decision 6). */
export const renderYangForm: Operation<TasksDeps, RenderYangFormBody> = {
  id: 'renderYangForm',
  summary: 'Open a task that shows a YANG module as a form.',
  method: 'POST',
  path: '/task/RenderYangForm',
  roles: ['admin', 'engineering'],
  body: requestSchema,
  reply: taskSchema,
  replyHeaders: REVISION,
  audited: true,
  target: ({ body: { adapterId } }) => adapterId ?? '',
  async handle(call, deps) {
    const { module, formData } = call.body;
    const { schemas } = await compileTexts(call.body, call, deps.yang);
    const { schema, uiSchema, warnings, module: title } = moduleAmong(schemas, module);
    const asked = {
      view: 'RenderYangForm',
      title,
      schema,
      uiSchema,
      warnings,
      bindingSchema: {},
      validationSchema: {},
      formData: formData === undefined ? {} : formData,
    } as const;
    return openTask(asked, call, deps);
  },
};

/** Returns the selected module. Throws `invalid_request` with the choices. */
function moduleAmong(schemas: readonly YangSchema[], name: string | undefined): YangSchema {
  const named = name === undefined ? schemas : schemas.filter(({ module }) => module === name);
  const [found] = named;
  if (found && named.length === 1) return found;
  const choices = schemas.map(({ module }) => module).join(', ');
  throw invalidMember('/module', `must be one of these main modules: ${choices}`);
}
