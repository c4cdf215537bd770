import type { JsonSchema } from '../../core/schema.js';
import { secretPointers } from '../../core/secret-pointers.js';

/** Schema of a schema in replies (wire section 5.5). */
export const describedSchema = {
  type: 'object',
  required: ['schema', 'decorators'],
  properties: {
    schema: { type: 'object', description: 'JSON Schema of the settings' },
    decorators: {
      type: 'array',
      description: 'Where the settings hold secrets; * in a pointer stands for any member or item',
      items: {
        type: 'object',
        required: ['type', 'pointer'],
        properties: { type: { const: 'encryption' }, pointer: { type: 'string' } },
      },
    },
  },
} as const;

/** Returns the schema together with the pointers to its secrets. */
export function described(schema: JsonSchema) {
  return {
    schema,
    decorators: secretPointers(schema).map((pointer) => ({ type: 'encryption', pointer })),
  };
}
