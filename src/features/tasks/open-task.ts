import type { Call, Operation, Reply } from '../../core/operation.js';
import { callerName } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { TaskAudience, TaskView } from '../../core/task.js';
import { ownMember } from '../../json/json-object.js';
import { readStoredJson } from '../../json/strict-json.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { bindingSchema, uiSchema } from '../forms/form-schema.js';
import type { Form } from '../forms/form-store.js';
import { withinLimit } from '../forms/form.js';
import { compileTexts, yangTextProperties } from '../forms/yang-texts.js';
import { ADAPTER_CALL_PROBLEMS } from '../lib/adapter-problems.js';
import { REVISION } from '../lib/revision-tag.js';
import type { YangSchema, YangSchemaJson } from '../yang-forms/yang.js';
import type { TasksDeps } from './deps.js';
import { isPartialAsked, taskFormQuerySchema } from './partial-schema.js';
import {
  audienceOf,
  dueOf,
  returnToOf,
  type TaskOptions,
  taskOptionProperties,
  titleOf,
} from './task-options.js';
import { invalidMember, taskReply, taskSchema } from './task-reply.js';
import type { Question, Task } from './task.js';
import { validateTaskData } from './validate-data.js';

/** A task to open; `title` is the title of the view, which applies if the caller sends no title. */
type TaskRequest = Omit<Question, 'dialect' | 'returnTo'> & Pick<Task, 'view' | 'title' | 'proposal'>;

/**
 * Opens a task. Throws `invalid_request` for an origin that is not allowed, an ambiguous assignee or a deadline that is no time, `schema_invalid` and
 * `schema_too_costly` for a schema that cannot be applied, `body_too_large` and `too_many_tasks`.
 */
export async function openTask(
  request: TaskRequest,
  call: Call<TaskOptions>,
  deps: TasksDeps,
): Promise<Reply> {
  const isPartial = isPartialAsked(call.query);
  const { maxBytes, ...quotas } = deps.taskLimits();
  const returnTo = returnToOf(call.body, deps);
  const audience = audienceOf(call, deps);
  const due = dueOf(call.body);
  // The person may still correct invalid data, but a schema that cannot be applied is an error.
  const { dialect } = await validateTaskData(request, deps, call);
  const title = call.body.title ?? request.title;
  const excludeRequester = quotas.excludeRequester || call.body.excludeRequester === true;
  const identity = newTask(request.view, call, deps);
  const task = { ...identity, ...request, ...audience, excludeRequester, due, title, dialect, returnTo };
  await deps.tasks.open(withinLimit(task, { maxBytes, what: 'task' }), quotas);
  return { ...taskReply(task, isPartial, deps), outcome: task.id, change: { after: task } };
}

type NewTask = Omit<
  Task,
  keyof Question | keyof TaskAudience | 'title' | 'excludeRequester' | 'due' | 'proposal'
>;

function newTask(view: TaskView, { principal }: Call, deps: TasksDeps): NewTask {
  const created = new Date(deps.now()).toISOString();
  const { subject: createdBy = '', issuer: createdByIssuer = '' } = principal ?? {};
  const createdByName = principal ? callerName(principal) : '';
  return {
    id: deps.newTaskId(),
    view,
    status: 'open',
    revision: 1,
    created,
    createdBy,
    createdByIssuer,
    createdByName,
    lastUpdated: created,
    lastUpdatedBy: createdBy,
    lastUpdatedByIssuer: createdByIssuer,
    lastUpdatedByName: createdByName,
    draft: null,
    outcome: null,
  };
}

const jsonFormRequestSchema = {
  title: 'Task ShowJsonForm',
  type: 'object',
  required: ['form_id'],
  additionalProperties: false,
  properties: {
    form_id: { type: 'string', minLength: 1, description: 'Id or name of a form' },
    instance_data: { description: 'Initial data of the form; default an empty object' },
    ...taskOptionProperties,
  },
} as const;

/** Opens a task with the current state of a stored form (wire 4.12, decision 6). */
export const showJsonForm: Operation<TasksDeps, FromSchema<typeof jsonFormRequestSchema>> = {
  id: 'showJsonForm',
  summary: 'Open a task that shows a JSON form.',
  description:
    'Creates a task with the current state of a stored form. A person completes the task on the page at `url`.',
  problems: ['form_not_found', 'too_many_tasks', 'schema_invalid', 'schema_too_costly', 'validation_busy'],
  method: 'POST',
  path: '/task/ShowJsonForm',
  roles: ['admin', 'engineering'],
  query: taskFormQuerySchema,
  body: jsonFormRequestSchema,
  exactNumbers: true,
  reply: taskSchema,
  replyHeaders: REVISION,
  audited: true,
  target: ({ body: { form_id } }) => form_id,
  async handle(call, deps) {
    const { form_id, instance_data } = call.body;
    const found = await deps.forms.find(form_id);
    if (!found) throw new Problem('form_not_found', `There is no form "${form_id}".`);
    const form = readStoredJson(found.json) as Form;
    const { name, schema, uiSchema, bindingSchema, bindingGrant = null, validationSchema } = form;
    const request = {
      view: 'ShowJsonForm',
      title: titleOf(name) ?? found.id,
      schema,
      uiSchema,
      bindingSchema,
      bindingGrant,
      validationSchema,
      formData: instance_data === undefined ? {} : instance_data,
      warnings: [],
    } as const;
    return openTask(request, call, deps);
  },
};

