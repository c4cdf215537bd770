import type { JsonObject } from '../../../src/core/json-object.js';
import { pointerTo, valueAt } from '../../../src/core/pointer.js';
import type { FormDraft } from './draft.js';
import type { FieldKind } from './field-kinds.js';
import { fieldAt, placeOf, uiPointerOf } from './field-location.js';
import { objectAt, textsAt, withMember, withoutEmpty } from './json-edit.js';
import { shownNames } from './outline.js';

/** Result of an edit: the form, and the pointer of the edited field. */
export interface Edited {
  readonly draft: FormDraft;
  readonly pointer: string;
}

/** Adds a field at the end of an object. If the name is taken, the first free similar name is used. */
export function addField(
  draft: FormDraft,
  container: string,
  { name, kind }: { readonly name: string; readonly kind: FieldKind },
): Edited {
  const taken = new Set(Object.keys(objectAt(draft.schema, `${container}/properties`)));
  const free = freeName(name, taken);
  const title = free === name ? titleOf(name) : titleOf(free);
  const pointer = fieldAt(container, free);
  const field = { ...kind.schema, title };
  const added = putField(draft, { container, name: free }, { schema: field, ui: kind.ui, isRequired: false });
  return { draft: added, pointer };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 2, free = name; ; count += 1) {
    if (!taken.has(free)) return free;
    free = `${name}${count}`;
  }
}

/** Converts a name to a label: `vlanId` and `vlan-id` become `Vlan id`. */
export function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_.:\s]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Removes a field from all documents of the form. */
export function removeField(draft: FormDraft, pointer: string): Edited {
  const place = placeOf(pointer);
  if (!place)
    return { draft: { ...draft, schema: withMember(draft.schema, pointer, undefined) }, pointer: '' };
  const names = shownNames(draft, place.container);
  const at = names.indexOf(place.name);
  const neighbour = names[at + 1] ?? names[at - 1];
  const { draft: rest } = takeField(draft, pointer);
  const next =
    neighbour === undefined ? place.container.replace(/\/items$/, '') : fieldAt(place.container, neighbour);
  return { draft: place.container === '' ? withoutBinding(rest, place.name) : rest, pointer: next };
}

/** Renames a field in all documents. The name must be free. */
export function renameField(draft: FormDraft, pointer: string, name: string): Edited {
  const place = placeOf(pointer);
  if (!place || name === '' || name === place.name) return { draft, pointer };
  const { container, name: previous } = place;
  const names = Object.keys(objectAt(draft.schema, `${container}/properties`));
  if (names.includes(name)) return { draft, pointer };
  const ui = uiPointerOf(container);
  let { schema, uiSchema, bindingSchema } = draft;
  schema = renameMember(schema, `${container}/properties`, [previous, name]);
  schema = renameText(schema, `${container}/required`, [previous, name]);
  if (ui !== undefined) {
    uiSchema = renameMember(uiSchema, ui, [previous, name]);
    uiSchema = renameText(uiSchema, `${ui}/ui:order`, [previous, name]);
  }
  if (container === '') bindingSchema = renameMember(bindingSchema, '/properties', [previous, name]);
  return { draft: { ...draft, schema, uiSchema, bindingSchema }, pointer: fieldAt(container, name) };
}

type Renaming = readonly [former: string, name: string];

function renameMember(document: JsonObject, pointer: string, [previous, name]: Renaming): JsonObject {
  const object = objectAt(document, pointer);
  if (!Object.hasOwn(object, previous)) return document;
  const renamed = Object.entries(object).map(([key, value]) => [key === previous ? name : key, value]);
  return withMember(document, pointer, Object.fromEntries(renamed));
}

function renameText(document: JsonObject, pointer: string, [previous, name]: Renaming): JsonObject {
  const texts = textsAt(document, pointer);
  if (!texts.includes(previous)) return document;
  return withMember(
    document,
    pointer,
    texts.map((text) => (text === previous ? name : text)),
  );
}

