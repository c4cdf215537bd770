import type { BoundOperation } from '../../core/operation.js';
import type { CompileSchema } from '../../core/schema.js';
import { createValidate } from '../../http/request-body.js';
import type { DeprecationsDeps } from './deps.js';

/**
 * Creates the function that dispatches a call to another operation. The function validates the body
 * as if a client had sent it, and writes no second audit record. It throws the errors of the operation.
 */
export function createDispatch(
  operations: readonly BoundOperation[],
  compile: CompileSchema,
): DeprecationsDeps['dispatch'] {
  const operationsByName = new Map(operations.map((operation) => [operation.name, operation]));
  const validate = createValidate(compile);
  return async (name, call) => {
    const operation = operationsByName.get(name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    const { body: schema, bodyOptional } = operation.row;
    const body = schema ? call.body : undefined;
    if (schema && !(bodyOptional && body === undefined)) validate(schema, body);
    return operation.handle({ ...call, body });
  };
}
