import type { JsonSchema } from './schema.js';

/** Schema of the answer to a change through the management API (wire section 5.2); `data` is what was changed. */
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

/** What the two flags of an entry say. */
export interface ManagementStatus {
  readonly isActive: string;
  readonly activeSync: string;
}

/** Schema of something that is kept, in a member, and how it stands (wire sections 5.2 to 5.4). */
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
