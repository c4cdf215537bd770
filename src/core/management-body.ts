import type { JsonSchema } from './schema.js';

/** Schema of a body of the management API: `properties`, where all that is sent stands, and nothing else (wire section 5.2). */
export function managementBody(title: string, properties: JsonSchema): JsonSchema {
  return {
    title,
    type: 'object',
    required: ['properties'],
    additionalProperties: false,
    properties: { properties },
  };
}
