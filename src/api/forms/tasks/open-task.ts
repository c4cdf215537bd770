import type { Call, Reply } from '../../../core/operation.js';
import type { JsonSchema } from '../../../core/schema.js';
import type { Question, Task, TaskView } from '../../../core/task.js';
import { withinLimit } from '../within-limit.js';
import type { TasksDeps } from './deps.js';
import { invalidMember } from './invalid-member.js';
import { validateData } from './validate-data.js';
import { allowedOrigin } from './postmessage-origins.js';
import { taskReply } from './task-reply.js';

/** Options of every new task, in addition to the incoming variables of its view. */
export interface TaskOptions {
  readonly title?: string;
  readonly returnTo?: string;
}

/** Maximum length of a title, in characters. */
const TITLE_LENGTH = 512;

/** Schemas of the options. */
export const taskOptionProperties = {
  title: { type: 'string', minLength: 1, maxLength: TITLE_LENGTH, description: 'What the person is asked' },
  returnTo: {
    type: 'string',
    maxLength: 512,
    description: 'Origin of the page that waits for the outcome; one of forms.tasks.messageOrigins',
  },
} as const satisfies Record<string, JsonSchema>;

/** A task to open; `title` is the title of the view, which applies if the caller sends no title. */
export type TaskRequest = Omit<Question, 'dialect' | 'returnTo'> & Pick<Task, 'view' | 'title'>;

/**
 * Opens a task. Throws `invalid_request` for an origin that is not allowed, `schema_invalid` and
 * `schema_too_costly` for a schema that cannot be applied, `body_too_large` and `too_many_tasks`.
 */
export async function openTask(asked: TaskRequest, call: Call<TaskOptions>, deps: TasksDeps): Promise<Reply> {
  const { maxTasks, maxBytes } = deps.taskLimits();
  const returnTo = returnToOf(call.body, deps);
  // The person may still correct invalid data, but a schema that cannot be applied is an error.
  const { dialect } = await validateData(asked, deps, call.signal);
  const title = call.body.title ?? asked.title;
  const task = { ...newTask(asked.view, call, deps), ...asked, title, dialect, returnTo };
  await deps.tasks.open(withinLimit(task, { maxBytes, what: 'task' }), maxTasks);
  return { ...taskReply(task, deps), outcome: task.id, change: { after: task } };
}

type NewTask = Omit<Task, keyof Question | 'title'>;

function newTask(view: TaskView, { principal }: Pick<Call, 'principal'>, deps: TasksDeps): NewTask {
  const created = new Date(deps.now()).toISOString();
  const createdBy = principal?.subject ?? '';
  return {
    id: deps.newTaskId(),
    view,
    status: 'open',
    revision: 1,
    created,
    createdBy,
    lastUpdated: created,
    lastUpdatedBy: createdBy,
    draft: null,
    outcome: null,
  };
}

function returnToOf({ returnTo }: TaskOptions, { taskLimits }: TasksDeps): string | null {
  if (returnTo === undefined) return null;
  const origin = allowedOrigin(returnTo, taskLimits());
  if (origin !== undefined) return origin;
  throw invalidMember('/returnTo', 'must be an origin of forms.tasks.messageOrigins');
}

/** Returns the title of a schema or form, cut to the maximum length; undefined if it is empty or no text. */
export function titleFrom(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, TITLE_LENGTH) : undefined;
}
