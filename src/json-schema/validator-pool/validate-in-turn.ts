import type { SchemaValidationResult, ValueError } from '../../core/schema-validator.js';
import type { SchemaError, SchemaValidator } from '../../core/schema-engine.js';
import { checkYangDocument, isYangSchema } from '../../core/yang-document.js';
import { schemaProblem, shortened } from './schema-problem.js';

/** Longest title, in characters. */
const SHOWN = 200;

/**
 * Applies a schema to a value, and where it was made from YANG the rules that it carries beside JSON Schema. Throws
 * `schema_too_costly` where that takes too many steps, or goes too deep.
 */
export function validateInTurn(
  validator: SchemaValidator,
  value: unknown,
  schema: unknown,
): SchemaValidationResult {
  const verdict = judgeBySchema(validator, value);
  if (!verdict.valid || !isYangSchema(schema)) return verdict;
  const errors = checkYangDocument(schema, value).map(({ pointer, message }) => ({
    instancePath: shortened(pointer),
    keyword: 'x-yang',
    message,
  }));
  return { ...verdict, valid: errors.length === 0, errors };
}

function judgeBySchema(validator: SchemaValidator, value: unknown): SchemaValidationResult {
  const { outcome, errors, truncated } = validator.validate(value);
  if (outcome === 'out of fuel')
    throw schemaProblem('schema_too_costly', [
      { pointer: '/formData', message: 'is too large or too deep for its schema' },
    ]);
  return {
    valid: outcome === 'valid',
    errors: errors.map(valueError),
    truncated,
    dialect: validator.dialect,
  };
}

function valueError({ instancePath, keyword, message, title }: SchemaError): ValueError {
  const reported = { instancePath: shortened(instancePath), keyword, message };
  return title === undefined ? reported : { ...reported, title: title.slice(0, SHOWN) };
}
