import { pointerTo } from '../../../../../src/core/pointer.js';
import { isList, isMembers, isStructure, type Json } from '../json/json.js';
import { childOf, jsonAt } from '../json/locations.js';
import { rowAt } from '../rows/rows-of.js';
import { withValue } from '../state/apply-edit.js';
import type { FormState } from '../state/form-state.js';
import type { FormBinding } from './bindings.js';

/** The value that an answer has for a field: a scalar, that of the first where there are several. Undefined when there is none. */
export function defaultFrom({ source }: FormBinding, answer: Json): Json | undefined {
  const found = jsonAt(answer, source.values);
  const first = isList(found) ? found[0] : found;
  const value = isMembers(first) ? jsonAt(first, source.value) : first;
  return value === undefined || value === null || isStructure(value) ? undefined : value;
}

/**
 * The state with a default that somebody else knew. Whoever reads the data knows the defaults of the schema, but not this one:
 * it is put into the document, as a change that can be seen and undone. It goes where an object waits for it, and nowhere over
 * a value that is there or was: what a person typed, or took away, stays as it is.
 */
export function withDefault(state: FormState, path: string, value: Json): FormState {
  const reported: FormState = { ...state, defaults: new Map(state.defaults).set(path, value) };
  if (state.form.options.readOnly === true) return reported;
  return placesOf(state.data ?? {}, path.split('/').slice(1)).reduce(
    (at, pointer) => (isWaiting(at, pointer) ? withValue(at, pointer, { value, what: '' }) : at),
    reported,
  );
}

/** Pointers of a field, one for each entry of the lists on the way: those alone around which everything is there. */
function placesOf(around: Json | undefined, [name = '', ...rest]: readonly string[]): readonly string[] {
  const isThere = name === '*' ? isList(around) : isMembers(around);
  if (!isThere) return [];
  const names = name === '*' && isList(around) ? [...around.keys()].map(String) : [name];
  if (rest.length === 0) return names.map((one) => pointerTo('', one));
  return names.flatMap((one) =>
    placesOf(childOf(around, one), rest).map((inner) => pointerTo('', one) + inner),
  );
}

/** True for a leaf that nobody has given a value, nor taken one from, and that may have one now. */
function isWaiting(state: FormState, pointer: string): boolean {
  const row = rowAt(state, pointer);
  return row?.kind === 'leaf' && !row.filled && !row.changed && !row.disabled && !wasTyped(state, pointer);
}

function wasTyped({ past, future }: FormState, pointer: string): boolean {
  return [...past, ...future].some(({ what }) => what === `set ${pointer}`);
}
