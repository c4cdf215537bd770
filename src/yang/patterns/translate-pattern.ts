import { splitRepeats } from '../../lib/pattern-repeats.js';
import { type InvalidYang, invalidYangIn } from '../diagnostic.js';
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
import { PatternReader } from './reader.js';

/**
 * Character class of XSD: the text in the syntax of ECMAScript and RE2, and the set for class subtraction.
 */
interface CharacterClass {
  readonly text: string;
  set(): CodePoints;
}

type ClassItem = Escape | number;

const SINGLE_CHARACTER_ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9 };

/**
 * Parses a class after its opening bracket, including subtraction: `[a-z-[aeiou]]` (XSD 1.0 appendix F.1).
 */
function readClass(reader: PatternReader): CharacterClass {
  reader.enter();
  const negated = reader.take('^');
  const parts: string[] = [];
  const sets: (() => CodePoints)[] = [];
  let subtracted: CharacterClass | undefined;
  while (!reader.take(']')) {
    if (parts.length > 0 && reader.take('-[')) {
      subtracted = readClass(reader);
      continue;
    }
    if (subtracted) throw reader.fault('nothing may follow a subtracted class');
    const item = readItem(reader);
    const last = typeof item === 'number' ? rangeEnd(reader, item) : undefined;
    parts.push(textOf(item, last));
    sets.push(() => setOf(item, last));
  }
  reader.leave();
  if (parts.length === 0) throw reader.fault('a class needs a character');
  const content = () => union(...sets.map((set) => set()));
  const withoutSubtraction = () => (negated ? complement(content()) : content());
  if (!subtracted) return { text: `[${negated ? '^' : ''}${parts.join('')}]`, set: withoutSubtraction };
  const set = difference(withoutSubtraction(), subtracted.set());
  return { text: classOf(set), set: () => set };
}

/** Parses an escape after its backslash. A number is the code point of a single character. */
function readEscape(reader: PatternReader): ClassItem {
  const letter = reader.next();
  if (letter === 'p' || letter === 'P') {
    const [, name = ''] = reader.match(/\{([A-Za-z0-9-]*)\}/y) ?? [];
    const property = propertyOf(name, letter === 'P');
    if (!property) throw reader.fault(`\\${letter}{${name}} names no category or block`);
    return property;
  }
  const single = SINGLE_CHARACTER_ESCAPES[letter];
  if (single !== undefined) return single;
  const escape = escapeOf(letter);
  if (escape) return escape;
  if (/[A-Za-z0-9]/.test(letter)) throw reader.fault(`\\${letter} means nothing in XSD`);
  return letter.codePointAt(0) ?? 0;
}

function readItem(reader: PatternReader): ClassItem {
  return reader.take('\\') ? readEscape(reader) : (reader.next().codePointAt(0) ?? 0);
}

/** Returns the upper end of a range, if a hyphen and a single character follow. */
function rangeEnd(reader: PatternReader, from: number): number | undefined {
  if (!reader.match(/-(?![[\]])/y)) return undefined;
  const item = readItem(reader);
  if (typeof item !== 'number') throw reader.fault('a range ends with one character');
  if (item < from) throw reader.fault('the ends of a range are in the wrong order');
  return item;
}

function textOf(item: ClassItem, last: number | undefined): string {
  if (typeof item !== 'number') return item.inClass;
  return last === undefined ? inClass(item) : `${inClass(item)}-${inClass(last)}`;
}

function setOf(item: ClassItem, last: number | undefined): CodePoints {
  return typeof item === 'number' ? [[item, last ?? item]] : item.set();
}

/** Anchored pattern in the common syntax of ECMAScript (flag `u`) and RE2. */
interface Translation {
  readonly source: string;
  /** True if the pattern has a group `(?:`, which XSD does not support but published modules use. */
  readonly hasPerlGroup: boolean;
  /** Why no validator can match the pattern in linear time; undefined if it can. */
  readonly refused?: string;
  /** Fault of a pattern that is no XSD regular expression, whose source is as written. */
  readonly fault?: InvalidYang;
}

const translations = new WeakMap<Statement, Translation>();

/** Translates the XSD regular expression of a `pattern` statement, once. Throws InvalidYang only for an exceeded limit. */
export function translatePattern(statement: Statement): Translation {
  let translation = translations.get(statement);
  if (!translation) translations.set(statement, (translation = translateOrRefuse(statement)));
  return translation;
}

function translateOrRefuse(statement: Statement): Translation {
  try {
    return translate(statement);
  } catch (error) {
    const fault = invalidYangIn(error);
    const refused = 'is no regular expression of XSD';
    return { source: statement.argument, hasPerlGroup: false, refused, fault };
  }
}

function translate(statement: Statement): Translation {
  const reader = new PatternReader(statement);
  const translator = new Translator(reader);
  const body = translator.alternatives();
  if (!reader.ended) throw reader.fault(`"${reader.peek()}" is not expected`);
  const source = `^${grouped(body)}$`;
  const { looksAround, hasPerlGroup } = translator;
  if (looksAround) return { source, hasPerlGroup, refused: 'looks around, which RE2 does not know' };
  return { source, hasPerlGroup, ...splitRepeats(source) };
}

class Translator {
  looksAround = false;
  hasPerlGroup = false;
  readonly #reader: PatternReader;

  constructor(reader: PatternReader) {
    this.#reader = reader;
  }

  alternatives(): string {
    const branches = [this.#branch()];
    while (this.#reader.take('|')) branches.push(this.#branch());
    return branches.join('|');
  }

  #branch(): string {
    const pieces: string[] = [];
    while (!this.#reader.ended && !'|)'.includes(this.#reader.peek())) pieces.push(this.#piece());
    return pieces.join('');
  }

  #piece(): string {
    const atom = this.#atom();
    const quantifier = this.#reader.match(/[?*+]/y);
    const counts = quantifier ? undefined : this.#reader.match(/\{([0-9]{1,9})(?:(,)([0-9]{0,9}))?\}/y);
    if (quantifier) return atom + quantifier[0];
    if (!counts) return atom;
    const [, min = '0', comma, max = ''] = counts;
    const upper = comma === undefined ? Number(min) : max === '' ? Infinity : Number(max);
    if (upper < Number(min)) throw this.#reader.fault('the counts are in the wrong order');
    if (comma === undefined) return min === '1' ? atom : `${atom}{${min}}`;
    return `${atom}{${min},${max}}`;
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
        throw reader.fault('"]" closes nothing; write "\\]"');
      case '*':
      case '+':
      case '?':
        throw reader.fault(`"${letter}" repeats nothing`);
      default:
        return literal(letter.codePointAt(0) ?? 0);
    }
  }

  #group(): string {
    const reader = this.#reader;
    reader.enter();
    // XSD does not support look-around, but libyang does, and public modules use it.
    const [opening = '?:'] = reader.match(/\?<?[=!]/y) ?? [];
    if (opening !== '?:') this.looksAround = true;
    else if (reader.take('?:')) this.hasPerlGroup = true;
    const body = this.alternatives();
    if (!reader.take(')')) throw reader.fault('a ")" is missing');
    reader.leave();
    return `(${opening}${body})`;
  }
}

/** Groups an expression with alternatives, so that it can be concatenated. */
function grouped(body: string): string {
  return body.includes('|') ? `(?:${body})` : body;
}

function literal(point: number): string {
  const letter = String.fromCodePoint(point);
  return /[\^$\\.*+?()[\]{}|]/.test(letter) ? `\\${letter}` : letter === '-' ? '-' : inClass(point);
}
