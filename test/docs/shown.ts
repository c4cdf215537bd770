import assert from 'node:assert/strict';

/** Shorter texts stand in other places by chance. */
const SHORTEST_NAME = 20;

/** What a guide shows, and what was really printed. */
export interface Shown {
  readonly text: string;
  readonly printed: string;
  /** Whether every value is the same, and not only every member and type. */
  readonly isExact: boolean;
}

/** What stands in the guide, and what it stands for in this run. */
type Pair = readonly [string, string];

/**
 * Compares what a guide shows with what was printed: of JSON the members that are shown and their types, of other text the words, where those with
 * digits in them may differ. Gives the long texts (ids, hashes, tokens) that differ.
 */
export function compareShown({ text, printed, isExact }: Shown): readonly Pair[] {
  if (isExact) assert.deepEqual(lastJson(printed) ?? printed, lastJson(text) ?? text);
  const shown = lastJson(text);
  if (shown === undefined) return compareWords(text, printed);
  const actual = lastJson(printed);
  assert.deepEqual(inOutline(actual, shown), inOutline(shown, shown));
  return pairs(shown, actual);
}

/** A text that is JSON, or whose last line is. */
function lastJson(text: string): unknown {
  for (const candidate of [text, text.trimEnd().split('\n').at(-1) ?? ''])
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The next one, then.
    }
  return undefined;
}

function compareWords(text: string, printed: string): readonly Pair[] {
  const shown = text.trim().split(/\s+/);
  const actual = printed.trim().split(/\s+/).slice(-shown.length);
  const words = (all: readonly string[]): readonly string[] =>
    all.map((word) => (/\d/.test(word) ? '#' : word));
  assert.deepEqual(words(actual), words(shown));
  return shown.flatMap((word, index) => pairs(word, actual[index]));
}

/** Types of the members that are shown; of a list, those of its first element. */
function inOutline(value: unknown, shown: unknown): unknown {
  if (Array.isArray(value))
    return value.slice(0, 1).map((first) => inOutline(first, isObject(shown) ? shown[0] : undefined));
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  const names = isObject(shown) ? Object.keys(shown) : [];
  return Object.fromEntries(
    names.map((name) => [name, inOutline(value[name], isObject(shown) && shown[name])]),
  );
}

function pairs(shown: unknown, actual: unknown): readonly Pair[] {
  if (typeof shown === 'string' && typeof actual === 'string')
    return shown !== actual && shown.length >= SHORTEST_NAME ? [[shown, actual]] : [];
  if (!isObject(shown) || !isObject(actual)) return [];
  return Object.entries(shown).flatMap(([name, member]) => pairs(member, actual[name]));
}

function isObject(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null;
}
