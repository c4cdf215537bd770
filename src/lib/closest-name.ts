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

/** Returns the Levenshtein distance: the number of characters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [rowIndex, character] of Array.from(from).entries()) {
    const nextRow = [rowIndex + 1];
    for (let at = 0; at < to.length; at += 1) {
      const substitution = (row[at] ?? 0) + (character === to[at] ? 0 : 1);
      nextRow.push(Math.min(substitution, (row[at + 1] ?? 0) + 1, (nextRow[at] ?? 0) + 1));
    }
    row = nextRow;
  }
  return row[to.length] ?? 0;
}
