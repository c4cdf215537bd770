import {
  type FormBinding,
  formBindings,
  placeholdersOf,
} from '../../../../../src/form-model/form-binding.js';
import { isJsonObject } from '../../../../../src/json/json-object.js';
import { pointerTo, pointerTokens } from '../../../../../src/json/pointer.js';
import { labelOf } from '../field/options.js';
import { isList, isMembers, isStructure, type Json, jsonAt, pointersOf, sameJson } from '../json/json.js';
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

/** Values of the fields on which a query depends, by the pointer of their placeholder. */
export type DependedValues = Readonly<Record<string, string | boolean>>;

/** A query that a form needs now. */
export interface BoundQuery {
  readonly binding: FormBinding;
  /** Path of the field; its pointer if the query depends on values of the same entry of a list. */
  readonly field: string;
  readonly isDependent: boolean;
  readonly values: DependedValues;
  /** Pointers of the fields without a value, for which the query waits. */
  readonly missing: readonly string[];
}

/**
 * Returns the queries of all bound fields. A query whose path depends on other fields has their values; one that
 * depends on fields of its entry of a list exists once for each entry.
 */
export function boundQueries(state: FormState): readonly BoundQuery[] {
  return bindingsOf(state).flatMap((binding) => {
    const placeholders = placeholdersOf(pathOf(binding));
    const isInEntry = binding.path.includes('*') && placeholders.some((pointer) => pointer.includes('*'));
    const fields = isInEntry ? pointersOf(state.data, pointerTokens(binding.path)) : [binding.path];
    return fields.map((field) => queryOf(state, { binding, field, placeholders }));
  });
}

interface FieldOfBinding {
  readonly binding: FormBinding;
  readonly field: string;
  readonly placeholders: readonly string[];
}

function queryOf({ data }: FormState, { binding, field, placeholders }: FieldOfBinding): BoundQuery {
  const found = placeholders.map((placeholder) => {
    const pointer = inEntryOf(field, placeholder);
    return { placeholder, pointer, value: valueInPath(jsonAt(data, pointer)) };
  });
  return {
    binding,
    field,
    isDependent: placeholders.length > 0,
    values: Object.fromEntries(
      found.flatMap(({ placeholder, value }) => (value === undefined ? [] : [[placeholder, value] as const])),
    ),
    missing: found.flatMap(({ pointer, value }) => (value === undefined ? [pointer] : [])),
  };
}

/** Returns the path of a query, which may contain placeholders; empty if it has none. */
function pathOf({ variables }: FormBinding): string {
  const params = isJsonObject(variables) ? variables['params'] : undefined;
  const path = isJsonObject(params) ? params['path'] : undefined;
  return typeof path === 'string' ? path : '';
}

/** Returns the pointer of a placeholder, with the indexes of the field in place of `*`. */
function inEntryOf(field: string, placeholder: string): string {
  const tokens = pointerTokens(field);
  return pointerTokens(placeholder)
    .map((token, at) => (token === '*' ? (tokens[at] ?? token) : token))
    .reduce(pointerTo, '');
}

/** Returns a value as a query takes it, numbers with all their digits; undefined if there is no usable value. */
function valueInPath(value: Json | undefined): string | boolean | undefined {
  if (value === undefined || value === null || value === '' || isStructure(value)) return undefined;
  return typeof value === 'boolean' ? value : labelOf(value);
}
