import languages, { type LanguageMessages } from 'virtual:messages';
import { chooseLanguage, setLocale } from './locale.js';
import { addMessages, type PageArea, setMessages } from './text.js';

const LANGUAGE_KEY = 'gatehouse.language';

/** The languages that have message files, as BCP 47 tags. */
export const LANGUAGES: readonly string[] = Object.keys(languages);

/** Returns the language that the user chose on this device; undefined: that of the browser. */
export function chosenLanguage(): string | undefined {
  try {
    return window.localStorage.getItem(LANGUAGE_KEY) ?? undefined;
  } catch {
    // A page in a frame of another site may have no storage.
    return undefined;
  }
}

/** Remembers a language on this device, and reads the page again in it; undefined: that of the browser. */
export function changeLanguage(language: string | undefined): void {
  if (language === undefined) window.localStorage.removeItem(LANGUAGE_KEY);
  else window.localStorage.setItem(LANGUAGE_KEY, language);
  window.location.reload();
}

let loaded: LanguageMessages = { texts: {}, pages: {} };

/** Loads the messages that the console shows in the user's language without a page, and sets the language of the document. */
export async function startTexts(): Promise<void> {
  const chosen = chosenLanguage();
  const wanted = [...(chosen === undefined ? [] : [chosen]), ...window.navigator.languages];
  const { language, locale } = chooseLanguage(LANGUAGES, wanted);
  setLocale(locale);
  loaded = (await languages[language]?.()) ?? loaded;
  setMessages(loaded.texts);
  document.documentElement.lang = language;
}

export async function loadPageTexts(area: PageArea): Promise<void> {
  for (const { default: texts } of (await loaded.pages[area]?.()) ?? []) addMessages(texts);
}