const jsonSchemaRequestSchema = {
  title: 'Task RenderJsonSchema',
  type: 'object',
  required: ['jsonSchema'],
  additionalProperties: false,
  properties: {
    jsonSchema: {
      type: ['object', 'boolean'],
      description: 'JSON Schema of the data; default draft 2020-12',
    },
    uiSchema,
    bindingSchema,
    validationSchema: { type: ['object', 'array', 'null'], description: 'Additional rules' },
    formData: { description: 'Initial data of the form; default an empty object' },
    ...taskOptionProperties,
  },
} as const;

/** Opens a task with a form that a JSON Schema describes (wire 4.12, decision 6). */
export const renderJsonSchema: Operation<TasksDeps, FromSchema<typeof jsonSchemaRequestSchema>> = {
  id: 'renderJsonSchema',
  summary: 'Open a task that shows a JSON schema as a form.',
  description:
    'Creates a task with a form that the sent JSON Schema describes. A person completes the task on the page at `url`.',
  problems: ['too_many_tasks', 'schema_invalid', 'schema_too_costly', 'validation_busy'],
  method: 'POST',
  path: '/task/RenderJsonSchema',
  roles: ['admin', 'engineering'],
  query: taskFormQuerySchema,
  body: jsonSchemaRequestSchema,
  exactNumbers: true,
  hasDocuments: true,
  reply: taskSchema,
  replyHeaders: REVISION,
  audited: true,
  handle(call, deps) {
    const { jsonSchema, uiSchema, bindingSchema, validationSchema, formData } = call.body;
    const request = {
      view: 'RenderJsonSchema',
      title: titleOf(ownMember(jsonSchema, 'title')) ?? 'JSON Schema',
      schema: jsonSchema,
      uiSchema: uiSchema ?? {},
      bindingSchema: bindingSchema ?? {},
      bindingGrant: bindingSchema ? deps.grants.grantOf(call.principal) : null,
      validationSchema: validationSchema ?? {},
      formData: formData === undefined ? {} : formData,
      warnings: [],
    } as const;
    return openTask(request, call, deps);
  },
};

const yangFormRequestSchema = {
  title: 'Task RenderYangForm',
  type: 'object',
  required: ['yangData'],
  additionalProperties: false,
  properties: {
    ...yangTextProperties,
    module: {
      type: 'string',
      minLength: 1,
      description: 'Main module to show; required if the texts contain several main modules',
    },
    formData: {
      description: 'Initial data of the form, an RFC 7951 document; default an empty object',
    },
    ...taskOptionProperties,
  },
} as const;

/** Opens a task with a form for the configuration that a YANG module describes (wire 4.12, decision 6). */
export const renderYangForm: Operation<TasksDeps, FromSchema<typeof yangFormRequestSchema>> = {
  id: 'renderYangForm',
  summary: 'Open a task that shows a YANG module as a form.',
  description:
    'Compiles YANG modules and creates a task with a form for the configuration of one module. Fetches missing modules from an orchestrator if the request names an adapter.',
  problems: [
    'yang_invalid',
    'yang_too_costly',
    'too_many_tasks',
    'schema_too_costly',
    'validation_busy',
    ...ADAPTER_CALL_PROBLEMS,
  ],
  method: 'POST',
  path: '/task/RenderYangForm',
  roles: ['admin', 'engineering'],
  query: taskFormQuerySchema,
  body: yangFormRequestSchema,
  exactNumbers: true,
  hasYangTexts: true,
  reply: taskSchema,
  replyHeaders: REVISION,
  audited: true,
  target: ({ body: { adapterId } }) => adapterId ?? '',
  async handle(call, deps) {
    const { module, formData } = call.body;
    const { schemas } = await compileTexts(call.body, call, deps.yang);
    const { schema, uiSchema, warnings, module: title } = selectModule(schemas, module);
    const request = {
      view: 'RenderYangForm',
      title,
      schema,
      uiSchema,
      warnings,
      bindingSchema: {},
      validationSchema: {},
      formData: formData === undefined ? {} : formData,
    } as const;
    return openTask(request, call, deps);
  },
};

/** Returns the selected module. Throws `invalid_request` with the choices. */
function selectModule(schemas: readonly YangSchemaJson[], name: string | undefined): YangSchema {
  const named = name === undefined ? schemas : schemas.filter(({ module }) => module === name);
  const [found] = named;
  if (found && named.length === 1) return JSON.parse(Buffer.from(found.json).toString()) as YangSchema;
  const choices = schemas.map(({ module }) => module).join(', ');
  throw invalidMember('/module', `must be one of these main modules: ${choices}`);
}
