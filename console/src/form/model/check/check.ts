import type {
  ValidationOutcome,
  SchemaError,
  SchemaValidator,
} from '../../../../../src/core/schema-engine.js';
import { pointerTo } from '../../../../../src/json/pointer.js';
import { isEngineReady } from '../field/engine.js';
import { plainValue } from '../json/json.js';
import { isWithin } from '../json/locations.js';
import type { FormState } from '../state/form-state.js';
import type { RowError, ValidationResult } from '../types.js';
import { type FoundError, withoutOtherBranches, withUnionError } from './union-errors.js';

/** Maximum number of validation steps for the whole document. A form of 2,000 fields takes about 100,000. */
const MAX_VALIDATION_STEPS = 3_000_000;
/** Maximum number of errors that are reported. */
const MAX_ERRORS = 500;

/** Returns the state with the errors at and below one location. Errors of other locations stay. */
export function checkAt(state: FormState, pointer: string): FormState {
  const validator = validatorOf(state);
  if (!validator || (state.data === undefined && pointer === '')) return state;
  const found = rowErrorsOf(
    withoutOtherBranches(
      state.form.document.root,
      validator.validateAt(plainValue(state.data ?? {}), pointer, {
        fuel: MAX_VALIDATION_STEPS,
        errors: MAX_ERRORS,
      }).errors,
    ),
  );
  const others = state.errors.filter(
    (error) => error.source === 'server' || !isWithin(error.pointer, pointer),
  );
  if (found.length === 0 && others.length === state.errors.length) return state;
  return { ...state, errors: [...others, ...found.filter((error) => isWithin(error.pointer, pointer))] };
}

/**
 * Returns the state with the errors of the whole document. The result is `too complex` if validation takes
 * too many steps, and `unchecked` until the engine is there.
 */
export function checkAll(state: FormState): FormState {
  if (!isEngineReady()) return { ...state, validationResult: 'unchecked' };
  const validator = validatorOf(state);
  if (!validator) return { ...state, validationResult: 'schema invalid' };
  const value = state.data === undefined ? {} : plainValue(state.data);
  const result = validator.validate(value, { fuel: MAX_VALIDATION_STEPS, errors: MAX_ERRORS });
  const serverErrors = state.errors.filter(({ source }) => source === 'server');
  return {
    ...state,
    errors: [...serverErrors, ...rowErrorsOf(result.errors)],
    validationResult: VALIDATION_RESULTS[result.outcome],
  };
}

const VALIDATION_RESULTS: Readonly<Record<ValidationOutcome['outcome'], ValidationResult>> = {
  valid: 'valid',
  invalid: 'invalid',
  'out of fuel': 'too complex',
};

/**
 * Returns the result of the last check of the whole document; `unchecked` if the document was edited since.
 */
export function validationResultOf({ validationResult }: FormState): ValidationResult {
  return validationResult;
}

/** Returns the faults of the schema itself; none if the schema can be applied. */
export function schemaFaults({
  form,
}: FormState): readonly { readonly pointer: string; readonly message: string }[] {
  const { compiled } = form.document;
  return 'faults' in compiled ? compiled.faults : [];
}

/** Returns the state with the errors that a server reported, in place of earlier server errors. */
export function withServerErrors(
  state: FormState,
  errors: readonly { readonly pointer: string; readonly message: string }[],
): FormState {
  const formErrors = state.errors.filter(({ source }) => source === 'form');
  const serverErrors = errors.map(
    ({ pointer, message }) => ({ pointer, message, keyword: '', source: 'server' }) as const,
  );
  return { ...state, errors: [...formErrors, ...serverErrors] };
}

function validatorOf({ form }: FormState): SchemaValidator | undefined {
  const { compiled } = form.document;
  return 'validator' in compiled ? compiled.validator : undefined;
}

function rowErrorsOf(errors: readonly SchemaError[]): readonly RowError[] {
  let found: readonly FoundError[] = [];
  for (const { schemaPath, ...error } of errors) {
    const rowError = rowErrorOf({ schemaPath, ...error });
    if (rowError.keyword === 'anyOf' || rowError.keyword === 'oneOf')
      found = withUnionError(found, { rowError, schemaPath });
    else if (!found.some((one) => isSameError(one.rowError, rowError)))
      found = [...found, { rowError, schemaPath }];
  }
  return found.map(({ rowError }) => rowError);
}

function isSameError(one: RowError, other: RowError): boolean {
  return one.pointer === other.pointer && one.message === other.message;
}

/** Assigns a missing or superfluous member to its own row. */
function rowErrorOf({ instancePath, about, message, keyword, schemaPath }: SchemaError): RowError {
  const error = { message, keyword, schemaPath, source: 'form' as const };
  if (about === undefined) return { ...error, pointer: instancePath };
  const missing = keyword === 'required' || keyword.startsWith('depend');
  return {
    ...error,
    pointer: pointerTo(instancePath, about),
    message: missing ? 'is required' : 'is not allowed here',
  };
}
