import type { Call } from '../../core/operation.js';
import type { JsonSchema } from '../../core/schema.js';
import type { TaskAssignee, TaskAudience } from '../../core/task.js';
import { parseRfc3339 } from '../../http/query-parameters.js';
import type { FromSchema } from '../../settings/from-schema.js';
import type { TasksDeps } from './deps.js';
import { allowedOrigin, invalidMember } from './task-reply.js';

const nameSchema = { type: 'string', minLength: 1, maxLength: 512 } as const;

/** Maximum length of a title, in characters. */
const MAX_TITLE_LENGTH = 512;

export const taskOptionProperties = {
  title: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_TITLE_LENGTH,
    description: 'Title of the task that the page shows',
  },
  returnTo: {
    type: 'string',
    maxLength: 512,
    description: 'Origin of the page that waits for the outcome; one of forms.tasks.messageOrigins',
  },
  assignee: {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      subject: { ...nameSchema, description: 'Subject of the token of the person who is asked' },
      issuer: { ...nameSchema, description: 'Issuer of that token; default the issuer of your token' },
      role: { ...nameSchema, description: 'Role that is asked, instead of subject' },
    },
    description: 'The person or the role that is asked; nobody else but you and admins may read the task',
  },
  roles: {
    type: ['array', 'null'],
    maxItems: 32,
    items: nameSchema,
    description: 'Roles that may also read and answer the task',
  },
  excludeRequester: {
    type: 'boolean',
    description: 'True: you may not approve the task; default forms.tasks.excludeRequester',
  },
  due: {
    type: ['string', 'null'],
    maxLength: 64,
    description:
      'Time by which the outcome is needed, RFC 3339, for example 2026-05-04T16:00:00Z. An overdue task can still be answered',
  },
} as const satisfies Record<string, JsonSchema>;

/** Options of every new task, in addition to the incoming variables of its view. */
export type TaskOptions = FromSchema<{
  readonly type: 'object';
  readonly properties: typeof taskOptionProperties;
}>;

/**
 * Returns who may read and answer a new task. Without an assignee and roles, the roles of the setting apply.
 * Throws `invalid_request` for an assignee that is not exactly one person or role.
 */
export function audienceOf({ body, principal }: Call<TaskOptions>, { taskLimits }: TasksDeps): TaskAudience {
  const assignee = assigneeOf(body.assignee ?? null, principal?.issuer ?? '');
  const { roles: defaultRoles } = taskLimits();
  if (body.roles) return { assignee, roles: body.roles };
  if (assignee) return { assignee, roles: [] };
  return { assignee, roles: defaultRoles.length > 0 ? defaultRoles : null };
}

function assigneeOf(assignee: TaskOptions['assignee'] | null, ownIssuer: string): TaskAssignee | null {
  if (!assignee) return null;
  const { subject, issuer, role } = assignee;
  if (subject !== undefined && role === undefined) return { subject, issuer: issuer ?? ownIssuer };
  if (role !== undefined && subject === undefined && issuer === undefined) return { role };
  throw invalidMember('/assignee', 'must have either "subject", with or without "issuer", or "role"');
}

/** Returns the deadline in UTC with milliseconds. Throws `invalid_request` for a text that is not RFC 3339. */
export function dueOf({ due }: TaskOptions): string | null {
  if (due === undefined || due === null) return null;
  const time = parseRfc3339(due);
  if (time !== undefined) return new Date(time).toISOString();
  throw invalidMember('/due', 'must be a date and time as in RFC 3339, for example 2026-05-04T16:00:00Z');
}

/** Returns the origin that receives the outcome. Throws `invalid_request` if it is not allowed. */
export function returnToOf({ returnTo }: TaskOptions, { taskLimits }: TasksDeps): string | null {
  if (returnTo === undefined) return null;
  const origin = allowedOrigin(returnTo, taskLimits());
  if (origin !== undefined) return origin;
  throw invalidMember('/returnTo', 'must be an origin of forms.tasks.messageOrigins');
}

/** Returns the title of a schema or form, cut to the maximum length; undefined if it is empty or no text. */
export function titleOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TITLE_LENGTH) : undefined;
}
