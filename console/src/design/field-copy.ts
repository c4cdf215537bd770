import { isJsonObject } from '../../../src/json/json-object.js';
import { memberOf, membersOf, ownerOf } from './branches.js';
import type { FormDraft } from './draft.js';
import { attachField, type DetachedField, type Edited, entriesOf, freeName, titleOf } from './field-edits.js';
import { fieldAt, placeOf } from './field-location.js';
import { shownNames, withOrder } from './field-order.js';
import { objectAt } from './json-edit.js';
import { containerOf } from './outline.js';

/** Member of a copied text that marks it as a field. */
const MARK = 'gatehouse.field';

/** A field that was copied: its name, and its entries in all documents. */
type CopiedField = DetachedField & { readonly name: string };

/** Returns a field as a text for the clipboard; undefined for the form itself. */
export function copyOfField(draft: FormDraft, pointer: string): string | undefined {
  const location = placeOf(pointer);
  if (!location) return undefined;
  return JSON.stringify({ [MARK]: { name: location.name, ...entriesOf(draft, pointer) } }, null, 2);
}

/**
 * Adds a copied field behind the selected field, or to the selected group. A name that is in use gets a number.
 * Returns undefined if the text is not a copied field.
 */
export function pasteField(draft: FormDraft, selected: string, text: string): Edited | undefined {
  const copied = copiedField(text);
  if (!copied) return undefined;
  const group = containerOf(objectAt(draft.schema, selected), selected);
  const location = placeOf(selected);
  const container = group ?? ownerOf(draft.schema, location?.container ?? '');
  return addCopy(
    draft,
    { holder: container, after: group === undefined ? location?.name : undefined },
    copied,
  );
}

/** Adds a copy behind a field. The copy has the condition of the field. */
export function duplicateField(draft: FormDraft, pointer: string): Edited | undefined {
  const location = placeOf(pointer);
  if (!location) return undefined;
  const { container, name } = location;
  return addCopy(draft, { holder: container, after: name }, { name, ...entriesOf(draft, pointer) });
}

function addCopy(
  draft: FormDraft,
  { holder, after }: { readonly holder: string; readonly after: string | undefined },
  { name, ...field }: CopiedField,
): Edited {
  const owner = ownerOf(draft.schema, holder);
  const names = membersOf(draft.schema, owner).map((member) => member.name);
  const free = freeName(name, new Set(names));
  const schema =
    isJsonObject(field.schema) && field.schema['title'] === titleOf(name)
      ? { ...field.schema, title: titleOf(free) }
      : field.schema;
  const attached = attachField(draft, { container: holder, name: free }, { ...field, schema });
  const others = shownNames(attached, owner).filter((other) => other !== free);
  const at = after === undefined ? others.length : others.indexOf(after) + 1;
  const ordered = withOrder(attached, owner, others.toSpliced(at, 0, free));
  const pointer = memberOf(ordered.schema, owner, free)?.pointer ?? fieldAt(holder, free);
  return { draft: ordered, pointer };
}

function copiedField(text: string): CopiedField | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const field = isJsonObject(parsed) ? parsed[MARK] : undefined;
  if (!isJsonObject(field) || typeof field['name'] !== 'string' || field['name'] === '') return undefined;
  if (!isJsonObject(field['schema'])) return undefined;
  const { name, schema, ui, binding, isRequired } = field;
  return {
    name,
    schema,
    ui: isJsonObject(ui) ? ui : undefined,
    binding: isJsonObject(binding) ? binding : undefined,
    isRequired: isRequired === true,
  };
}
