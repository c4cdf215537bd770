/** Longest name that is compared, so that a hostile one costs nothing. */
const COMPARED_LENGTH = 64;

/** The known name that a misspelled one was most likely meant to be; `undefined` when none is near. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > COMPARED_LENGTH) return undefined;
  const near = known
    .map((candidate) => ({ candidate, away: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, away }) => away <= Math.min(2, Math.floor(candidate.length / 2)))
    .sort((a, b) => a.away - b.away);
  return near[0]?.candidate;
}

/** Levenshtein's distance: how many characters to insert, delete or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [line, letter] of Array.from(from).entries()) {
    const next = [line + 1];
    for (let at = 0; at < to.length; at += 1) {
      const replaced = (row[at] ?? 0) + (letter === to[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
