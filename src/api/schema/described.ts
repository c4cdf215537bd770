import type { JsonSchema } from '../../core/schema.js';
import { secretPointers } from '../../core/secret-pointers.js';

/** A schema as it is answered (wire section 5.5). */
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

/** The schema, and beside it where it marks secrets. */
export function described(schema: JsonSchema) {
  return {
    schema,
    decorators: secretPointers(schema).map((pointer) => ({ type: 'encryption', pointer })),
  };
}
