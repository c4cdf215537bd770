import type { Statement } from '../syntax/statement.js';
import {
  atomOf,
  classOf,
  type CodePoints,
  complement,
  difference,
  type Escape,
  escapeOf,
  inClass,
  propertyOf,
  union,
} from './character-sets.js';
import { Reader } from './reader.js';

/** Character class of XSD: as text for both dialects, and as a set for classes that subtract it. */
interface CharacterClass {
  readonly text: string;
  set(): CodePoints;
}

type Item = Escape | number;

const SINGLE: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9 };

/** Parses `[...]` after its opening bracket, including subtraction `[a-z-[aeiou]]` (XSD 1.0 appendix F.1). */
function readClass(reader: Reader): CharacterClass {
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

/** Parses an escape after its backslash. A number is the code point of a single character. */
function readEscape(reader: Reader): Item {
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

/** Returns the upper end of a range, if a hyphen and a single character follow. */
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

/** Anchored pattern for ECMAScript (flag `u`) and RE2. */
interface Translation {
  readonly source: string;
  /** True if the pattern uses look-around, which is neither XSD nor RE2. */
  readonly looksAround: boolean;
}

/** Maximum count that RE2 accepts. */
const HIGHEST_COUNT = 1000;

/** Maximum length of a translation. A longer pattern would stall its users. */
const LONGEST = 256 * 1024;

const kept = new WeakMap<Statement, Translation>();

/** Translates the XSD regular expression of a `pattern` statement. Throws InvalidYang if it is invalid. */
export function translatePattern(statement: Statement): Translation {
  let translation = kept.get(statement);
  if (!translation) kept.set(statement, (translation = translate(statement)));
  return translation;
}

function translate(statement: Statement): Translation {
  const reader = new Reader(statement);
  const translator = new Translator(reader);
  const body = translator.alternatives();
  if (!reader.ended) throw reader.broken(`"${reader.peek()}" is not expected`);
  return { source: `^${wrapped(body)}$`, looksAround: translator.looksAround };
}

class Translator {
  looksAround = false;
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  alternatives(): string {
    const branches = [this.#branch()];
    while (this.#reader.take('|')) branches.push(this.#branch());
    return this.#bounded(branches.join('|'));
  }

  #branch(): string {
    const sections: string[] = [];
    while (!this.#reader.ended && !'|)'.includes(this.#reader.peek())) sections.push(this.#piece());
    return this.#bounded(sections.join(''));
  }

  #piece(): string {
    const atom = this.#atom();
    const sign = this.#reader.match(/[?*+]/y);
    const counts = sign ? undefined : this.#reader.match(/\{([0-9]{1,9})(?:(,)([0-9]{0,9}))?\}/y);
    if (sign) return atom + sign[0];
    if (!counts) return atom;
    const [, least = '0', comma, most = ''] = counts;
    const to = comma === undefined ? Number(least) : most === '' ? Infinity : Number(most);
    if (to < Number(least)) throw this.#reader.broken('the counts are in the wrong order');
    return this.#bounded(repeated(atom, Number(least), to));
  }

  #atom(): string {
    const reader = this.#reader;
    const letter = reader.next();
    switch (letter) {
      case '(':
        return this.#group();
      case '[':
        return readClass(reader).text;
      case '\\': {
        const escape = readEscape(reader);
        return typeof escape === 'number' ? literal(escape) : atomOf(escape);
      }
      case '.':
        return '[^\\n\\r]';
      case ']':
        throw reader.broken('"]" closes nothing; write "\\]"');
      case '*':
      case '+':
      case '?':
        throw reader.broken(`"${letter}" repeats nothing`);
      default:
        return literal(letter.codePointAt(0) ?? 0);
    }
  }

  #group(): string {
    const reader = this.#reader;
    reader.enter();
    // Not XSD, but libyang accepts what PCRE accepts, and public modules use it.
    const [opening = '?:'] = reader.match(/\?(?:<?[=!]|:)/y) ?? [];
    if (opening !== '?:') this.looksAround = true;
    const body = this.alternatives();
    if (!reader.take(')')) throw reader.broken('a ")" is missing');
    reader.leave();
    return `(${opening}${body})`;
  }

  #bounded(text: string): string {
    if (text.length > LONGEST)
      throw this.#reader.broken('it grows beyond 256 KB when its counts are written out');
    return text;
  }
}

/** Groups an expression with alternatives, so that it can be concatenated. */
function wrapped(body: string): string {
  return body.includes('|') ? `(?:${body})` : body;
}

function repeated(atom: string, least: number, most: number): string {
  if (least <= HIGHEST_COUNT && (most === Infinity || most <= HIGHEST_COUNT)) {
    if (least === most) return least === 1 ? atom : `${atom}{${least}}`;
    return `${atom}{${least},${most === Infinity ? '' : most}}`;
  }
  const tail =
    most === Infinity ? `${atom}*` : chunks(most - least, LONGEST / atom.length, (n) => `${atom}{0,${n}}`);
  return chunks(least, LONGEST / atom.length, (n) => `${atom}{${n}}`) + tail;
}

/** Writes a count above the maximum of RE2 as several smaller counts in sequence. */
function chunks(count: number, most: number, write: (count: number) => string): string {
  const whole = Math.min(Math.floor(count / HIGHEST_COUNT), Math.ceil(most));
  const rest = count % HIGHEST_COUNT;
  return write(HIGHEST_COUNT).repeat(whole) + (rest > 0 ? write(rest) : '');
}

function literal(point: number): string {
  const letter = String.fromCodePoint(point);
  return /[\^$\\.*+?()[\]{}|]/.test(letter) ? `\\${letter}` : letter === '-' ? '-' : inClass(point);
}
