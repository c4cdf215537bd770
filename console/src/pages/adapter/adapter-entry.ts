/** The parts of `GET /adapters/:name` that the page uses. */
export interface AdapterEntry {
  readonly metadata: {
    /** False if the active profile leaves the adapter out. */
    readonly isActive: boolean;
    /** False if the adapter serves with a previous configuration. */
    readonly activeSync: boolean;
  };
  readonly data: unknown;
}

/**
 * Returns the adapter's document from the text of an entry, with all digits of its numbers. Only booleans
 * precede the document, so the first `"data":` starts the document.
 */
export function documentText(entryText: string): string {
  const begin = entryText.indexOf('"data":');
  return entryText.slice(begin + '"data":'.length, entryText.lastIndexOf('}')).trim();
}
