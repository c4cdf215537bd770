/** Set of characters: ascending, separate ranges of code points, with both ends included. */
export type CodePoints = readonly (readonly [from: number, to: number])[];

const LAST_CODE_POINT = 0x10ffff;

/** Returns the union of sets. Sorts the ranges and joins those that touch. */
export function union(...sets: readonly CodePoints[]): CodePoints {
  const sorted = sets.flat().sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Returns every character that is not in the set. */
export function complement(set: CodePoints): CodePoints {
  const left: [number, number][] = [];
  let next = 0;
  for (const [from, to] of union(set)) {
    if (from > next) left.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST_CODE_POINT) left.push([next, LAST_CODE_POINT]);
  return left;
}

/** Returns the characters of the first set that are not in the second. */
export function difference(set: CodePoints, without: CodePoints): CodePoints {
  return complement(union(complement(set), without));
}

const known = new Map<string, CodePoints>();

/** Returns the characters of a Unicode general category such as `Lu`. */
export function category(name: string): CodePoints {
  let found = known.get(name);
  if (!found) known.set(name, (found = scan(new RegExp(`\\p{${name}}+`, 'gu'))));
  return found;
}

let everything = '';

/** Returns all characters that match a pattern, in one pass over Unicode. Surrogates are not characters. */
function scan(pattern: RegExp): CodePoints {
  if (everything === '') {
    const chunks: string[] = [];
    for (let from = 0; from <= LAST_CODE_POINT; from += 4096)
      if (from < 0xd000 || from >= 0xe000) chunks.push(stretch(from, from + 4095));
      else if (from === 0xd000) chunks.push(stretch(from, 0xd7ff));
    everything = chunks.join('');
  }
  const ranges: (readonly [number, number])[] = [];
  for (const [run] of everything.matchAll(pattern)) {
    const points = Array.from(run, (letter) => letter.codePointAt(0) ?? 0);
    const [first = 0] = points;
    ranges.push([first, points.at(-1) ?? first]);
  }
  return union(ranges);
}

function stretch(from: number, to: number): string {
  return String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at));
}

/** Returns a character class for the set, valid in ECMAScript with the flag `u` and in RE2. */
export function classOf(set: CodePoints): string {
  // RE2 does not allow an empty class. This class matches nothing.
  return set.length === 0 ? '[^\\x00-\u{10FFFF}]' : `[${rangesOf(set)}]`;
}

/** Returns the set as the inside of a character class. */
export function rangesOf(set: CodePoints): string {
  return set.map(([from, to]) => (from === to ? inClass(from) : `${inClass(from)}-${inClass(to)}`)).join('');
}

const CONTROLS: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r' };

/**
 * Returns one character for use inside a class. It is written literally, because the two dialects escape code
 * points differently.
 */
export function inClass(point: number): string {
  const control = CONTROLS[point];
  if (control !== undefined) return control;
  if (point < 0x20 || point === 0x7f) return `\\x${point.toString(16).padStart(2, '0')}`;
  // A text cannot contain half a surrogate pair, so the nearest character replaces it.
  if (point >= 0xd800 && point <= 0xdfff) return point < 0xdc00 ? '\uE000' : '\uD7FF';
  const letter = String.fromCodePoint(point);
  return /[\\\]^[-]/.test(letter) ? `\\${letter}` : letter;
}
