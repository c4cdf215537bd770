import { isJsonObject } from '../../../src/json/json-object.js';
import { text } from './kit-text.js';

/** One line of a text, numbered from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Two lines side by side; if one is missing, the other was removed or added. */
export interface DiffRow {
  readonly kind: 'same' | 'changed' | 'removed' | 'added';
  readonly before?: Line;
  readonly after?: Line;
}

/** Visible rows, or the number of equal rows that are folded. */
export type DiffPart =
  | { readonly kind: 'rows'; readonly rows: readonly DiffRow[] }
  | { readonly kind: 'fold'; readonly rows: readonly DiffRow[] };

/** Maximum number of line pairs to align; larger differences are shown as replaced. */
const MAX_LINE_PAIRS = 4_000_000;

/**
 * Compares two JSON values line by line. The order of members is not significant: `after` is sorted like
 * `before`.
 */
export function diffJson(before: unknown, after: unknown): readonly DiffRow[] {
  return diffLines(jsonTextOf(before), jsonTextOf(withOrderOf(before, after)));
}

function jsonTextOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** Returns the value with members in the order of `model`; additional members come last. */
function withOrderOf(model: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = Array.isArray(model) ? model : [];
    return value.map((item: unknown, index) => withOrderOf(items[index], item));
  }
  if (!isJsonObject(value) || !isJsonObject(model)) return value;
  const names = [...Object.keys(model).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)];
  return Object.fromEntries([...new Set(names)].map((name) => [name, withOrderOf(model[name], value[name])]));
}

/**
 * Compares two texts line by line, with the minimum of removed and added lines; replaced lines are side by
 * side.
 */
export function diffLines(before: string, after: string): readonly DiffRow[] {
  const a = before === '' ? [] : before.split('\n');
  const b = after === '' ? [] : after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let rest = 0;
  while (rest < a.length - start && rest < b.length - start && a.at(-1 - rest) === b.at(-1 - rest)) rest++;
  const pairs = [
    ...Array.from({ length: start }, (_, i) => [i, i] as const),
    ...alignedPairs(a.slice(start, a.length - rest), b.slice(start, b.length - rest)).map(
      ([i, j]) => [i + start, j + start] as const,
    ),
    ...Array.from({ length: rest }, (_, i) => [a.length - rest + i, b.length - rest + i] as const),
  ];
  return rowsOf(a, b, pairs);
}

type DiffPair = readonly [before: number, after: number];

/** Returns the index pairs of equal lines in order: the longest common subsequence. */
function alignedPairs(a: readonly string[], b: readonly string[]): readonly DiffPair[] {
  if (a.length * b.length > MAX_LINE_PAIRS) return [];
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: DiffPair[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

function rowsOf(a: readonly string[], b: readonly string[], pairs: readonly DiffPair[]): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...pairs, [a.length, b.length] as const]) {
    for (; i < nextI || j < nextJ; i++, j++)
      rows.push(changedRow(i < nextI ? lineOf(a, i) : undefined, j < nextJ ? lineOf(b, j) : undefined));
    // One side may have been longer than the other.
    [i, j] = [nextI, nextJ];
    if (i < a.length && j < b.length) rows.push({ kind: 'same', before: lineOf(a, i), after: lineOf(b, j) });
    [i, j] = [i + 1, j + 1];
  }
  return rows;
}

function changedRow(before: Line | undefined, after: Line | undefined): DiffRow {
  if (before && after) return { kind: 'changed', before, after };
  return before ? { kind: 'removed', before } : { kind: 'added', ...(after && { after }) };
}

function lineOf(lines: readonly string[], index: number): Line {
  return { number: index + 1, text: lines[index] ?? '' };
}

/** Folds equal rows that are more than `context` rows away from a difference. */
export function foldRows(rows: readonly DiffRow[], context = 3): readonly DiffPart[] {
  const isNear = rows.map(() => false);
  rows.forEach(({ kind }, index) => {
    if (kind !== 'same') isNear.fill(true, Math.max(index - context, 0), index + context + 1);
  });
  const parts: { kind: 'rows' | 'fold'; rows: DiffRow[] }[] = [];
  rows.forEach((row, index) => {
    const kind = isNear[index] === true ? 'rows' : 'fold';
    const last = parts.at(-1);
    if (last?.kind === kind) last.rows.push(row);
    else parts.push({ kind, rows: [row] });
  });
  return parts;
}

/**
 * Formats the number of different lines: `Lines: 2 changed, 1 added`. Returns `No difference` for equal
 * texts.
 */
export function summarizeDiff(rows: readonly DiffRow[]): string {
  const words = (['changed', 'added', 'removed'] as const).flatMap((kind) => {
    const count = rows.filter((row) => row.kind === kind).length;
    return count === 0 ? [] : [text(`diff.${kind}`, { count })];
  });
  return words.length === 0 ? text('diff.none') : text('diff.summary', { parts: words.join(', ') });
}
