import { anyCase, type JsonSchema } from '../../core/schema.js';
import { ACCEPT_PATTERN, MEDIA_TYPE_LENGTH, MEDIA_TYPE_PATTERN } from '../../core/media-type.js';

/** Request parameters that actions and queries share. */
const shared = {
  path: {
    type: 'string',
    description: "Path on the orchestrator's REST interface",
    examples: ['/restconf/data/ietf-interfaces:interfaces'],
  },
  accept: {
    type: 'string',
    maxLength: MEDIA_TYPE_LENGTH,
    pattern: ACCEPT_PATTERN,
    'x-hint': 'must be media types, for example application/yang-data+json',
    description: 'Media type expected in the reply',
  },
} as const;

/** Request parameters that only actions have. */
const action = {
  contentType: {
    type: 'string',
    maxLength: MEDIA_TYPE_LENGTH,
    pattern: MEDIA_TYPE_PATTERN,
    'x-hint': 'must be one media type, for example application/yang-data+json',
    description: 'Media type of the body',
  },
  method: {
    type: 'string',
    pattern: `^(${['GET', 'PATCH', 'PUT', 'POST', 'DELETE'].map(anyCase).join('|')})$`,
    'x-hint': 'must be one of GET, PATCH, PUT, POST, DELETE',
    description: 'HTTP method in any case; POST when it is left out',
  },
} as const;

/** Schema of the parameters of a query (specification section 2.5). */
export const queryParamsSchema = paramsWith(shared);

/** Schema of the parameters of an action (specification section 2.3). */
export const actionParamsSchema = paramsWith({ ...shared, ...action });

function paramsWith(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: ['path', 'accept'], additionalProperties: false, properties };
}
