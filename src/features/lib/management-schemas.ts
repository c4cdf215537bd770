import type { JsonSchema } from '../../core/schema.js';

/**
 * Returns the schema of the response to a change in the management API (wire section 5.2). `data` is the
 * schema of the changed item.
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

/** Descriptions of the two members of the status. */
interface ManagementStatus {
  readonly isActive: string;
  readonly activeSync: string;
}

/**
 * Returns the schema of a stored item with its status (wire sections 5.2 to 5.4). Replies may omit the member
 * `pending`.
 */
export function entrySchema(
  title: string,
  { isActive, activeSync }: ManagementStatus,
  { pending, ...member }: Readonly<Record<string, JsonSchema>>,
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
      ...(pending && { pending }),
    },
  };
}

/**
 * Returns the schema of a request body in the management API: an object with the member `properties` and
 * these optional members (wire section 5.2).
 */
export function managementBody<
  const S extends JsonSchema,
  const M extends Readonly<Record<string, JsonSchema>>,
>(title: string, properties: S, members: M) {
  return {
    title,
    type: 'object',
    required: ['properties'],
    additionalProperties: false,
    properties: { properties, ...members },
  } as const;
}
