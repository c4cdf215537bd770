import { placeholdersOf } from '../../../../../src/form-model/form-binding.js';
import { isJsonObject } from '../../../../../src/json/json-object.js';
import { pointerTo, pointerTokens } from '../../../../../src/json/pointer.js';
import { labelOf } from '../field/options.js';
import { isStructure, type Json } from '../json/json.js';
import { jsonAt, pointersOf } from '../json/locations.js';
import type { FormState } from '../state/form-state.js';
import { bindingsOf, type FormBinding } from './bindings.js';

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
