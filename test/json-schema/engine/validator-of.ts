import assert from 'node:assert/strict';
import type { CompileOptions, SchemaValidator } from '../../../src/core/schema-engine.js';
import { compileSchema } from '../../../src/json-schema/engine/index.js';

/** Returns a compiled schema; fails if the schema has faults. */
export function validatorOf(schema: unknown, options: CompileOptions = {}): SchemaValidator {
  const compiled = compileSchema(schema, options);
  return 'validator' in compiled ? compiled.validator : assert.fail(JSON.stringify(compiled.faults));
}
