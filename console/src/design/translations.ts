import { type JsonObject, memberOf, objectOf } from '../../../src/json/json-object.js';
import { pointerTo } from '../../../src/json/pointer.js';
import { textsIn } from '../form/model/index.js';
import type { FormDraft } from './draft.js';
import { objectAt, textOr, withMember } from './json-edit.js';

const TRANSLATIONS = '/ui:translations';

/** A text of a form in another language; empty if it has no translation. */
interface Translation {
  readonly text: string;
  readonly translation: string;
}

/** Returns the languages into which a form is translated, as BCP 47 tags. */
export function languagesOf({ uiSchema }: Pick<FormDraft, 'uiSchema'>): readonly string[] {
  return Object.keys(objectAt(uiSchema, TRANSLATIONS));
}

/** Returns every text of a form in a language, and the translations of texts that the form no longer has. */
export function translationsOf(
  { schema, uiSchema }: FormDraft,
  language: string,
): { readonly texts: readonly Translation[]; readonly unused: readonly Translation[] } {
  const catalog = objectAt(uiSchema, pointerTo(TRANSLATIONS, language));
  const texts = new Set([...textsIn(schema), ...textsIn(uiSchema)]);
  const entryOf = (text: string): Translation => ({ text, translation: textOr(memberOf(catalog, text)) });
  return {
    texts: [...texts].map(entryOf),
    unused: Object.keys(catalog)
      .filter((text) => !texts.has(text))
      .map(entryOf),
  };
}

/** Adds a language without translations. */
export function addLanguage(draft: FormDraft, language: string): FormDraft {
  if (languagesOf(draft).includes(language)) return draft;
  return { ...draft, uiSchema: withMember(draft.uiSchema, pointerTo(TRANSLATIONS, language), {}) };
}

/** Removes a language with its translations. */
export function removeLanguage(draft: FormDraft, language: string): FormDraft {
  const at = languagesOf(draft).length > 1 ? pointerTo(TRANSLATIONS, language) : TRANSLATIONS;
  return { ...draft, uiSchema: withMember(draft.uiSchema, at, undefined) };
}

/** Sets the translations of texts; an empty one is removed. */
export function setTranslations(
  draft: FormDraft,
  language: string,
  translations: readonly Translation[],
): FormDraft {
  const uiSchema = translations.reduce((current, { text, translation }) => {
    const at = pointerTo(pointerTo(TRANSLATIONS, language), text);
    return withMember(current, at, translation === '' ? undefined : translation);
  }, draft.uiSchema);
  return { ...draft, uiSchema };
}

/** Returns the translations of the texts of a field, by language. */
export function translationsFor(
  { uiSchema }: FormDraft,
  { schema, ui }: { readonly schema: unknown; readonly ui: unknown },
): JsonObject {
  const texts = new Set([...textsIn(schema), ...textsIn(ui)]);
  const ofField = (catalog: unknown) =>
    Object.fromEntries(Object.entries(objectOf(catalog)).filter(([text]) => texts.has(text)));
  const all = Object.entries(objectAt(uiSchema, TRANSLATIONS));
  return Object.fromEntries(all.map(([language, catalog]) => [language, ofField(catalog)]));
}

/** Adds the translations of a copied field in the languages of the form, whose own translations take precedence. */
export function withTranslations(draft: FormDraft, copied: JsonObject): FormDraft {
  const uiSchema = languagesOf(draft).reduce((current, language) => {
    const at = pointerTo(TRANSLATIONS, language);
    const own = objectAt(current, at);
    return withMember(current, at, { ...own, ...objectOf(copied[language]), ...own });
  }, draft.uiSchema);
  return { ...draft, uiSchema };
}
