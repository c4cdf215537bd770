import { text } from '../../design/designer-text.js';
import type { FormDraft } from '../../design/draft.js';
import { FORM_DIALECT } from '../../design/examples.js';
import { languagesOf } from '../../design/translations.js';
import { type FormState, openForm, readJson } from '../../form/model/index.js';
import { useUrlState } from '../../kit/url-state.js';
import { locale } from '../../text/locale.js';

/** Opens a form with the data of its preview; undefined if the schema has faults. */
export function openPreview(
  source: Pick<FormDraft, 'schema' | 'uiSchema' | 'bindingSchema'> & { readonly language: string },
  data: string,
): FormState | undefined {
  try {
    const { language, ...form } = source;
    return openForm({ ...form, data: readJson(data) }, { dialect: FORM_DIALECT, computes: true, language });
  } catch {
    return undefined;
  }
}

/** Value in the URL for the language in which the form is written. */
const AS_WRITTEN = 'none';

interface FormLanguage {
  /** Language of the preview, which is also the one that is being translated; empty for the form as it is written. */
  readonly language: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly choose: (language: string) => void;
}

/** Returns the language in which the preview shows a form; at first the one of the user, as in a task. */
export function useFormLanguage(draft: FormDraft): FormLanguage {
  const [{ language: chosen }, setUrl] = useUrlState({ language: '' });
  const languages = languagesOf(draft);
  const own = [locale(), locale().split('-')[0]].find((one) => one !== undefined && languages.includes(one));
  const isKnown = chosen === AS_WRITTEN || languages.includes(chosen);
  const language = isKnown ? chosen.replace(AS_WRITTEN, '') : (own ?? '');
  const options = [
    { value: '', label: text('asWritten') },
    ...languages.map((one) => ({ value: one, label: languageName(one) })),
  ];
  return { language, options, choose: (next) => setUrl({ language: next === '' ? AS_WRITTEN : next }) };
}

/** Returns the name of a language; the tag itself if it has no name. */
export function languageName(tag: string): string {
  const known = languageTag(tag);
  return known === undefined
    ? tag
    : (new Intl.DisplayNames([locale()], { type: 'language' }).of(known) ?? tag);
}

/** Returns a BCP 47 tag as it is written usually: `de-AT`; undefined if it is none. */
export function languageTag(typed: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(typed.trim())[0];
  } catch {
    return undefined;
  }
}
