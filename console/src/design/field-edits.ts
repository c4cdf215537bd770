import type { JsonObject } from '../../../src/json/json-object.js';
import { pointerTo, valueAt } from '../../../src/json/pointer.js';
import {
  branchesOf,
  memberOf,
  membersOf,
  ownerOf,
  withoutEmptyBranches,
  withoutRequirement,
  withRenamedTests,
} from './branches.js';
import type { FormDraft } from './draft.js';
import { withMovedExpressions } from './expressions.js';
import type { FieldKind } from './field-kinds.js';
import { bindingPointerOf, fieldAt, placeOf, uiPointerOf } from './field-location.js';
import { shownNames, withGroupNames, withOrder } from './field-order.js';
import { objectAt, textsAt, withMember, withoutEmpty, withTexts } from './json-edit.js';
import { valuePathOf, withMovedPlaceholders } from './placeholders.js';

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
  const usedNames = new Set(membersOf(draft.schema, container).map((member) => member.name));
  const free = freeName(name, usedNames);
  const pointer = fieldAt(container, free);
  const field = { schema: { ...kind.schema, title: titleOf(free) }, ui: kind.ui, isRequired: false };
  const added = attachField(draft, { container, name: free }, field);
  // Fields with a condition come last in a schema, so the order may need `ui:order`.
  return { draft: withOrder(added, container, [...shownNames(draft, container), free]), pointer };
}

/** Returns the name, with a number if it is in use. */
export function freeName(name: string, usedNames: ReadonlySet<string>): string {
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
  const owner = ownerOf(draft.schema, location.container);
  const names = shownNames(draft, owner);
  const at = names.indexOf(location.name);
  const neighbor = names[at + 1] ?? names[at - 1];
  const { draft: detached } = detachField(draft, pointer);
  const rest = withoutEmptyBranches(withoutRequirement(detached, owner, location.name), owner);
  const next =
    neighbor === undefined
      ? owner.replace(/\/items$/, '')
      : (memberOf(rest.schema, owner, neighbor)?.pointer ?? fieldAt(owner, neighbor));
  return { draft: rest, pointer: next };
}

/** Renames a field in all documents, with the conditions, placeholders and expressions that name it. Does nothing if the name is in use. */
export function renameField(draft: FormDraft, pointer: string, name: string): Edited {
  const location = placeOf(pointer);
  if (!location || name === '' || name === location.name) return { draft, pointer };
  const { container, name: previous } = location;
  const owner = ownerOf(draft.schema, container);
  if (memberOf(draft.schema, owner, name)) return { draft, pointer };
  const ui = uiPointerOf(container);
  const binding = bindingPointerOf(container);
  let { schema, uiSchema, bindingSchema } = draft;
  schema = renameMember(schema, `${container}/properties`, [previous, name]);
  for (const at of [owner, ...branchesOf(schema, owner).map((branch) => branch.container)])
    schema = withTexts(schema, `${at}/required`, renamedIn([previous, name]));
  if (ui !== undefined)
    uiSchema = withNames(renameMember(uiSchema, ui, [previous, name]), ui, renamedIn([previous, name]));
  if (binding !== undefined)
    bindingSchema = renameMember(bindingSchema, `${binding}/properties`, [previous, name]);
  const renamed = withRenamedTests({ ...draft, schema, uiSchema, bindingSchema }, owner, [previous, name]);
  const member = memberOf(renamed.schema, owner, name);
  const next = member?.pointer ?? fieldAt(container, name);
  return { draft: withMovedValue(renamed, pointer, next), pointer: next };
}

/** Returns the form after a field got another pointer: placeholders and expressions follow its values. */
export function withMovedValue(draft: FormDraft, previous: string, next: string): FormDraft {
  const paths = [valuePathOf(previous), valuePathOf(next)] as const;
  return withMovedExpressions(withMovedPlaceholders(draft, paths), paths);
}

