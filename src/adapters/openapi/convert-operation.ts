import { declaredBody, planBody } from './convert-body.js';
import { implied, parametersOf, planParameters } from './convert-parameters.js';
import { repliesOf } from './convert-replies.js';
import type { CallPlan, MethodText } from './document-task.js';
import { type ConvertDeps, InputSchema } from './input-schema.js';
import type { FoundOperation } from './list-operations.js';

/** Converts an operation to the schema of its arguments, that of its result, and the plan of its request. */
export function convertOperation(found: FoundOperation, shared: Omit<ConvertDeps, 'inputs'>): MethodText {
  const { entry, operation } = found;
  const inputs = new InputSchema();
  const deps = { ...shared, inputs };
  const declared = parametersOf(found, deps);
  const parameters = planParameters(declared, deps);
  const others = implied(found, parameters, deps);
  const body = planBody(declaredBody(operation, declared, deps), deps);
  const { accept, output } = repliesOf(operation, deps);
  const plan: CallPlan = {
    method: entry.method,
    path: entry.path,
    accept,
    parameters: [...parameters, ...others],
    ...(body && { body }),
  };
  return { plan, input: inputs.schema(), inputUses: inputs.uses(), ...(output && { output }) };
}
