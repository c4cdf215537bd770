import type { Call, Operation } from '../../core/operation.js';
import { TASK_STATES, TASK_VIEWS } from '../../core/task.js';
import { PAGE_HEADERS, pagePolicy } from '../../http/html.js';
import { listSchema, pageOf, pageQueryProperties } from '../../http/list-query.js';
import {
  choiceParameterOf,
  FLAG_VALUES,
  flagParameterOf,
  parameterError,
  parameterOf,
  queryProblem,
  timeParameterOf,
} from '../../http/query-parameters.js';
import { REVISION } from '../lib/revision-tag.js';
import type { TasksDeps } from './deps.js';
import { isPartialAsked, taskFormQuerySchema } from './partial-schema.js';
import {
  requireAccess,
  taskHeadSchema,
  taskNotFound,
  taskReply,
  taskSchema,
  withComputed,
} from './task-reply.js';
import { type TaskFilter, type TaskOrder, callerReaderKeys, taskPersonOf } from './task.js';

const [firstView, ...otherViews] = TASK_VIEWS;

// The page must keep access to its opener, to which it sends the outcome.
const TASK_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  'cross-origin-opener-policy': 'unsafe-none',
  'cache-control': 'no-cache',
} as const;

/**
 * Returns the page on which a person completes a task (wire 4.12, decision 6). The page is the same for every
 * task and contains no data of a task: its script reads the parameters from the query and fetches the rest.
 */
export const getTaskPage: Operation<TasksDeps> = {
  id: 'getTaskPage',
  summary: 'Get the page on which a person fills in a form.',
  description:
    'Returns the HTML page on which a person fills in, approves or rejects a task. The page contains no data of a task, and loads the task with the token of its reader.',
  problems: ['not_found', 'not_ready'],
  method: 'GET',
  path: `/task/${firstView}`,
  aliases: otherViews.map((view) => ({ path: `/task/${view}`, id: `get${view}Page` })),
  roles: ['admin', 'engineering'],
  query: {
    type: 'object',
    properties: {
      task: { type: 'string', description: 'Id of an existing task' },
      form_id: { type: 'string', description: 'For a new ShowJsonForm task: id or name of a form' },
      instance_data: {
        type: 'string',
        description: 'For a new ShowJsonForm task: initial data of the form, as JSON',
      },
    },
  },
  reply: { title: 'Task page', type: 'string' },
  replyType: 'text/html; charset=utf-8',
  replyHeaders: {
    'content-security-policy':
      'Sources that the page may load and run, and origins that may show the page in a frame',
    'referrer-policy': 'The browser sends the address of the page to no site',
    'cache-control': '`no-cache`: caches must validate the page again before they use it',
  },
  async handle(_call, { taskPage, taskLimits }) {
    const policy = pagePolicy(taskLimits().frameAncestors);
    return { body: await taskPage(), headers: { ...TASK_PAGE_HEADERS, 'content-security-policy': policy } };
  },
};

const TASK_SORTS = ['own', 'due', 'created'] as const;

const taskQuerySchema = {
  type: 'object',
  properties: {
    status: { enum: TASK_STATES, description: 'Status of the listed tasks' },
    view: { enum: TASK_VIEWS, description: 'View of the listed tasks' },
    overdue: {
      enum: FLAG_VALUES,
      default: 'false',
      description: 'true: only open tasks after their deadline',
    },
    dueBefore: { type: 'string', description: 'Only tasks with a deadline before this time, RFC 3339' },
    dueFrom: { type: 'string', description: 'Only tasks with a deadline at this time or later, RFC 3339' },
    ...pageQueryProperties,
    sort: {
      enum: TASK_SORTS,
      description:
        'own: open tasks that are assigned to you, then those that you may answer, then others, each by deadline and the oldest first; finished tasks last. due: by deadline. created: by age. Default: own, but created with "order" alone',
    },
    order: {
      enum: [1, -1],
      description:
        'created: 1 is oldest first, -1 newest first (default); due: 1 is the next deadline first (default), -1 the latest. Not for own',
    },
  },
} as const;

export const getTasks: Operation<TasksDeps> = {
  id: 'getTasks',
  summary: 'List the tasks, your own first.',
  description:
    'Returns one page of the tasks that the caller may read, without their forms and their data. Tasks that wait for the caller come first.',
  method: 'GET',
  path: '/tasks',
  topics: ['tasks'],
  roles: ['admin', 'engineering'],
  query: taskQuerySchema,
  reply: listSchema('Tasks', taskHeadSchema),
  async handle({ query, principal }, { tasks, now }) {
    const { skip, limit } = pageOf(query);
    const readers = callerReaderKeys(principal);
    const filter = { ...taskFilterOf(query, now()), ...(readers && { readers }) };
    const order = taskOrderOf(query, principal);
    const { results, total } = await tasks.list({ ...filter, skip, limit, order });
    return { body: { results: results.map((head) => withComputed(head, now())), total } };
  },
};

/** Parses the filters of the query. Throws `invalid_request`. */
function taskFilterOf(query: URLSearchParams, now: number): TaskFilter {
  const status = choiceParameterOf(query, 'status', TASK_STATES);
  const view = choiceParameterOf(query, 'view', TASK_VIEWS);
  const dueBefore = timeParameterOf(query, 'dueBefore');
  const dueFrom = timeParameterOf(query, 'dueFrom');
  return {
    ...(status && { status }),
    ...(view && { view }),
    ...(flagParameterOf(query, 'overdue') && { overdueAt: new Date(now).toISOString() }),
    ...(dueBefore !== undefined && { dueBefore: new Date(dueBefore).toISOString() }),
    ...(dueFrom !== undefined && { dueFrom: new Date(dueFrom).toISOString() }),
  };
}

/** Parses the order of the query. Throws `invalid_request`. */
function taskOrderOf(query: URLSearchParams, principal: Call['principal']): TaskOrder {
  const order = parameterOf(query, 'order');
  const by = choiceParameterOf(query, 'sort', TASK_SORTS) ?? (order === undefined ? 'own' : 'created');
  if (by === 'created') return { by, direction: order === '1' ? 1 : -1 };
  if (by === 'due') return { by, direction: order === '-1' ? -1 : 1 };
  if (order !== undefined)
    throw queryProblem([parameterError('order', 'must be absent, or "sort" must be created or due')]);
  // A caller without a token has no own tasks.
  return { by, caller: principal ? taskPersonOf(principal) : { person: '', roles: [] } };
}

export const getTask: Operation<TasksDeps> = {
  id: 'getTask',
  summary: 'Get a task with its form, its draft and its outcome.',
  description: 'Returns a task that the caller may read. The header `etag` has its revision, for `If-Match`.',
  problems: ['task_not_found'],
  method: 'GET',
  path: '/tasks/:id',
  roles: ['admin', 'engineering'],
  query: taskFormQuerySchema,
  reply: taskSchema,
  replyHeaders: REVISION,
  async handle(call, deps) {
    const { id = '' } = call.params;
    const task = await deps.tasks.find(id);
    if (!task) throw taskNotFound(id);
    return taskReply(requireAccess(task, call.principal), isPartialAsked(call.query), deps);
  },
};
