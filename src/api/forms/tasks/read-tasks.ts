import { listSchema, pageOf, pageQueryProperties } from '../../../core/list-query.js';
import type { Operation } from '../../../core/operation.js';
import { PAGE_HEADERS, pagePolicy } from '../../../core/html.js';
import { choiceParameterOf } from '../../../core/query-parameters.js';
import { REVISION } from '../../../core/revision-tag.js';
import { TASK_STATES, TASK_VIEWS, type TaskQuery, taskUrl } from '../../../core/task.js';
import { callerReaderKeys } from '../../../core/task-access.js';
import type { TasksDeps } from './deps.js';
import { requireAccess, taskHeadSchema, taskNotFound, taskReply, taskSchema } from './task-reply.js';

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

const taskQuerySchema = {
  type: 'object',
  properties: {
    status: { enum: TASK_STATES, description: 'Status of the listed tasks' },
    view: { enum: TASK_VIEWS, description: 'View of the listed tasks' },
    ...pageQueryProperties,
    order: { enum: [1, -1], default: -1, description: '1: oldest first; -1: newest first' },
  },
} as const;

/** Lists the tasks that the caller may read, without their documents, newest first. Rejects an invalid filter. */
export const getTasks: Operation<TasksDeps> = {
  id: 'getTasks',
  summary: 'List the tasks, newest first.',
  description: 'Returns one page of the tasks that the caller may read, without their forms and their data.',
  method: 'GET',
  path: '/tasks',
  roles: ['admin', 'engineering'],
  query: taskQuerySchema,
  reply: listSchema('Tasks', taskHeadSchema),
  async handle({ query, principal }, { tasks }) {
    const readers = callerReaderKeys(principal);
    const { results, total } = await tasks.list({ ...taskQueryOf(query), ...(readers && { readers }) });
    return { body: { results: results.map((head) => ({ ...head, url: taskUrl(head) })), total } };
  },
};

/** Parses the query. Throws `invalid_request`. */
function taskQueryOf(query: URLSearchParams): TaskQuery {
  const { skip, limit } = pageOf(query);
  const status = choiceParameterOf(query, 'status', TASK_STATES);
  const view = choiceParameterOf(query, 'view', TASK_VIEWS);
  const order = query.get('order') === '1' ? 1 : -1;
  return { skip, limit, order, ...(status && { status }), ...(view && { view }) };
}

/** Returns a complete task: its form, its draft and its outcome. Throws `task_not_found`. */
export const getTask: Operation<TasksDeps> = {
  id: 'getTask',
  summary: 'Get a task with its form, its draft and its outcome.',
  description: 'Returns a task that the caller may read. The header `etag` has its revision, for `If-Match`.',
  problems: ['task_not_found'],
  method: 'GET',
  path: '/tasks/:id',
  roles: ['admin', 'engineering'],
  reply: taskSchema,
  replyHeaders: REVISION,
  async handle({ params: { id = '' }, principal }, deps) {
    const task = await deps.tasks.find(id);
    if (!task) throw taskNotFound(id);
    return taskReply(requireAccess(task, principal), deps);
  },
};
