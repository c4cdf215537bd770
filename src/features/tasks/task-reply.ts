import type { Reply } from '../../core/operation.js';
import type { Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import { isOverdue, TASK_STATES, TASK_VIEWS, type TaskHead } from '../../core/task.js';
import { sentence } from '../../lib/sentence.js';
import type { TaskSettings } from '../../settings/forms.js';
import { revisionTag } from '../lib/revision-tag.js';
import type { TasksDeps } from './deps.js';
import { partialForm } from './partial-schema.js';
import { type Task, taskUrl, mayAccessTask } from './task.js';

const textSchema = { type: 'string' } as const;
const timeSchema = { type: 'string', description: 'RFC 3339, UTC' } as const;
const anyJsonSchema = { description: 'Any JSON value' } as const;

const taskHeadProperties = {
  id: { ...textSchema, description: '24 hexadecimal digits' },
  view: { enum: TASK_VIEWS },
  url: { ...textSchema, description: 'Path of the page that shows the task' },
  status: { enum: TASK_STATES },
  title: textSchema,
  revision: {
    type: 'integer',
    minimum: 1,
    description: 'Number of the state, from 1; send it back in If-Match',
  },
  created: timeSchema,
  createdBy: textSchema,
  createdByIssuer: { ...textSchema, description: 'Issuer of the token of createdBy' },
  createdByName: { ...textSchema, description: 'Name of createdBy for people' },
  lastUpdated: timeSchema,
  lastUpdatedBy: textSchema,
  lastUpdatedByIssuer: textSchema,
  lastUpdatedByName: textSchema,
  assignee: {
    title: 'Task assignee',
    type: ['object', 'null'],
    description: 'The person, or the role, that is asked',
    properties: { subject: textSchema, issuer: textSchema, role: textSchema },
  },
  roles: {
    type: ['array', 'null'],
    items: textSchema,
    description: 'Roles that may read and answer the task; null: everyone who may call the operations',
  },
  excludeRequester: { type: 'boolean', description: 'True if createdBy may not approve the task' },
  due: {
    type: ['string', 'null'],
    description: 'Time by which the outcome is needed, RFC 3339, UTC; null without one',
  },
  overdue: {
    type: 'boolean',
    description: 'True if the task is open after its deadline; it can still be answered',
  },
} as const;

export const taskHeadSchema: JsonSchema = {
  title: 'Listed task',
  type: 'object',
  required: Object.keys(taskHeadProperties),
  properties: taskHeadProperties,
};

const draftSchema: JsonSchema = {
  title: 'Task draft',
  type: ['object', 'null'],
  description: 'The data that was saved last',
  required: ['formData', 'by', 'byIssuer', 'at'],
  properties: {
    formData: anyJsonSchema,
    by: textSchema,
    byIssuer: textSchema,
    byName: textSchema,
    at: timeSchema,
    changes: {
      type: 'array',
      description:
        'Who changed which part of the draft last, the latest first; absent in drafts of earlier versions',
      items: {
        title: 'Change of a draft',
        type: 'object',
        required: ['by', 'byIssuer', 'byName', 'at', 'pointers'],
        properties: {
          by: textSchema,
          byIssuer: textSchema,
          byName: textSchema,
          at: timeSchema,
          pointers: {
            type: 'array',
            items: textSchema,
            description:
              'JSON pointers (RFC 6901) into formData; a list whose entries were removed or moved; a removed member',
          },
        },
      },
    },
  },
};

const outcomeSchema: JsonSchema = {
  title: 'Task outcome',
  type: ['object', 'null'],
  description: 'The decision; null while the task is open',
  required: ['status', 'reason', 'export', 'by', 'byIssuer', 'at', 'hash'],
  properties: {
    status: { enum: ['approved', 'rejected'] },
    reason: textSchema,
    export: { description: 'The approved data; for a rejection, the data that was sent, or null' },
    by: textSchema,
    byIssuer: textSchema,
    byName: textSchema,
    at: timeSchema,
    hash: { ...textSchema, description: 'SHA-256 of the export as canonical JSON (RFC 8785), hexadecimal' },
  },
};

const taskProperties = {
  ...taskHeadProperties,
  schema: { type: ['object', 'boolean'], description: 'JSON Schema of the data' },
  uiSchema: { type: 'object' },
  bindingSchema: { type: 'object', description: 'Sources of the options of fields' },
  bindingGrant: {
    title: 'Binding grant of a task',
    type: ['object', 'null'],
    description: 'Who lets this task send the queries of its bindings; null: nobody',
    properties: { by: textSchema, byIssuer: textSchema, byName: textSchema, at: timeSchema },
  },
  partial: {
    type: 'boolean',
    description:
      'True if schema and uiSchema lack the content of objects with x-subtree, and warnings is empty; only with the query schema=partial',
  },
  validationSchema: { type: ['object', 'array'] },
  formData: { description: 'Initial data of the form' },
  dialect: { ...textSchema, description: 'URI of the JSON Schema draft that the validation applies' },
  warnings: {
    type: 'array',
    items: { type: 'object' },
    description: 'YANG rules that JSON Schema cannot express',
  },
  returnTo: { type: ['string', 'null'], description: 'Origin of the page that waits for the outcome' },
  messageOrigins: {
    type: 'array',
    items: textSchema,
    description: 'The only origins to which the page may send the outcome; self is the origin of the page',
  },
  draft: draftSchema,
  outcome: outcomeSchema,
} as const;

export const taskSchema: JsonSchema = {
  title: 'Task',
  type: 'object',
  required: Object.keys(taskProperties).filter((name) => name !== 'partial'),
  properties: taskProperties,
};

type TaskReplyDeps = Pick<TasksDeps, 'taskLimits' | 'schemaIndexes' | 'now'>;

/** Creates the reply with a task and its revision, with a partial schema if `isPartial`. */
export function taskReply(task: Task, isPartial: boolean, deps: TaskReplyDeps): Reply {
  const messageOrigins = allowedOrigins(task.returnTo, deps.taskLimits());
  const bindingGrant = shownGrant(task);
  const form = isPartial ? partialForm(task, deps.schemaIndexes) : undefined;
  const body = { ...withComputed(task, deps.now()), ...form, bindingGrant, messageOrigins };
  return { body, headers: revisionTag(task) };
}

/** Adds the members of a task that are not stored. */
export function withComputed(task: TaskHead, now: number): object {
  const { id, view, ...rest } = task;
  // The identity comes first, for people who read the reply.
  const shown: { proposal?: unknown } & Record<string, unknown> = {
    id,
    view,
    url: taskUrl(task),
    ...rest,
    overdue: isOverdue(task, now),
  };
  // It has the key of a seal.
  delete shown.proposal;
  return shown;
}

/** Returns the grant without the roles of its author, which are nothing for the people who fill in the form. */
function shownGrant({ bindingGrant }: Task): object | null {
  if (!bindingGrant) return null;
  const { by, byIssuer, byName, at } = bindingGrant;
  return { by, byIssuer, byName, at };
}

type OriginSettings = Pick<TaskSettings, 'messageOrigins'>;

/** Returns the origin in the spelling of browsers if it may receive outcomes; otherwise undefined. */
export function allowedOrigin(written: string, { messageOrigins }: OriginSettings): string | undefined {
  const origin = normalizeOrigin(written);
  return messageOrigins.some((allowed) => normalizeOrigin(allowed) === origin) ? origin : undefined;
}

/** Returns the origins to which the page of a task may send its outcome, by the current configuration. */
function allowedOrigins(returnTo: string | null, allowed: OriginSettings): readonly string[] {
  if (returnTo === null) return allowed.messageOrigins.map(normalizeOrigin);
  const origin = allowedOrigin(returnTo, allowed);
  return origin === undefined ? [] : [origin];
}

/** Normalizes an origin. Keeps `self`, because the page knows its own origin, but this server may not. */
function normalizeOrigin(written: string): string {
  return written !== 'self' && URL.canParse(written) ? new URL(written).origin : written;
}

/** Creates the Problem of a task that does not exist. */
export function taskNotFound(id: string): Problem {
  return new Problem('task_not_found', `There is no task "${id}".`);
}

/**
 * Returns the task if the caller may read it and act on it. Throws `task_not_found`, as for a task that does
 * not exist.
 */
export function requireAccess<T extends TaskHead>(task: T, principal: Principal | undefined): T {
  if (mayAccessTask(task, principal)) return task;
  throw taskNotFound(task.id);
}

export function invalidMember(pointer: string, message: string): Problem {
  return new Problem('invalid_request', sentence(`${pointer} ${message}`), {
    errors: [{ pointer, message }],
  });
}
