import assert from 'node:assert/strict';
import type { CompileOptions, SchemaValidator } from '../../../src/core/schema-engine.js';
import { compileSchema } from '../../../src/json-schema/engine/index.js';

/** A schema, ready to be applied; fails when there is something wrong with it. */
export function validatorOf(schema: unknown, options: CompileOptions = {}): SchemaValidator {
  const compiled = compileSchema(schema, options);
  return 'validator' in compiled ? compiled.validator : assert.fail(JSON.stringify(compiled.faults));
}
