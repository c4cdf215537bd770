declare module 'virtual:messages' {
  /** Messages by area and key. */
  type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

  /** The messages of a language (`console/messages-plugin.ts`). */
  export interface LanguageMessages {
    /** Messages that the console shows without a page. */
    readonly texts: Texts;
    /** Load the messages that a page shows besides these, by the area of the page. */
    readonly pages: Readonly<Record<string, () => Promise<readonly { readonly default: Texts }[]>>>;
  }

  /** Loads the messages of a language by its BCP 47 tag. */
  const languages: Readonly<Record<string, () => Promise<LanguageMessages>>>;
  export default languages;
}
