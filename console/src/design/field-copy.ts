import { isJsonObject, type JsonObject, objectOf } from '../../../src/json/json-object.js';
import { memberOf, membersOf, ownerOf } from './branches.js';
import type { FormDraft } from './draft.js';
import { withMovedExpressions } from './expressions.js';
import { attachField, type DetachedField, type Edited, entriesOf, freeName, titleOf } from './field-edits.js';
import { fieldAt, placeOf } from './field-location.js';
import { shownNames, withOrder } from './field-order.js';
import { objectAt } from './json-edit.js';
import { containerOf } from './outline.js';
import { valuePathOf } from './placeholders.js';
import { translationsFor, withTranslations } from './translations.js';

/** Member of a copied text that marks it as a field. */
const MARK = 'gatehouse.field';

/** A field that was copied: its name, its entries in all documents, the path of its values, and its translations. */
interface CopiedField extends DetachedField {
  readonly name: string;
  readonly path: string | undefined;
  readonly translations: JsonObject;
}

/** Returns a field as a text for the clipboard; undefined for the form itself. */
export function copyOfField(draft: FormDraft, pointer: string): string | undefined {
  const copied = copyOf(draft, pointer);
  return copied && JSON.stringify({ [MARK]: copied }, null, 2);
}

function copyOf(draft: FormDraft, pointer: string): CopiedField | undefined {
  const location = placeOf(pointer);
  if (!location) return undefined;
  const field = entriesOf(draft, pointer);
  const translations = translationsFor(draft, field);
  return { name: location.name, ...field, path: valuePathOf(pointer), translations };
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
  const copied = copyOf(draft, pointer);
  return location && copied && addCopy(draft, { holder: location.container, after: location.name }, copied);
}

function addCopy(
  draft: FormDraft,
  { holder, after }: { readonly holder: string; readonly after: string | undefined },
  { name, path, translations, ...field }: CopiedField,
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
  const followed = withMovedExpressions(ordered, [path, valuePathOf(pointer)], { isCopy: true });
  return { draft: withTranslations(followed, translations), pointer };
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
  const { name, schema, ui, binding, isRequired, path, translations } = field;
  return {
    name,
    schema,
    ui: isJsonObject(ui) ? ui : undefined,
    binding: isJsonObject(binding) ? binding : undefined,
    isRequired: isRequired === true,
    path: typeof path === 'string' ? path : undefined,
    translations: objectOf(translations),
  };
}
