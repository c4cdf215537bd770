import type { JsonSchema } from './schema.js';

/**
 * Returns the schema of the reply to a change in the management API (wire section 5.2); `data` is the changed
 * item.
 */
export function doneSchema(title: string, data?: JsonSchema): JsonSchema {
  return {
    title,
    type: 'object',
    required: ['status', 'message', ...(data ? ['data'] : [])],
    properties: {
      status: { enum: ['OK', 'Created'] },
      message: { type: 'string' },
      ...(data && { data }),
    },
  };
}

/** Descriptions of the two flags of an entry. */
export interface ManagementStatus {
  readonly isActive: string;
  readonly activeSync: string;
}

/** Returns the schema of a stored item in a member, with its status (wire sections 5.2 to 5.4). */
export function entrySchema(
  title: string,
  { isActive, activeSync }: ManagementStatus,
  member: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return {
    title,
    type: 'object',
    required: ['metadata', ...Object.keys(member)],
    properties: {
      metadata: {
        type: 'object',
        required: ['isActive', 'activeSync'],
        properties: {
          isActive: { type: 'boolean', description: isActive },
          activeSync: { type: 'boolean', description: activeSync },
        },
      },
      ...member,
    },
  };
}
