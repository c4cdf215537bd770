/** Something that the palette opens or does. */
export interface Entry {
  /** Unique among all entries. */
  readonly key: string;
  /** Group under which the entry is listed. */
  readonly group: string;
  readonly title: string;
  /** Shown beside the title, for example a shortcut. */
  readonly detail?: string;
  /** True for entries that match whatever is searched, because they contain it. */
  readonly isForAnyQuery?: boolean;
  readonly run: () => void;
}

/** Maximum number of entries of one group that are shown for a query. */
const MAX_PER_GROUP = 8;

/**
 * Returns the entries whose title contains every word of the query, the best match of each group first: an equal title,
 * then a title that begins with the query, then a word that begins with it. The groups keep their order.
 */
export function rankEntries(entries: readonly Entry[], query: string): readonly Entry[] {
  const wanted = query.trim().toLocaleLowerCase();
  const words = wanted.split(/\s+/);
  const scored = entries.flatMap((entry) => {
    const title = entry.title.toLocaleLowerCase();
    const isMatch = entry.isForAnyQuery === true || words.every((word) => title.includes(word));
    return isMatch ? [{ entry, score: scoreOf(title, wanted) }] : [];
  });
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups.flatMap((group) =>
    scored
      .filter(({ entry }) => entry.group === group)
      .sort((a, b) => a.score - b.score)
      .slice(0, wanted === '' ? undefined : MAX_PER_GROUP)
      .map(({ entry }) => entry),
  );
}

function scoreOf(title: string, wanted: string): number {
  if (title === wanted) return 0;
  if (title.startsWith(wanted)) return 1;
  return title.split(/[\s/._:@-]/).some((word) => word.startsWith(wanted)) ? 2 : 3;
}
