/** What `GET /adapters/:name` tells, as far as the page looks at it. */
export interface AdapterEntry {
  readonly metadata: {
    /** False: the active profile leaves it out. */
    readonly isActive: boolean;
    /** False: it serves in a former form. */
    readonly activeSync: boolean;
  };
  readonly data: unknown;
}

/** The adapter's document in the text of an entry, with all digits of its numbers. Before it stand truth values alone. */
export function documentText(entryText: string): string {
  const begin = entryText.indexOf('"data":');
  return entryText.slice(begin + '"data":'.length, entryText.lastIndexOf('}')).trim();
}
