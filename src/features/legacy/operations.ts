import type { Application, BoundOperation } from '../../core/operation.js';
import type { CompileSchema } from '../../core/schema.js';
import { createValidate } from '../../http/request-body.js';
import { deprecatedOperation } from './deprecated-operation.js';
import { DEPRECATIONS } from './deprecations.js';
import type { DeprecationsDeps } from './deps.js';
import { getDeprecations } from './get-deprecations.js';

/**
 * Operations of previous releases, which their replacements serve until the release that removes them
 * (specification section 9).
 */
export const deprecations: Application<DeprecationsDeps> = {
  name: 'deprecations',
  summary: 'Operations of previous releases of the platform, and their remaining callers.',
  prefixes: [''],
  operations: [getDeprecations, ...DEPRECATIONS.map(deprecatedOperation)],
};

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
