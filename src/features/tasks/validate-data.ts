import { Problem } from '../../core/problem.js';
import {
  type SchemaValidationResult,
  type TaskCaller,
  YANG_DIALECT,
} from '../../json-schema/validator-pool/schema-validator.js';
import { jsonText } from '../../json/write-json.js';
import type { TasksDeps } from './deps.js';
import type { Question, Task } from './task.js';

/** Data, and the schema to validate it against. */
type TaskData = Pick<Task, 'view'> & Pick<Question, 'schema' | 'formData'>;

/**
 * Validates data against the schema of a task, including its YANG rules. The schema of a form without
 * `$schema` is draft-07, as in `validateForm`; every other schema without `$schema` is 2020-12. Throws the
 * errors of `SchemaValidator`.
 */
export async function validateTaskData(
  { view, schema, formData }: TaskData,
  { validator }: Pick<TasksDeps, 'validator'>,
  caller: TaskCaller,
): Promise<SchemaValidationResult> {
  if (view === 'ShowJsonForm')
    return validator.validateForm(jsonBufferOf({ schema }), jsonBufferOf({ formData }), caller);
  const result = await validator.validateData(jsonBufferOf({ jsonSchema: schema, formData }), caller);
  return result.dialect === YANG_DIALECT ? NO_OBJECT : result;
}

/** Result for a document of XML: the data of a task is JSON. */
const NO_OBJECT: SchemaValidationResult = {
  valid: false,
  errors: [{ instancePath: '', keyword: 'type', message: 'must be an object' }],
  truncated: false,
  dialect: YANG_DIALECT,
};

/** Throws `form_data_invalid` with a pointer into the body for every error, if the data is invalid. */
export function requireValidResult({ valid, errors, truncated }: SchemaValidationResult): void {
  if (valid) return;
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1}${truncated ? ' or' : ''} more)` : '';
  const requestErrors = errors.map(({ instancePath, message }) => ({
    pointer: `/formData${instancePath}`,
    message,
  }));
  const detail = `/formData${first?.instancePath ?? ''} ${(first?.message ?? 'does not fit').replace(/\.$/, '')}${more}; nothing was stored.`;
  throw new Problem('form_data_invalid', detail, { errors: requestErrors });
}

function jsonBufferOf(value: object): Buffer {
  return Buffer.from(jsonText(value));
}
