import { isJsonObject } from '../../../src/json/json-object.js';
import { ownerOf, requiringBranch } from './branches.js';
import type { FormDraft } from './draft.js';
import { setUi } from './field-edits.js';
import { placeOf, uiPointerOf } from './field-location.js';
import { objectAt, textsAt, withMember } from './json-edit.js';

/** Keywords for whose errors a field can have a text of its own, in the order of the editor. */
const ERROR_KEYWORDS = [
  'required',
  'enum',
  'oneOf',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
] as const;

type ErrorKeyword = (typeof ERROR_KEYWORDS)[number];

/** Returns the own texts of a field's errors (`ui:errors`), for each keyword that the field has or has a text for. */
export function errorTextsOf(
  draft: FormDraft,
  pointer: string,
): readonly { readonly keyword: ErrorKeyword; readonly text: string }[] {
  const schema = objectAt(draft.schema, pointer);
  const texts = errorsOf(draft, pointer);
  return ERROR_KEYWORDS.filter(
    (keyword) =>
      Object.hasOwn(texts, keyword) ||
      (keyword === 'required' ? canBeRequired(draft, pointer) : Object.hasOwn(schema, keyword)),
  ).map((keyword) => {
    const text = texts[keyword];
    return { keyword, text: typeof text === 'string' ? text : '' };
  });
}

/** Sets the own text of an error; an empty text removes it. */
export function setErrorText(
  draft: FormDraft,
  pointer: string,
  { keyword, text }: { readonly keyword: ErrorKeyword; readonly text: string },
): FormDraft {
  const texts = withMember(errorsOf(draft, pointer), `/${keyword}`, text === '' ? undefined : text);
  const value = Object.keys(texts).length === 0 ? undefined : texts;
  return setUi(draft, pointer, { keyword: 'ui:errors', value });
}

function errorsOf({ uiSchema }: FormDraft, pointer: string) {
  const ui = uiPointerOf(pointer);
  const errors = ui === undefined ? undefined : objectAt(uiSchema, ui)['ui:errors'];
  return isJsonObject(errors) ? errors : {};
}

function canBeRequired({ schema }: FormDraft, pointer: string): boolean {
  const location = placeOf(pointer);
  if (!location) return false;
  const { container, name } = location;
  if (textsAt(schema, `${container}/required`).includes(name)) return true;
  return requiringBranch(schema, ownerOf(schema, container), name) !== undefined;
}
