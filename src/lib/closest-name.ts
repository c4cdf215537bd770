/** Maximum length of a compared name, in characters. It limits the cost of a long name. */
const MAX_COMPARED_LENGTH = 64;

/** Maximum number of changed characters between a misspelled name and the suggested name. */
const MAX_EDITS = 2;

/** Minimum length of the beginning of a name that suggests the complete name. */
const MIN_PREFIX_LENGTH = 4;

/**
 * Returns the known name that is most similar to a misspelled name, or the only known name that begins with it;
 * `undefined` if no name is similar. Ignores the letter case.
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  const written = name.toLowerCase();
  const candidates = known
    // Each missing or additional character is an edit.
    .filter((candidate) => Math.abs(candidate.length - name.length) <= MAX_EDITS)
    .map((candidate) => ({ candidate, edits: editDistance(written, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.min(MAX_EDITS, Math.floor(candidate.length / 2)))
    .sort((a, b) => a.edits - b.edits);
  return candidates[0]?.candidate ?? onlyContinuation(written, known);
}

/** Returns the question `; did you mean "..."?` for the end of a message; empty if no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const suggestion = closestName(name, known);
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
}

function onlyContinuation(written: string, known: readonly string[]): string | undefined {
  if (written.length < MIN_PREFIX_LENGTH) return undefined;
  const [only, ...others] = known.filter((candidate) => candidate.toLowerCase().startsWith(written));
  return others.length === 0 ? only : undefined;
}

/** Returns the number of characters to insert, delete, replace or swap with the next one. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  const distance = (line: number, at: number): number => rows[line]?.[at] ?? Infinity;
  for (let line = 1; line <= from.length; line += 1) {
    const row = [line];
    rows.push(row);
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = distance(line - 1, at - 1) + (from[line - 1] === to[at - 1] ? 0 : 1);
      const isSwap = from[line - 1] === to[at - 2] && from[line - 2] === to[at - 1];
      const swapped = isSwap ? distance(line - 2, at - 2) + 1 : Infinity;
      row.push(Math.min(replaced, swapped, distance(line - 1, at) + 1, distance(line, at - 1) + 1));
    }
  }
  return distance(from.length, to.length);
}
