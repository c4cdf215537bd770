import { createHash } from 'node:crypto';
import type { Call, Reply } from '../../core/operation.js';
import type { JsonSchema } from '../../core/schema.js';
import {
  matchingSubtrees,
  type SelectedSubtrees,
  selectSubtrees,
  textTestOf,
} from '../../form-model/partial-schema.js';
import type { SchemaIndex } from '../../form-model/schema-index.js';
import { parameterError, parameterOf, queryProblem } from '../../http/query-parameters.js';
import { jsonText } from '../../json/write-json.js';
import { documentReply } from '../lib/tagged-document.js';

/** Characters of the first part of a schema, besides the objects in which there is data. */
export const FIRST_CHARACTERS = 120_000;

/** Characters after which no subtree is added to a reply. A single object is never divided. */
const MAX_CHARACTERS = 100_000;

/** Maximum length of a search, in characters. */
const MAX_SEARCH_LENGTH = 256;

export const subtreesQuerySchema = {
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
} as const satisfies JsonSchema;

export const subtreesReplySchema = {
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
          pointer: { type: 'string', description: 'JSON pointer into the whole schema' },
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
} as const satisfies JsonSchema;

/** Headers of a reply with parts of a schema. */
export const SUBTREES_HEADERS = {
  etag: 'Tag of the subtrees, for If-None-Match',
  'cache-control': '`private, no-cache`',
} as const;

/** Returns the subtrees that the query asks for: those at a pointer, or those that match a search. Throws `invalid_request`. */
export function subtreesReply(call: Call, index: SchemaIndex): Reply {
  const { subtrees, isTruncated } = subtreesFor(call.query, index);
  const content = Buffer.from(jsonText({ subtrees, truncated: isTruncated }));
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return documentReply({ body: { rawJson: content }, etag }, call, 'private, no-cache');
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
