import type {
  ValidationOutcome,
  SchemaError,
  SchemaValidator,
} from '../../../../../src/core/schema-engine.js';
import { pointerTo } from '../../../../../src/core/pointer.js';
import { isWithin } from '../json/locations.js';
import { plainValue } from '../json/json.js';
import type { FormState } from '../state/form-state.js';
import type { RowError, ValidationResult } from '../types.js';

/** Maximum validation steps for the whole document: a form of 2,000 fields takes about 100,000. */
const FUEL = 3_000_000;
/** Maximum number of errors that are reported. */
const ERRORS = 500;

/** Unions with more members than this are reported in a short form. */
const MOST_MEMBERS = 4;

/** Returns the state with the errors at and below one place; errors of other places stay. */
export function checkAt(state: FormState, pointer: string): FormState {
  const validator = validatorOf(state);
  if (!validator || state.data === undefined) return state;
  const found = told(validator.validateAt(plainValue(state.data), pointer, { fuel: FUEL, errors: ERRORS }));
  const others = state.errors.filter(
    (error) => error.source === 'server' || !isWithin(error.pointer, pointer),
  );
  if (found.length === 0 && others.length === state.errors.length) return state;
  return { ...state, errors: [...others, ...found.filter((error) => isWithin(error.pointer, pointer))] };
}

/**
 * Returns the state with the errors of the whole document. The result is `too complex` if validation takes
 * too many steps.
 */
export function checkAll(state: FormState): FormState {
  const validator = validatorOf(state);
  if (!validator) return { ...state, verdict: 'schema invalid' };
  const value = state.data === undefined ? {} : plainValue(state.data);
  const judgement = validator.validate(value, { fuel: FUEL, errors: ERRORS });
  const servers = state.errors.filter(({ source }) => source === 'server');
  return { ...state, errors: [...servers, ...told(judgement)], verdict: VERDICTS[judgement.outcome] };
}

const VERDICTS: Readonly<Record<ValidationOutcome['outcome'], ValidationResult>> = {
  valid: 'valid',
  invalid: 'invalid',
  'out of fuel': 'too complex',
};

/**
 * Returns the result of the last check of the whole document; `unchecked` if the document was edited since.
 */
export function validationResultOf({ verdict }: FormState): ValidationResult {
  return verdict;
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
  const own = state.errors.filter(({ source }) => source === 'form');
  const said = errors.map(
    ({ pointer, message }) => ({ pointer, message, keyword: '', source: 'server' }) as const,
  );
  return { ...state, errors: [...own, ...said] };
}

function validatorOf({ form }: FormState): SchemaValidator | undefined {
  const { compiled } = form.document;
  return 'validator' in compiled ? compiled.validator : undefined;
}

function told({ errors }: ValidationOutcome): readonly RowError[] {
  const list: RowError[] = [];
  for (const error of errors) {
    const one = placed(error);
    if (one.keyword === 'anyOf' || one.keyword === 'oneOf') list.push(asOne(list, one));
    else if (!list.some(({ pointer, message }) => pointer === one.pointer && message === one.message))
      list.push(one);
  }
  return list;
}

/** Removes the errors of a union's members from the list, so that they count as one error. */
function asOne(list: RowError[], union: RowError): RowError {
  const own = list.findLastIndex(({ pointer }) => pointer !== union.pointer) + 1;
  const messages = list.splice(own).map(({ message }) => message);
  return messages.length === 0 || messages.length > MOST_MEMBERS
    ? union
    : { ...union, message: messages.join(', or ') };
}

/** Assigns a missing or superfluous member to its own row. */
function placed({ instancePath, about, message, keyword }: SchemaError): RowError {
  if (about === undefined) return { pointer: instancePath, message, keyword, source: 'form' };
  const missing = keyword === 'required' || keyword.startsWith('depend');
  return {
    pointer: pointerTo(instancePath, about),
    message: missing ? 'must be there' : 'is not allowed here',
    keyword,
    source: 'form',
  };
}
