import type { JsonSchema } from './schema.js';

/**
 * Returns the schema of a request body in the management API: an object with only the member `properties`
 * (wire section 5.2).
 */
export function managementBody(title: string, properties: JsonSchema): JsonSchema {
  return {
    title,
    type: 'object',
    required: ['properties'],
    additionalProperties: false,
    properties: { properties },
  };
}
