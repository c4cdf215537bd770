import assert from 'node:assert/strict';

/** The minimum length of a replaced text. Shorter texts occur elsewhere by chance. */
const SHORTEST_NAME = 20;

/** The output shown in a guide and the actual output. */
interface Shown {
  readonly text: string;
  readonly printed: string;
  /** True: compares every value, not only every member and type. */
  readonly isExact: boolean;
}

/** A text of the guide and the text that replaces it in this run. */
type ShownPair = readonly [string, string];

/**
 * Compares the output in a guide with the actual output. In JSON, the members that the guide shows and their
 * types must match. In other text the words must match, except words with digits. Returns the long texts
 * (ids, hashes, tokens) that differ.
 */
export function compareShown({ text, printed, isExact }: Shown): readonly ShownPair[] {
  if (isExact) assert.deepEqual(lastJson(printed) ?? printed, lastJson(text) ?? text);
  const shown = lastJson(text);
  if (shown === undefined) return compareWords(text, printed);
  const actual = lastJson(printed);
  assert.deepEqual(inOutline(actual, shown), inOutline(shown, shown));
  return pairs(shown, actual);
}

/** Parses a text that is JSON, or whose last line is JSON. */
function lastJson(text: string): unknown {
  for (const candidate of [text, text.trimEnd().split('\n').at(-1) ?? ''])
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // Not JSON: tries the next candidate.
    }
  return undefined;
}

function compareWords(text: string, printed: string): readonly ShownPair[] {
  const shown = text.trim().split(/\s+/);
  const actual = printed.trim().split(/\s+/).slice(-shown.length);
  const words = (all: readonly string[]): readonly string[] =>
    all.map((word) => (/\d/.test(word) ? '#' : word));
  assert.deepEqual(words(actual), words(shown));
  return shown.flatMap((word, index) => pairs(word, actual[index]));
}

/** Returns the types of the members that are shown. For a list, uses its first item. */
function inOutline(value: unknown, shown: unknown): unknown {
  if (Array.isArray(value))
    return value.slice(0, 1).map((first) => inOutline(first, isObject(shown) ? shown[0] : undefined));
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  const names = isObject(shown) ? Object.keys(shown) : [];
  return Object.fromEntries(
    names.map((name) => [name, inOutline(value[name], isObject(shown) && shown[name])]),
  );
}

function pairs(shown: unknown, actual: unknown): readonly ShownPair[] {
  if (typeof shown === 'string' && typeof actual === 'string')
    return shown !== actual && shown.length >= SHORTEST_NAME ? [[shown, actual]] : [];
  if (!isObject(shown) || !isObject(actual)) return [];
  return Object.entries(shown).flatMap(([name, member]) => pairs(member, actual[name]));
}

function isObject(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null;
}
