import { pointerTo } from '../../../../../src/core/pointer.js';
import {
  isList,
  isMembers,
  type Json,
  type JsonList,
  type JsonMembers,
  numberFrom,
  WrittenNumber,
} from './json.js';

/**
 * Maximum depth; deeper documents overflow the stack of recursive functions. The server accepts 64 levels.
 */
const DEPTH = 500;

/** Source texts of parsed objects and arrays. Values are immutable, so the texts stay valid. */
const WRITTEN = new WeakMap<object, string>();

/**
 * Returns the exact text that an object or array was parsed from; undefined for a value that was not parsed.
 */
export function writtenAs(value: object): string | undefined {
  return WRITTEN.get(value);
}

/**
 * Parses JSON (RFC 8259) without loss: numbers keep their digits, and unedited values are written byte for
 * byte. Throws a `SyntaxError` with the position, also for duplicate names in an object.
 */
export function readJson(text: string): Json {
  const reader = new Reader(text);
  const value = reader.document();
  if (typeof value === 'object' && value !== null) WRITTEN.set(value, text);
  return value;
}

const BLANK = /[ \t\n\r]*/y;
// Unrolled, so that a long string uses no stack of the regular expression engine.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\.[^"\\\u0000-\u001f]*)*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
const WORDS: Readonly<Record<string, Json>> = { true: true, false: false, null: null };

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json {
    const value = this.#value('');
    this.#take(BLANK);
    if (this.#at < this.#text.length) throw this.#fault('unexpected text behind the document');
    return value;
  }

  #value(pointer: string): Json {
    this.#take(BLANK);
    const mark = this.#text[this.#at];
    if (mark === '{') return this.#structure(pointer, (start) => this.#members(start));
    if (mark === '[') return this.#structure(pointer, (start) => this.#list(start));
    if (mark === '"') return this.#string();
    const number = this.#take(NUMBER);
    if (number) return numberFrom(number);
    const word = WORDS[this.#take(WORD)];
    if (word === undefined) throw this.#fault('expected a value');
    return word;
  }

  #structure(pointer: string, read: (pointer: string) => JsonList | JsonMembers): Json {
    const start = this.#at;
    this.#at += 1;
    this.#depth += 1;
    if (this.#depth > DEPTH) throw this.#fault(`nested deeper than ${DEPTH} levels`);
    const value = read(pointer);
    this.#depth -= 1;
    WRITTEN.set(value, this.#text.slice(start, this.#at));
    return value;
  }

  #members(pointer: string): JsonMembers {
    const members: Record<string, Json> = {};
    if (this.#skip('}')) return members;
    do {
      this.#take(BLANK);
      const name = this.#string();
      const place = pointerTo(pointer, name);
      if (Object.hasOwn(members, name)) throw this.#fault(`${place} stands twice in its object`);
      if (!this.#skip(':')) throw this.#fault('expected ":"');
      const value = this.#value(place);
      // A plain assignment would set the prototype.
      if (name === '__proto__') Object.defineProperty(members, name, { value, ...PLAIN });
      else members[name] = value;
    } while (this.#skip(','));
    if (!this.#skip('}')) throw this.#fault('expected "," or "}"');
    return members;
  }

  #list(pointer: string): JsonList {
    const list: Json[] = [];
    if (this.#skip(']')) return list;
    do list.push(this.#value(pointerTo(pointer, list.length)));
    while (this.#skip(','));
    if (!this.#skip(']')) throw this.#fault('expected "," or "]"');
    return list;
  }

  #string(): string {
    const written = this.#take(STRING);
    if (written === '') throw this.#fault('expected a string');
    if (!written.includes('\\')) return written.slice(1, -1);
    try {
      return JSON.parse(written) as string;
    } catch {
      throw this.#fault('unknown escape in the string before');
    }
  }

  #skip(mark: string): boolean {
    this.#take(BLANK);
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #take(token: RegExp): string {
    token.lastIndex = this.#at;
    const [found = ''] = token.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #fault(what: string): SyntaxError {
    const before = this.#text.slice(0, this.#at).split('\n');
    return new SyntaxError(`line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${what}`);
  }
}

const PLAIN = { enumerable: true, writable: true, configurable: true };

/**
 * Formats a value as JSON. Parsed objects and arrays without edits are written byte for byte, unless an
 * indent is given. Numbers always keep their digits.
 */
export function writeJson(value: Json, indent = 0): string {
  return indent > 0 ? laidOut(value, ' '.repeat(indent), '\n') : compact(value);
}

function compact(value: Json): string {
  if (isMembers(value)) return writtenAs(value) ?? `{${Object.entries(value).map(compactMember).join(',')}}`;
  if (isList(value)) return writtenAs(value) ?? `[${value.map(compact).join(',')}]`;
  return scalarText(value);
}

function compactMember([name, member]: readonly [string, Json]): string {
  return `${JSON.stringify(name)}:${compact(member)}`;
}

function laidOut(value: Json, indent: string, newLine: string): string {
  const inner = newLine + indent;
  if (isMembers(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${inner}${JSON.stringify(name)}: ${laidOut(member, indent, inner)}`,
    );
    return members.length === 0 ? '{}' : `{${members.join(',')}${newLine}}`;
  }
  if (isList(value)) {
    const items = value.map((item) => inner + laidOut(item, indent, inner));
    return items.length === 0 ? '[]' : `[${items.join(',')}${newLine}]`;
  }
  return scalarText(value);
}

function scalarText(value: null | boolean | number | string | WrittenNumber): string {
  return value instanceof WrittenNumber ? value.text : JSON.stringify(value);
}