/** Sets whether a field is required. */
export function setRequired(draft: FormDraft, pointer: string, isRequired: boolean): FormDraft {
  const place = placeOf(pointer);
  if (!place) return draft;
  const at = `${place.container}/required`;
  const others = textsAt(draft.schema, at).filter((name) => name !== place.name);
  const names = isRequired ? [...others, place.name] : others;
  return { ...draft, schema: withMember(draft.schema, at, names.length === 0 ? undefined : names) };
}

/** Sets a keyword of a field's schema; `undefined` removes it. */
export function setKeyword(
  draft: FormDraft,
  pointer: string,
  { keyword, value }: { readonly keyword: string; readonly value: unknown },
): FormDraft {
  return { ...draft, schema: withMember(draft.schema, pointerTo(pointer, keyword), value) };
}

/** Sets a uiSchema entry of a field; `undefined` removes it. */
export function setUi(
  draft: FormDraft,
  pointer: string,
  { keyword, value }: { readonly keyword: string; readonly value: unknown },
): FormDraft {
  const ui = uiPointerOf(pointer);
  if (ui === undefined) return draft;
  const uiSchema = withMember(draft.uiSchema, pointerTo(ui, keyword), value);
  return { ...draft, uiSchema: withoutEmpty(uiSchema, ui) };
}

/** A field without its location: its entries in all documents. */
interface DuplicateField {
  readonly schema: unknown;
  readonly ui: unknown;
  readonly isRequired: boolean;
}

/** Removes a field from schema, `required`, uiSchema and `ui:order`. */
export function takeField(
  draft: FormDraft,
  pointer: string,
): { readonly draft: FormDraft; readonly field: DuplicateField } {
  const { container, name } = placeOf(pointer) ?? { container: '', name: '' };
  const uiPointer = uiPointerOf(pointer);
  const isRequired = textsAt(draft.schema, `${container}/required`).includes(name);
  const field = {
    schema: valueAt(draft.schema, pointer),
    ui: uiPointer === undefined ? undefined : valueAt(draft.uiSchema, uiPointer),
    isRequired,
  };
  let { uiSchema } = draft;
  if (uiPointer !== undefined) {
    const ui = uiPointerOf(container) ?? '';
    const order = textsAt(uiSchema, `${ui}/ui:order`);
    if (order.includes(name))
      uiSchema = withMember(
        uiSchema,
        `${ui}/ui:order`,
        order.filter((one) => one !== name),
      );
    if (field.ui !== undefined) uiSchema = withoutEmpty(withMember(uiSchema, uiPointer, undefined), ui);
  }
  const bare = setRequired(draft, pointer, false);
  return { draft: { ...bare, schema: withMember(bare.schema, pointer, undefined), uiSchema }, field };
}

/** Appends a field to an object. */
export function putField(
  draft: FormDraft,
  { container, name }: { readonly container: string; readonly name: string },
  { schema, ui, isRequired }: DuplicateField,
): FormDraft {
  const pointer = fieldAt(container, name);
  const uiContainer = uiPointerOf(container);
  const uiPointer = uiPointerOf(pointer);
  let { uiSchema } = draft;
  if (uiPointer !== undefined && uiContainer !== undefined) {
    if (ui !== undefined) uiSchema = withMember(uiSchema, uiPointer, ui);
    const order = textsAt(uiSchema, `${uiContainer}/ui:order`);
    if (order.length > 0 && !order.includes('*') && !order.includes(name))
      uiSchema = withMember(uiSchema, `${uiContainer}/ui:order`, [...order, name]);
  }
  const placed = { ...draft, schema: withMember(draft.schema, pointer, schema), uiSchema };
  return isRequired ? setRequired(placed, pointer, true) : placed;
}

function withoutBinding(draft: FormDraft, name: string): FormDraft {
  const at = pointerTo('/properties', name);
  if (valueAt(draft.bindingSchema, at) === undefined) return draft;
  return { ...draft, bindingSchema: withMember(draft.bindingSchema, at, undefined) };
}
