import type { SchemaValidationResult } from '../../../core/schema-validator.js';
import type { CancelSignal } from '../../../core/cancel-signal.js';
import { Problem } from '../../../core/problem.js';
import type { Question, Task } from '../../../core/task.js';
import type { TasksDeps } from './deps.js';

/** Which schema judges which data. */
export type ValidatedData = Pick<Task, 'view'> & Pick<Question, 'schema' | 'formData'>;

/**
 * What the schema of a task says of data, its rules of YANG included. A schema without `$schema` is draft-07 when it is
 * that of a form, as in validateForm, and 2020-12 otherwise. Throws what a `SchemaJudge` throws.
 */
export function validateData(
  { view, schema, formData }: ValidatedData,
  { judge }: Pick<TasksDeps, 'judge'>,
  signal: CancelSignal,
): Promise<SchemaValidationResult> {
  if (view === 'ShowJsonForm') return judge.validateForm(jsonOf({ schema }), jsonOf({ formData }), signal);
  return judge.validateData(jsonOf({ jsonSchema: schema, formData }), signal);
}

/** Throws `form_data_invalid` with every place, as a pointer into the body. */
export function demandValid({ valid, errors, truncated }: SchemaValidationResult): void {
  if (valid) return;
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1}${truncated ? ' or' : ''} more)` : '';
  const reported = errors.map(({ instancePath, message }) => ({
    pointer: `/formData${instancePath}`,
    message,
  }));
  const detail = `/formData${first?.instancePath ?? ''} ${first?.message ?? 'does not fit'}${more}; nothing was kept.`;
  throw new Problem('form_data_invalid', detail, { errors: reported });
}

function jsonOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
