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

/** Adds a field at the end of an object. If the name is in use, the field gets the name with a number. */
export function addField(
  draft: FormDraft,
  container: string,
  { name, kind }: { readonly name: string; readonly kind: FieldKind },
): Edited {
  const usedNames = new Set(Object.keys(objectAt(draft.schema, `${container}/properties`)));
  const free = freeName(name, usedNames);
  const title = free === name ? titleOf(name) : titleOf(free);
  const pointer = fieldAt(container, free);
  const field = { ...kind.schema, title };
  const added = attachField(
    draft,
    { container, name: free },
    { schema: field, ui: kind.ui, isRequired: false },
  );
  return { draft: added, pointer };
}

function freeName(name: string, usedNames: ReadonlySet<string>): string {
  for (let count = 2, free = name; ; count += 1) {
    if (!usedNames.has(free)) return free;
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
  const location = placeOf(pointer);
  if (!location)
    return { draft: { ...draft, schema: withMember(draft.schema, pointer, undefined) }, pointer: '' };
  const names = shownNames(draft, location.container);
  const at = names.indexOf(location.name);
  const neighbor = names[at + 1] ?? names[at - 1];
  const { draft: rest } = detachField(draft, pointer);
  const next =
    neighbor === undefined
      ? location.container.replace(/\/items$/, '')
      : fieldAt(location.container, neighbor);
  return { draft: location.container === '' ? withoutBinding(rest, location.name) : rest, pointer: next };
}

/** Renames a field in all documents. Does nothing if the name is in use. */
export function renameField(draft: FormDraft, pointer: string, name: string): Edited {
  const location = placeOf(pointer);
  if (!location || name === '' || name === location.name) return { draft, pointer };
  const { container, name: previous } = location;
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

type NameChange = readonly [previous: string, name: string];

function renameMember(document: JsonObject, pointer: string, [previous, name]: NameChange): JsonObject {
  const object = objectAt(document, pointer);
  if (!Object.hasOwn(object, previous)) return document;
  const renamed = Object.entries(object).map(([key, value]) => [key === previous ? name : key, value]);
  return withMember(document, pointer, Object.fromEntries(renamed));
}

function renameText(document: JsonObject, pointer: string, [previous, name]: NameChange): JsonObject {
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
  const location = placeOf(pointer);
  if (!location) return draft;
  const at = `${location.container}/required`;
  const others = textsAt(draft.schema, at).filter((name) => name !== location.name);
  const names = isRequired ? [...others, location.name] : others;
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

/** A field that was removed from its location: its entries in all documents. */
interface DetachedField {
  readonly schema: unknown;
  readonly ui: unknown;
  readonly isRequired: boolean;
}

/** Removes a field from the schema, `required`, the uiSchema and `ui:order`, and returns the field. */
export function detachField(
  draft: FormDraft,
  pointer: string,
): { readonly draft: FormDraft; readonly field: DetachedField } {
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
        order.filter((other) => other !== name),
      );
    if (field.ui !== undefined) uiSchema = withoutEmpty(withMember(uiSchema, uiPointer, undefined), ui);
  }
  const optional = setRequired(draft, pointer, false);
  return { draft: { ...optional, schema: withMember(optional.schema, pointer, undefined), uiSchema }, field };
}

/** Appends a field to an object. */
export function attachField(
  draft: FormDraft,
  { container, name }: { readonly container: string; readonly name: string },
  { schema, ui, isRequired }: DetachedField,
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
  const attached = { ...draft, schema: withMember(draft.schema, pointer, schema), uiSchema };
  return isRequired ? setRequired(attached, pointer, true) : attached;
}

function withoutBinding(draft: FormDraft, name: string): FormDraft {
  const at = pointerTo('/properties', name);
  if (valueAt(draft.bindingSchema, at) === undefined) return draft;
  return { ...draft, bindingSchema: withMember(draft.bindingSchema, at, undefined) };
}
