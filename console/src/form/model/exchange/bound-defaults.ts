import { pointerTo } from '../../../../../src/core/pointer.js';
import { isList, isMembers, isStructure, type Json } from '../json/json.js';
import { childOf, jsonAt } from '../json/locations.js';
import { rowAt } from '../rows/rows-of.js';
import { withValue } from '../state/apply-edit.js';
import type { FormState } from '../state/form-state.js';
import type { FormBinding } from './bindings.js';

/**
 * Returns the default in a response: a scalar, or the first of several. Undefined if the response has no such
 * value.
 */
export function defaultFrom({ source }: FormBinding, answer: Json): Json | undefined {
  const found = jsonAt(answer, source.values);
  const first = isList(found) ? found[0] : found;
  const value = isMembers(first) ? jsonAt(first, source.value) : first;
  return value === undefined || value === null || isStructure(value) ? undefined : value;
}

/**
 * Returns the state with a default from another service. Readers of the data know the defaults of the schema
 * but not this one, so it is written into the document, as a visible change that can be undone. It is only
 * written into existing objects, and never replaces a value that exists or existed: values that a person
 * typed or removed stay as they are.
 */
export function withDefault(state: FormState, path: string, value: Json): FormState {
  const reported: FormState = { ...state, defaults: new Map(state.defaults).set(path, value) };
  if (state.form.options.readOnly === true) return reported;
  return placesOf(state.data ?? {}, path.split('/').slice(1)).reduce(
    (at, pointer) => (isWaiting(at, pointer) ? withValue(at, pointer, { value, what: '' }) : at),
    reported,
  );
}

/** Returns the pointers of a field, one for each entry of the lists on the way, if all containers exist. */
function placesOf(around: Json | undefined, [name = '', ...rest]: readonly string[]): readonly string[] {
  const isThere = name === '*' ? isList(around) : isMembers(around);
  if (!isThere) return [];
  const names = name === '*' && isList(around) ? [...around.keys()].map(String) : [name];
  if (rest.length === 0) return names.map((one) => pointerTo('', one));
  return names.flatMap((one) =>
    placesOf(childOf(around, one), rest).map((inner) => pointerTo('', one) + inner),
  );
}

/** True for an editable leaf whose value was never set or removed by a person. */
function isWaiting(state: FormState, pointer: string): boolean {
  const row = rowAt(state, pointer);
  return row?.kind === 'leaf' && !row.filled && !row.changed && !row.disabled && !wasTyped(state, pointer);
}

function wasTyped({ past, future }: FormState, pointer: string): boolean {
  return [...past, ...future].some(({ what }) => what === `set ${pointer}`);
}
