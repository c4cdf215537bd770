declare module 'virtual:messages' {
  /** Loads the messages of a language by area and key (`console/vite.config.ts`); the keys are BCP 47 tags. */
  const languages: Readonly<
    Record<string, () => Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>>
  >;
  export default languages;
}
