import { type FormBinding, formBindings } from '../../../../../src/form-model/form-binding.js';
import { pointerTokens } from '../../../../../src/json/pointer.js';
import { labelOf } from '../field/options.js';
import { isList, isMembers, isStructure, type Json, sameJson } from '../json/json.js';
import { jsonAt, pointersOf } from '../json/locations.js';
import { rowAt } from '../rows/rows-of.js';
import { withValue } from '../state/apply-edit.js';
import type { FormState } from '../state/form-state.js';
import type { BoundOptions, Option } from '../types.js';

export type { FormBinding };

/** Returns all bindings of a form, including those of nested members. */
export function bindingsOf({ form }: FormState): readonly FormBinding[] {
  return formBindings(form.bindingSchema);
}

/** Returns the state with the options of a field: pending, available, or the reason why there are none. */
export function withOptions(state: FormState, path: string, bound: BoundOptions): FormState {
  return { ...state, bound: new Map(state.bound).set(path, bound) };
}

/** Returns the options in a response: scalars, or objects with value and label. Other values are left out. */
export function optionsFrom({ source }: FormBinding, response: Json): readonly Option[] {
  const found = jsonAt(response, source.values);
  const values = isList(found) ? found : isMembers(found) ? Object.values(found) : [];
  return values.flatMap((each) => {
    const value = isMembers(each) ? jsonAt(each, source.value) : each;
    const label = isMembers(each) ? (jsonAt(each, source.label) ?? value) : each;
    return value === undefined || value === null || isStructure(value)
      ? []
      : [{ value, label: labelOf(label) }];
  });
}

/**
 * Returns the default in a response: the scalar or the first scalar of a list; undefined if there is none.
 */
export function defaultFrom({ source }: FormBinding, response: Json): Json | undefined {
  const found = jsonAt(response, source.values);
  const first = isList(found) ? found[0] : found;
  const value = isMembers(first) ? jsonAt(first, source.value) : first;
  return value === undefined || value === null || isStructure(value) ? undefined : value;
}

/**
 * Returns the state with a default from another service. The schema does not contain this default, so it is
 * written into the document, as a visible change that can be undone. It is only written into existing objects,
 * and never replaces a value that the user typed or removed. `path` is the path of a field, or a pointer. A default
 * that depends on other fields replaces the previous one.
 */
export function withDefault(state: FormState, path: string, value: Json): FormState {
  const previous = state.defaults.get(path);
  const withDefaults: FormState = { ...state, defaults: new Map(state.defaults).set(path, value) };
  if (state.form.options.readOnly === true) return withDefaults;
  return pointersOf(state.data ?? {}, pointerTokens(path)).reduce(
    (current, pointer) =>
      awaitsDefault(current, pointer, previous)
        ? withValue(current, pointer, { value, editName: '' })
        : current,
    withDefaults,
  );
}

/** Returns true for an editable leaf whose value the user never set or removed: it is absent, or the previous default. */
function awaitsDefault(state: FormState, pointer: string, previous: Json | undefined): boolean {
  const row = rowAt(state, pointer);
  if (row?.kind !== 'leaf' || row.disabled || wasEdited(state, pointer)) return false;
  return row.filled ? previous !== undefined && sameJson(row.value, previous) : !row.changed;
}

function wasEdited({ past, future }: FormState, pointer: string): boolean {
  return [...past, ...future].some(({ editName }) => editName === `set ${pointer}`);
}
