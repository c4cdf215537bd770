/**
 * Returns the known word that is most similar to a misspelled word; undefined if no known word is similar.
 */
export function nearWord(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word) || word.length < 3) return undefined;
  const maxDistance = word.length < 5 ? 1 : 2;
  let best: string | undefined;
  let bestDistance = maxDistance + 1;
  for (const candidate of known) {
    if (candidate.toLowerCase() === word.toLowerCase()) return candidate;
    if (Math.abs(candidate.length - word.length) > maxDistance) continue;
    const candidateDistance = distance(word, candidate);
    if (candidateDistance < bestDistance) [best, bestDistance] = [candidate, candidateDistance];
  }
  return best;
}

/**
 * Returns the number of letters to insert, delete, replace or swap with a neighbor (optimal string alignment
 * distance).
 */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
