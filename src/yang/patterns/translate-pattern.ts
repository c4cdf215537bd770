import type { Statement } from '../syntax/statement.js';
import { readClass, readEscape } from './class-parser.js';
import { inClass } from './code-points.js';
import { Reader } from './reader.js';
import { atomOf } from './xsd-escapes.js';

/** A pattern for ECMAScript (flag `u`) and RE2, anchored. */
export interface Translation {
  readonly source: string;
  /** True when it looks ahead or behind, which is neither XSD nor RE2. */
  readonly looksAround: boolean;
}

/** Highest count that RE2 takes. */
const HIGHEST_COUNT = 1000;

/** Longest translation; more would stall whoever runs it. */
const LONGEST = 256 * 1024;

const kept = new WeakMap<Statement, Translation>();

/** Translates the XSD regular expression of a `pattern` statement; throws Broken when it is none. */
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
    // Not XSD, but libyang takes what PCRE takes, and public modules use it.
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

/** Whole when nothing stands beside it. */
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

/** Writes a count above what RE2 takes as several smaller ones after each other. */
function chunks(count: number, most: number, write: (count: number) => string): string {
  const whole = Math.min(Math.floor(count / HIGHEST_COUNT), Math.ceil(most));
  const rest = count % HIGHEST_COUNT;
  return write(HIGHEST_COUNT).repeat(whole) + (rest > 0 ? write(rest) : '');
}

function literal(point: number): string {
  const letter = String.fromCodePoint(point);
  return /[\^$\\.*+?()[\]{}|]/.test(letter) ? `\\${letter}` : letter === '-' ? '-' : inClass(point);
}
