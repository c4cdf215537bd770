/** True when the words of a filter have this one among them. */
export function filterHas(filter: string, word: string): boolean {
  return wordsOf(filter).includes(word);
}

/** The filter with the word, or without it when it is there. */
export function filterWith(filter: string, word: string): string {
  const words = wordsOf(filter);
  return (words.includes(word) ? words.filter((one) => one !== word) : [word, ...words]).join(' ');
}

function wordsOf(filter: string): readonly string[] {
  return filter.split(/\s+/).filter(Boolean);
}
