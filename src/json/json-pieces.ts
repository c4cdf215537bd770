/** Number of values up to which a subtree is one piece. */
const MAX_PIECE_VALUES = 1000;

const INDENT = 2;

/**
 * Yields the text of `JSON.stringify(value, null, 2)` in pieces, so that the whole text of a large document is never in
 * memory. `value` is a JSON value; members that are undefined are left out.
 */
export function* jsonPieces(value: unknown, depth = 0): Generator<string> {
  if (
    typeof value !== 'object' ||
    value === null ||
    countValues(value, MAX_PIECE_VALUES) <= MAX_PIECE_VALUES
  ) {
    yield indentedText(value, depth);
    return;
  }
  const isArray = Array.isArray(value);
  let separator = isArray ? '[' : '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield separator + lineAt(depth + 1) + (isArray ? '' : `${JSON.stringify(name)}: `);
    yield* jsonPieces(member, depth + 1);
    separator = ',';
  }
  yield lineAt(depth) + (isArray ? ']' : '}');
}

/** Yields the text of an array with the values as {@link jsonPieces} does, and reads each value when it is needed. */
export function* jsonListPieces(values: Iterable<unknown>): Generator<string> {
  const iterator = values[Symbol.iterator]();
  let separator = '[';
  let next: IteratorResult<unknown> | undefined = iterator.next();
  while (!next.done) {
    yield separator + lineAt(1);
    yield* jsonPieces(next.value, 1);
    separator = ',';
    // A loop over the values would keep this one in memory while the next one is made.
    next = undefined;
    next = iterator.next();
  }
  yield separator === '[' ? '[]' : `${lineAt(0)}]`;
}

/** Returns the number of values in a value, including itself, added to a count. Stops above a maximum. */
export function countValues(value: unknown, most: number, before = 0): number {
  if (value === undefined) return before;
  let count = before + 1;
  if (typeof value !== 'object' || value === null) return count;
  for (const name in value) {
    if (count > most) break;
    count = countValues((value as Readonly<Record<string, unknown>>)[name], most, count);
  }
  return count;
}

/** Returns the text of a value whose lines are indented for a depth. Within as many arrays, V8 indents them itself. */
function indentedText(value: unknown, depth: number): string {
  let nested = value;
  let before = 0;
  for (let at = 1; at <= depth; at += 1) {
    nested = [nested];
    before += '[\n'.length + at * INDENT;
  }
  const text = JSON.stringify(nested, null, INDENT);
  // What follows the value is as long as what precedes it, without the indentation of the value itself.
  return text.slice(before, text.length - before + depth * INDENT);
}

function lineAt(depth: number): string {
  return `\n${' '.repeat(depth * INDENT)}`;
}