/** Changes the lists of names of an object's fields in the uiSchema: their order, and those of each section and page. */
function withNames(
  uiSchema: JsonObject,
  ui: string,
  change: (names: readonly string[]) => readonly string[],
): JsonObject {
  return withGroupNames(withTexts(uiSchema, `${ui}/ui:order`, change), ui, change);
}

type NameChange = readonly [previous: string, name: string];

function renameMember(document: JsonObject, pointer: string, [previous, name]: NameChange): JsonObject {
  const object = objectAt(document, pointer);
  if (!Object.hasOwn(object, previous)) return document;
  const renamed = Object.entries(object).map(([key, value]) => [key === previous ? name : key, value]);
  return withMember(document, pointer, Object.fromEntries(renamed));
}

function renamedIn([previous, name]: NameChange): (names: readonly string[]) => readonly string[] {
  return (names) => names.map((one) => (one === previous ? name : one));
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
export interface DetachedField {
  readonly schema: unknown;
  readonly ui: unknown;
  readonly binding?: unknown;
  readonly isRequired: boolean;
}

/** Returns the entries of a field in all documents. */
export function entriesOf(draft: FormDraft, pointer: string): DetachedField {
  const { container, name } = placeOf(pointer) ?? { container: '', name: '' };
  const ui = uiPointerOf(pointer);
  const binding = bindingPointerOf(pointer);
  return {
    schema: valueAt(draft.schema, pointer),
    ui: ui === undefined ? undefined : valueAt(draft.uiSchema, ui),
    binding: binding === undefined ? undefined : valueAt(draft.bindingSchema, binding),
    isRequired: textsAt(draft.schema, `${container}/required`).includes(name),
  };
}

/** Removes a field from all documents, and returns the field. */
export function detachField(
  draft: FormDraft,
  pointer: string,
): { readonly draft: FormDraft; readonly field: DetachedField } {
  const { container, name } = placeOf(pointer) ?? { container: '', name: '' };
  const field = entriesOf(draft, pointer);
  const uiPointer = uiPointerOf(pointer);
  const bindingPointer = bindingPointerOf(pointer);
  let { uiSchema, bindingSchema } = draft;
  if (uiPointer !== undefined) {
    const ui = uiPointerOf(container) ?? '';
    uiSchema = withNames(uiSchema, ui, (names) => names.filter((other) => other !== name));
    if (field.ui !== undefined) uiSchema = withoutEmpty(withMember(uiSchema, uiPointer, undefined), ui);
  }
  if (bindingPointer !== undefined && field.binding !== undefined)
    bindingSchema = withMember(bindingSchema, bindingPointer, undefined);
  const optional = setRequired(draft, pointer, false);
  const schema = withMember(optional.schema, pointer, undefined);
  return { draft: { ...optional, schema, uiSchema, bindingSchema }, field };
}

export function attachField(
  draft: FormDraft,
  { container, name }: { readonly container: string; readonly name: string },
  { schema, ui, binding, isRequired }: DetachedField,
): FormDraft {
  const pointer = fieldAt(container, name);
  const uiContainer = uiPointerOf(container);
  const uiPointer = uiPointerOf(pointer);
  const bindingPointer = bindingPointerOf(pointer);
  let { uiSchema, bindingSchema } = draft;
  if (uiPointer !== undefined && uiContainer !== undefined) {
    if (ui !== undefined) uiSchema = withMember(uiSchema, uiPointer, ui);
    uiSchema = withTexts(uiSchema, `${uiContainer}/ui:order`, (order) =>
      order.length === 0 || order.includes('*') || order.includes(name) ? order : [...order, name],
    );
  }
  if (bindingPointer !== undefined && binding !== undefined)
    bindingSchema = withMember(bindingSchema, bindingPointer, binding);
  const attached = {
    ...draft,
    schema: withMember(draft.schema, pointer, schema),
    uiSchema,
    bindingSchema,
  };
  return isRequired ? setRequired(attached, pointer, true) : attached;
}
