import { placeholdersOf } from '../../../src/form-model/form-binding.js';
import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { pointerTo, pointerTokens, valueAt } from '../../../src/json/pointer.js';
import type { FormDraft } from './draft.js';
import { bindingPointerOf, placeOf } from './field-location.js';
import { objectAt } from './json-edit.js';
import { type Outlined, type OutlineNode, outlineOf } from './outline.js';

/** A field whose value the path of a query can contain. */
interface PlaceholderField {
  /** Pointer of the value, with `*` for the entry of a list that the bound field is in as well. */
  readonly placeholder: string;
  readonly title: string;
}

/** Returns the pointer of a field's values, with `*` for the entries of lists; undefined for a definition. */
export function valuePathOf(pointer: string): string | undefined {
  const binding = bindingPointerOf(pointer);
  if (binding === undefined) return undefined;
  const tokens = pointerTokens(binding);
  let path = '';
  for (let at = 0; at < tokens.length; at += 1)
    path = pointerTo(path, tokens[at] === 'items' ? '*' : (tokens[++at] ?? ''));
  return path;
}

/** A field with the pointer of its values, in which `*` means the entries of lists. */
export interface ValueField {
  readonly pointer: string;
  readonly path: string;
  readonly title: string;
  readonly schema: JsonObject;
}

/** Returns the fields of a form at any depth, in display order. */
export function valueFields(form: Outlined): readonly ValueField[] {
  const visit = ({ children }: OutlineNode): readonly ValueField[] =>
    children.flatMap((node) => {
      const { pointer, title } = node;
      const path = placeOf(pointer) && valuePathOf(pointer);
      const own =
        path === undefined ? [] : [{ pointer, path, title, schema: objectAt(form.schema, pointer) }];
      return [...own, ...visit(node)];
    });
  return visit(outlineOf(form));
}

/** Returns true for a field with a single value. */
export function isSingleValue({ schema: { type } }: ValueField): boolean {
  return typeof type === 'string' && /^(?:string|integer|number|boolean)$/.test(type);
}

/** Returns the fields that the query of a field can depend on: single values outside of other lists. */
export function placeholderFields(form: Outlined, pointer: string): readonly PlaceholderField[] {
  const own = valuePathOf(pointer) ?? '';
  return valueFields(form)
    .filter((field) => isSingleValue(field) && field.path !== own && isReachable(field.path, own))
    .map(({ path: placeholder, title }) => ({ placeholder, title }));
}

/** Returns true if every list of a path is one of those that the bound field is in. */
function isReachable(path: string, own: string): boolean {
  const last = path.lastIndexOf('/*/');
  return last < 0 || own.startsWith(path.slice(0, last + 3));
}

/** Returns the form after the values of a field got another pointer: placeholders follow. */
export function withMovedPlaceholders(
  draft: FormDraft,
  [previous, next]: readonly [previous: string | undefined, next: string | undefined],
): FormDraft {
  if (previous === undefined || next === undefined || previous === next) return draft;
  const moved = (path: string): string =>
    placeholdersOf(path)
      .filter((pointer) => pointer === previous || pointer.startsWith(`${previous}/`))
      .reduce(
        (current, pointer) =>
          current.replaceAll(`{${pointer}}`, () => `{${next}${pointer.slice(previous.length)}}`),
        path,
      );
  const bindingSchema = withPaths(draft.bindingSchema, moved);
  return JSON.stringify(bindingSchema) === JSON.stringify(draft.bindingSchema)
    ? draft
    : { ...draft, bindingSchema };
}

/** Applies a function to the paths of all queries in a bindingSchema. */
function withPaths(schema: JsonObject, change: (path: string) => string): JsonObject {
  return mapped(schema, (value, key, container) =>
    key === 'path' && typeof value === 'string' && isJsonObject(container) ? change(value) : value,
  ) as JsonObject;
}

function mapped(
  value: unknown,
  change: (value: unknown, key: string, container: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapped(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, change(mapped(member, change), key, value)]),
  );
}

/** Returns the placeholders of a bound field's query whose field does not exist. */
export function unknownPlaceholders(form: Outlined, pointer: string, binding: unknown): readonly string[] {
  const path = valueAt(binding, '/binding:hyperSchema/links/0/variables/params/path');
  if (typeof path !== 'string') return [];
  const known = new Set(placeholderFields(form, pointer).map(({ placeholder }) => placeholder));
  return placeholdersOf(path).filter((placeholder) => !known.has(placeholder));
}
