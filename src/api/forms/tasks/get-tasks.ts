import { listSchema, pageOf, pageQueryProperties } from '../../../core/list-query.js';
import type { Operation } from '../../../core/operation.js';
import { pointerTo } from '../../../core/pointer.js';
import { TASK_STATES, TASK_VIEWS, type TaskQuery, taskUrl } from '../../../core/task.js';
import type { TasksDeps } from './deps.js';
import { invalidMember } from './invalid-member.js';
import { taskHeadSchema } from './task-schema.js';

const querySchema = {
  type: 'object',
  properties: {
    status: { enum: TASK_STATES, description: 'Tasks that are so' },
    view: { enum: TASK_VIEWS, description: 'Tasks of this page' },
    ...pageQueryProperties,
    order: { enum: [1, -1], default: -1, description: '1 begins with the oldest' },
  },
} as const;

/** Lists tasks without their documents, newest first. Rejects an invalid filter. */
export const getTasks: Operation<TasksDeps> = {
  id: 'getTasks',
  summary: 'List the tasks, newest first.',
  method: 'GET',
  path: '/tasks',
  roles: ['admin', 'engineering'],
  query: querySchema,
  reply: listSchema('Tasks', taskHeadSchema),
  async handle({ query }, { tasks }) {
    const { results, total } = await tasks.list(taskQuery(query));
    return { body: { results: results.map((head) => ({ ...head, url: taskUrl(head) })), total } };
  },
};

/** Parses the query. Throws `invalid_request`. */
function taskQuery(query: URLSearchParams): TaskQuery {
  const { skip, limit } = pageOf(query);
  const status = wordOf(query, 'status', TASK_STATES);
  const view = wordOf(query, 'view', TASK_VIEWS);
  const order = query.get('order') === '1' ? 1 : -1;
  return { skip, limit, order, ...(status && { status }), ...(view && { view }) };
}

/** Parses an enumerated parameter; an empty parameter counts as absent, as in other lists. */
function wordOf<Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const written = query.get(name) ?? '';
  const found = words.find((word) => word === written);
  if (found !== undefined || written === '') return found;
  throw invalidMember(pointerTo('/query', name), `must be one of ${words.join(', ')}`);
}
