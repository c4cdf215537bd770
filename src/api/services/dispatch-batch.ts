import type { DeprecationsDeps } from '../legacy/deps.js';
import type { BoundOperation } from '../../core/operation.js';
import type { CompileSchema } from '../../core/schema.js';
import { createValidate } from '../../http/validate.js';

/**
 * Creates the function with which one operation delegates a call to another operation. It validates the body
 * as if a client had sent it, and writes no second audit record. Throws what the other operation throws.
 */
export function createDispatch(
  operations: readonly BoundOperation[],
  compile: CompileSchema,
): DeprecationsDeps['ask'] {
  const named = new Map(operations.map((operation) => [operation.name, operation]));
  const validate = createValidate(compile);
  return async (name, call) => {
    const operation = named.get(name);
    if (!operation) throw new Error(`there is no operation ${name} to ask`);
    const { body: schema, bodyOptional } = operation.row;
    const body = schema ? call.body : undefined;
    if (schema && !(bodyOptional && body === undefined)) validate(schema, body);
    return operation.handle({ ...call, body });
  };
}
