import { createHash } from 'node:crypto';
import type { Call, Operation } from '../../../core/operation.js';
import {
  matchingSubtrees,
  type SelectedSubtrees,
  selectSubtrees,
  textTestOf,
} from '../../../core/partial-schema.js';
import { parameterError, parameterOf, queryProblem } from '../../../core/query-parameters.js';
import type { SchemaIndex } from '../../../core/schema-index.js';
import { documentReply } from '../../../core/tagged-document.js';
import type { TasksDeps } from './deps.js';
import { requireAccess, taskNotFound } from './task-reply.js';

/** Characters after which no subtree is added to a reply. A single object is never divided. */
const MAX_CHARACTERS = 100_000;

/** Maximum length of a search, in characters. */
const MAX_SEARCH_LENGTH = 256;

const subtreesReplySchema = {
  title: 'Subtrees of a schema',
  type: 'object',
  required: ['subtrees', 'truncated'],
  properties: {
    subtrees: {
      type: 'array',
      description: 'Containers come before what they contain',
      items: {
        title: 'Subtree of a schema',
        type: 'object',
        required: ['pointer', 'schema'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer into the schema of the task' },
          schema: {
            type: 'object',
            description: 'JSON Schema of one object; objects below it with x-subtree lack their content',
          },
          uiSchema: { type: 'object', description: 'Presentation of the fields; absent without one' },
        },
      },
    },
    truncated: { type: 'boolean', description: 'True if the search matches further subtrees' },
  },
} as const;

/** Returns subtrees of the schema of a task that the caller may read: those at a pointer, or those that match a search. */
export const getTaskSubtrees: Operation<TasksDeps> = {
  id: 'getTaskSubtrees',
  summary: 'Get parts of the schema of a task that is shown in part.',
  description:
    'Returns the object of the schema at a pointer, with the nearest objects below it, or the objects that match a search: about 100,000 characters. For the task page, which loads a large schema in parts.',
  problems: ['task_not_found'],
  method: 'GET',
  path: '/tasks/:id/subtrees',
  roles: ['admin', 'engineering'],
  query: {
    type: 'object',
    properties: {
      pointer: {
        type: 'string',
        description: 'JSON pointer into the schema to an object with x-subtree, such as /$defs/NAME',
      },
      search: {
        type: 'string',
        maxLength: MAX_SEARCH_LENGTH,
        description: 'Words of the name, title or description of a member; instead of pointer',
      },
    },
  },
  reply: subtreesReplySchema,
  replyHeaders: { etag: 'Tag of the subtrees, for If-None-Match', 'cache-control': '`private, no-cache`' },
  conditional: true,
  async handle(call, deps) {
    const index = await indexOf(call, deps);
    const { subtrees, isTruncated } = subtreesFor(call.query, index);
    const content = Buffer.from(JSON.stringify({ subtrees, truncated: isTruncated }));
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    return documentReply({ body: { rawJson: content }, etag }, call, 'private, no-cache');
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

function subtreesFor(query: URLSearchParams, index: SchemaIndex): SelectedSubtrees {
  const pointer = parameterOf(query, 'pointer');
  const search = parameterOf(query, 'search')?.slice(0, MAX_SEARCH_LENGTH);
  if ((pointer === undefined) === (search === undefined))
    throw queryProblem([parameterError('pointer', 'is needed, or search instead of it')]);
  if (search !== undefined) return matchingSubtrees(index, textTestOf(search), MAX_CHARACTERS);
  if (pointer !== undefined && index.has(pointer))
    return selectSubtrees(index, { starts: [pointer], characters: MAX_CHARACTERS });
  throw queryProblem([parameterError('pointer', 'must be the JSON pointer of an object of the schema')]);
}
