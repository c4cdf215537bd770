import type {
  ValidationOutcome,
  SchemaError,
  SchemaValidator,
} from '../../../../../src/core/schema-engine.js';
import { pointerTo } from '../../../../../src/core/pointer.js';
import { isWithin } from '../json/locations.js';
import { plainValue } from '../json/plain-value.js';
import type { FormState } from '../state/form-state.js';
import type { RowError, ValidationResult } from '../types.js';

/** Steps for the whole document: a form of 2,000 fields takes some 100,000. */
const FUEL = 3_000_000;
/** More errors than a person reads are not looked for. */
const ERRORS = 500;

/** Unions with more members than this are told in short. */
const MOST_MEMBERS = 4;

/** The state with what is wrong at and below one place; what was known of other places stays. */
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

/** The state with what is wrong anywhere. A document that takes too many steps is neither right nor wrong: `too complex`. */
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

/** What a check of the whole document came to; `unchecked` when something was edited since. */
export function validationResultOf({ verdict }: FormState): ValidationResult {
  return verdict;
}

/** What is wrong with the schema itself; nothing when it can be applied. */
export function schemaFaults({
  form,
}: FormState): readonly { readonly pointer: string; readonly message: string }[] {
  const { compiled } = form.document;
  return 'faults' in compiled ? compiled.faults : [];
}

/** The state with what a server has against the document, in place of what one said before. */
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

/** Takes what the members of a union have against a value off the list: together they are one error. */
function asOne(list: RowError[], union: RowError): RowError {
  const own = list.findLastIndex(({ pointer }) => pointer !== union.pointer) + 1;
  const messages = list.splice(own).map(({ message }) => message);
  return messages.length === 0 || messages.length > MOST_MEMBERS
    ? union
    : { ...union, message: messages.join(', or ') };
}

/** A member that is missing or too many is told at its own row. */
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
