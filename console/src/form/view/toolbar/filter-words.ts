/** True if a filter contains the word. */
export function filterHas(filter: string, word: string): boolean {
  return wordsOf(filter).includes(word);
}

/** Returns the filter with the word added, or removed if it is present. */
export function filterWith(filter: string, word: string): string {
  const words = wordsOf(filter);
  return (words.includes(word) ? words.filter((one) => one !== word) : [word, ...words]).join(' ');
}

function wordsOf(filter: string): readonly string[] {
  return filter.split(/\s+/).filter(Boolean);
}
