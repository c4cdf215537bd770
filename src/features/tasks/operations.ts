import type { Application, Operation, Call } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { SchemaIndex } from '../../form-model/schema-index.js';
import { parameterError, queryProblem } from '../../http/query-parameters.js';
import {
  SUBTREES_HEADERS,
  subtreesQuerySchema,
  subtreesReply,
  subtreesReplySchema,
} from '../forms/subtrees-reply.js';
import { finishTask, saveTaskDraft } from './change-task.js';
import type { TasksDeps } from './deps.js';
import { renderJsonSchema, renderYangForm, showJsonForm } from './open-task.js';
import { getTask, getTaskPage, getTasks } from './read-tasks.js';
import { getTaskChoices } from './task-choices.js';
import { requireAccess, taskNotFound } from './task-reply.js';

const getTaskSubtrees: Operation<TasksDeps> = {
  id: 'getTaskSubtrees',
  summary: 'Get parts of the schema of a task that is shown in part.',
  description:
    'Returns the object of the schema at a pointer, with the nearest objects below it, or the objects that match a search: about 100,000 characters. For the task page, which loads a large schema in parts.',
  problems: ['task_not_found'],
  method: 'GET',
  path: '/tasks/:id/subtrees',
  roles: ['admin', 'engineering'],
  query: subtreesQuerySchema,
  reply: subtreesReplySchema,
  replyHeaders: SUBTREES_HEADERS,
  conditional: true,
  async handle(call, deps) {
    return subtreesReply(call, await indexOf(call, deps));
  },
};

/** Returns the index of the schema of a task. Throws `task_not_found`, and `invalid_request` for a small schema. */
async function indexOf(call: Call, { tasks, schemaIndexes }: TasksDeps): Promise<SchemaIndex> {
  const { id = '' } = call.params;
  const head = await tasks.findHead(id);
  if (!head) throw taskNotFound(id);
  requireAccess(head, call.principal);
  const known = schemaIndexes.known(id);
  if (known) return known;
  const task = await tasks.find(id);
  if (!task) throw taskNotFound(id);
  const index = schemaIndexes.of(task);
  if (index) return index;
  throw queryProblem([parameterError('pointer', 'needs a task whose schema is shown in part')]);
}

/**
 * Streams the state of a task, and who else has it open, as server-sent events. The stream ends when its token
 * expires or any token is revoked.
 */
const getTaskEvents: Operation<TasksDeps> = {
  id: 'getTaskEvents',
  summary: 'Stream the changes of a task, and who has it open.',
  description:
    'Sends an event at once, and after each change of the task or of the people who have it open at this server. Each process has a limited number of listeners.',
  problems: ['task_not_found', 'too_many_listeners'],
  method: 'GET',
  path: '/tasks/:id/events',
  roles: ['admin', 'engineering'],
  reply: {
    title: 'Events of a task',
    type: 'string',
    description:
      'Event `task`: {"revision", "status", "lastUpdated", "lastUpdatedByName", "people": [names of others who have the task open], "tokenEnds": RFC 3339, or null if the caller sent a password}',
  },
  replyType: 'text/event-stream',
  replyHeaders: { 'x-accel-buffering': '`no`: proxies must forward each event immediately' },
  async handle({ params: { id = '' }, principal, signal }, { tasks, taskEvents }) {
    const task = await tasks.find(id);
    if (!task) throw taskNotFound(id);
    requireAccess(task, principal);
    if (!principal) throw new Problem('internal', 'getTaskEvents was opened to callers without a token');
    return {
      body: { livePieces: taskEvents.listen(task, { principal, signal }) },
      headers: { 'x-accel-buffering': 'no' },
      requireAccess: (caller) => requireAccess(task, caller),
    };
  },
};

export const tasks: Application<TasksDeps> = {
  name: 'tasks',
  summary: 'Tasks: forms that a person fills in, approves or rejects.',
  component: 'JsonForms',
  isInteractive: true,
  prefixes: ['/json-forms'],
  operations: [
    getTaskPage,
    showJsonForm,
    renderJsonSchema,
    renderYangForm,
    getTasks,
    getTask,
    getTaskSubtrees,
    saveTaskDraft,
    finishTask,
    getTaskChoices,
    getTaskEvents,
  ],
};
