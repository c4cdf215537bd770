import type { Call, Operation } from '../../core/operation.js';
import type { SchemaIndex } from '../../form-model/schema-index.js';
import { parameterError, queryProblem } from '../../http/query-parameters.js';
import {
  SUBTREES_HEADERS,
  subtreesQuerySchema,
  subtreesReply,
  subtreesReplySchema,
} from '../forms/subtrees-reply.js';
import type { TasksDeps } from './deps.js';
import { requireAccess, taskNotFound } from './task-reply.js';

export const getTaskSubtrees: Operation<TasksDeps> = {
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
