import type {
  SchemaError,
  SchemaValidator,
  ValidationOutcome,
} from '../../../../../src/core/schema-engine.js';
import { pointerTo, valueAt } from '../../../../../src/json/pointer.js';
import { isEngineReady } from '../field/engine.js';
import { isWithin, plainValue } from '../json/json.js';
import type { Work } from '../slices.js';
import { changesOf } from '../state/changes.js';
import type { FormState } from '../state/form-state.js';
import type { RowError, ValidationResult } from '../types.js';

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

/** Maximum number of member errors in the message of a union; with more, the message is the union's own. */
const MAX_UNION_ERRORS = 4;

/** An error with the location of its keyword. */
interface FoundError {
  readonly rowError: RowError;
  readonly schemaPath: string;
}

/**
 * Returns the errors with those of a union, whose branches precede it: the errors of the branch that a member selects,
 * otherwise one error for the union.
 */
function withUnionError(found: readonly FoundError[], union: FoundError): readonly FoundError[] {
  const prefix = `${union.schemaPath}/`;
  const inBranches = found.filter(({ schemaPath }) => schemaPath.startsWith(prefix));
  const branches = new Map<string, FoundError[]>();
  for (const error of inBranches) {
    const [index = ''] = error.schemaPath.slice(prefix.length).split('/');
    branches.set(index, [...(branches.get(index) ?? []), error]);
  }
  const selected = [...branches.values()].filter((errors) => !errors.some(isOfSelector));
  const [only] = selected;
  if (only && selected.length === 1 && branches.size > 1) {
    const others = new Set(inBranches.filter((error) => !only.includes(error)));
    return found.filter((error) => !others.has(error));
  }
  const rowErrors = found.map(({ rowError }) => rowError);
  const rowError = unionError(rowErrors, union.rowError);
  return [...found.slice(0, rowErrors.length), { ...union, rowError }];
}

/**
 * Returns the errors of one location without those of the branches of a union that a member does not select. A check of
 * one location has no error of the union itself: the value is wrong only if each branch refuses it.
 */
function withoutOtherBranches(schema: unknown, errors: readonly SchemaError[]): readonly SchemaError[] {
  const refusing = new Map<string, Set<string>>();
  for (const { keyword, schemaPath } of errors) {
    const { union, branch } = branchOf(keyword, schemaPath) ?? {};
    if (union !== undefined && branch !== undefined)
      refusing.set(union, (refusing.get(union) ?? new Set()).add(branch));
  }
  if (refusing.size === 0) return errors;
  const isOfOtherBranch = ({ keyword, schemaPath }: SchemaError): boolean => {
    const { union } = branchOf(keyword, schemaPath) ?? {};
    const branches = union === undefined ? undefined : valueAt(schema, union);
    return Array.isArray(branches) && (refusing.get(union ?? '')?.size ?? 0) < branches.length;
  };
  return errors.filter((error) => !isOfOtherBranch(error));
}

/** Returns the union and the branch of an error of a member whose value selects a branch. */
function branchOf(
  keyword: string,
  schemaPath: string,
): { readonly union: string; readonly branch: string } | undefined {
  if (keyword !== 'const' && keyword !== 'enum') return undefined;
  const found = /^(\/(?:.*\/)?(?:oneOf|anyOf))\/(\d+)\/properties\/[^/]+\/(?:const|enum)$/.exec(schemaPath);
  const [, union, branch] = found ?? [];
  return union === undefined || branch === undefined ? undefined : { union, branch };
}

/** Returns true for an error of a member whose value selects a branch. */
function isOfSelector({ schemaPath, rowError }: FoundError): boolean {
  return branchOf(rowError.keyword, schemaPath) !== undefined;
}

/** Returns one error for a union. Removes the errors of its members, which precede it, from the list. */
function unionError(rowErrors: RowError[], union: RowError): RowError {
  const firstMember = rowErrors.findLastIndex(({ pointer }) => pointer !== union.pointer) + 1;
  const causes = rowErrors.splice(firstMember);
  return causes.length === 0 || causes.length > MAX_UNION_ERRORS ? union : { ...union, causes };
}

/**
 * Compiles the schema, which is the slowest operation of a form. Returns the state with the errors of all changes if they
 * were made before the form could be checked.
 */
export function prepareChecks(state: FormState, areUnchecked: boolean): FormState {
  const { compiled } = state.form.document;
  if (!areUnchecked || 'faults' in compiled) return state;
  return changesOf(state).reduce((checked, { pointer }) => checkAt(checked, pointer), state);
}

/** Creates the index for searches in steps. */
export function* prepareSearch({ form }: FormState): Work<void> {
  yield* form.document.index.search({});
}
