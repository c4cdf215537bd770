import type { JsonSchema } from '../../core/schema.js';

export const text = { type: 'string' } as const;
export const textOrNull = { type: ['string', 'null'] } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const countOrNull = { type: ['integer', 'null'], minimum: 0 } as const;
export const names = { type: 'array', items: text } as const;
export const timestamp = { type: 'integer', description: 'Milliseconds since 1970' } as const;
export const timestampOrNull = { type: ['integer', 'null'], description: 'Milliseconds since 1970' } as const;

/** Returns the schema of an object that requires all of these members. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** Returns the schema of a list of objects that require all of these members. */
export function listOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'array', items: objectOf(properties) };
}

/** Returns the schema of an object that may be null. */
export function nullableOf(schema: JsonSchema): Readonly<Record<string, unknown>> {
  return { ...schema, type: ['object', 'null'] };
}
