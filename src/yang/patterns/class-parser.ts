import { classOf, type CodePoints, complement, difference, inClass, union } from './code-points.js';
import type { Reader } from './reader.js';
import { type Escape, escapeOf, propertyOf } from './xsd-escapes.js';

/** A character class of XSD: as text for both dialects, and as a set where another class subtracts it. */
export interface CharacterClass {
  readonly text: string;
  set(): CodePoints;
}

type Item = Escape | number;

const SINGLE: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9 };

/** Reads `[...]` after its opening bracket, subtraction `[a-z-[aeiou]]` included (XSD 1.0 appendix F.1). */
export function readClass(reader: Reader): CharacterClass {
  reader.enter();
  const negated = reader.take('^');
  const parts: string[] = [];
  const sets: (() => CodePoints)[] = [];
  let without: CharacterClass | undefined;
  while (!reader.take(']')) {
    if (parts.length > 0 && reader.take('-[')) {
      without = readClass(reader);
      continue;
    }
    if (without) throw reader.broken('nothing may follow a subtracted class');
    const item = readItem(reader);
    const last = typeof item === 'number' ? rangeEnd(reader, item) : undefined;
    parts.push(textOf(item, last));
    sets.push(() => setOf(item, last));
  }
  reader.leave();
  if (parts.length === 0) throw reader.broken('a class needs a character');
  const inside = () => union(...sets.map((set) => set()));
  const positive = () => (negated ? complement(inside()) : inside());
  if (!without) return { text: `[${negated ? '^' : ''}${parts.join('')}]`, set: positive };
  const set = difference(positive(), without.set());
  return { text: classOf(set), set: () => set };
}

/** Reads what follows a backslash; a number is the code point of a single character. */
export function readEscape(reader: Reader): Item {
  const letter = reader.next();
  if (letter === 'p' || letter === 'P') {
    const [, name = ''] = reader.match(/\{([A-Za-z0-9-]*)\}/y) ?? [];
    const property = propertyOf(name, letter === 'P');
    if (!property) throw reader.broken(`\\${letter}{${name}} names no category or block`);
    return property;
  }
  const single = SINGLE[letter];
  if (single !== undefined) return single;
  const escape = escapeOf(letter);
  if (escape) return escape;
  if (/[A-Za-z0-9]/.test(letter)) throw reader.broken(`\\${letter} means nothing in XSD`);
  return letter.codePointAt(0) ?? 0;
}

function readItem(reader: Reader): Item {
  return reader.take('\\') ? readEscape(reader) : (reader.next().codePointAt(0) ?? 0);
}

/** The upper end of a range, when a hyphen and a single character follow. */
function rangeEnd(reader: Reader, from: number): number | undefined {
  if (!reader.match(/-(?![[\]])/y)) return undefined;
  const item = readItem(reader);
  if (typeof item !== 'number') throw reader.broken('a range ends with one character');
  if (item < from) throw reader.broken('the ends of a range are in the wrong order');
  return item;
}

function textOf(item: Item, last: number | undefined): string {
  if (typeof item !== 'number') return item.inClass;
  return last === undefined ? inClass(item) : `${inClass(item)}-${inClass(last)}`;
}

function setOf(item: Item, last: number | undefined): CodePoints {
  return typeof item === 'number' ? [[item, last ?? item]] : item.set();
}
