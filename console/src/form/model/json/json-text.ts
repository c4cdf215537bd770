import { pointerTo } from '../../../../../src/json/pointer.js';
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
const MAX_DEPTH = 500;

/** Source texts of parsed objects and arrays. Values are immutable, so the texts stay valid. */
const SOURCE_TEXTS = new WeakMap<object, string>();

/**
 * Returns the exact text that an object or array was parsed from; undefined for a value that was not parsed.
 */
function sourceTextOf(value: object): string | undefined {
  return SOURCE_TEXTS.get(value);
}

/**
 * Parses JSON (RFC 8259) without loss: numbers keep their digits, and unedited values are written byte for
 * byte. Throws a `SyntaxError` with the position, also for duplicate names in an object.
 */
export function readJson(text: string): Json {
  const parser = new JsonParser(text);
  const value = parser.document();
  if (typeof value === 'object' && value !== null) SOURCE_TEXTS.set(value, text);
  return value;
}

const WHITESPACE = /[ \t\n\r]*/y;
// Unrolled, so that a long string uses no stack of the regular expression engine.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\.[^"\\\u0000-\u001f]*)*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERAL = /true|false|null/y;
const LITERALS: Readonly<Record<string, Json>> = { true: true, false: false, null: null };

class JsonParser {
  readonly #text: string;
  #position = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json {
    const value = this.#value('');
    this.#take(WHITESPACE);
    if (this.#position < this.#text.length) throw this.#syntaxError('unexpected text after the document');
    return value;
  }

  #value(pointer: string): Json {
    this.#take(WHITESPACE);
    const character = this.#text[this.#position];
    if (character === '{') return this.#structure(pointer, (start) => this.#members(start));
    if (character === '[') return this.#structure(pointer, (start) => this.#list(start));
    if (character === '"') return this.#string();
    const number = this.#take(NUMBER);
    if (number) return numberFrom(number);
    const literal = LITERALS[this.#take(LITERAL)];
    if (literal === undefined) throw this.#syntaxError('expected a value');
    return literal;
  }

  #structure(pointer: string, read: (pointer: string) => JsonList | JsonMembers): Json {
    const start = this.#position;
    this.#position += 1;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.#syntaxError(`nested deeper than ${MAX_DEPTH} levels`);
    const value = read(pointer);
    this.#depth -= 1;
    SOURCE_TEXTS.set(value, this.#text.slice(start, this.#position));
    return value;
  }

  #members(pointer: string): JsonMembers {
    const members: Record<string, Json> = {};
    if (this.#skip('}')) return members;
    do {
      this.#take(WHITESPACE);
      const name = this.#string();
      const location = pointerTo(pointer, name);
      if (Object.hasOwn(members, name)) throw this.#syntaxError(`duplicate member ${location}`);
      if (!this.#skip(':')) throw this.#syntaxError('expected ":"');
      const value = this.#value(location);
      // A plain assignment would set the prototype.
      if (name === '__proto__') Object.defineProperty(members, name, { value, ...PLAIN_PROPERTY });
      else members[name] = value;
    } while (this.#skip(','));
    if (!this.#skip('}')) throw this.#syntaxError('expected "," or "}"');
    return members;
  }

  #list(pointer: string): JsonList {
    const list: Json[] = [];
    if (this.#skip(']')) return list;
    do list.push(this.#value(pointerTo(pointer, list.length)));
    while (this.#skip(','));
    if (!this.#skip(']')) throw this.#syntaxError('expected "," or "]"');
    return list;
  }

  #string(): string {
    const source = this.#take(STRING);
    if (source === '') throw this.#syntaxError('expected a string');
    if (!source.includes('\\')) return source.slice(1, -1);
    try {
      return JSON.parse(source) as string;
    } catch {
      throw this.#syntaxError('invalid escape sequence in the preceding string');
    }
  }

  #skip(character: string): boolean {
    this.#take(WHITESPACE);
    if (this.#text[this.#position] !== character) return false;
    this.#position += 1;
    return true;
  }

  #take(token: RegExp): string {
    token.lastIndex = this.#position;
    const [found = ''] = token.exec(this.#text) ?? [];
    this.#position += found.length;
    return found;
  }

  #syntaxError(problem: string): SyntaxError {
    const before = this.#text.slice(0, this.#position).split('\n');
    return new SyntaxError(`line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${problem}`);
  }
}

const PLAIN_PROPERTY = { enumerable: true, writable: true, configurable: true };

/**
 * Formats a value as JSON. Parsed objects and arrays without edits are written byte for byte, unless an
 * indent is given. Numbers always keep their digits.
 */
export function writeJson(value: Json, indent = 0): string {
  return indent > 0 ? indented(value, ' '.repeat(indent), '\n') : compact(value);
}

function compact(value: Json): string {
  if (isMembers(value))
    return sourceTextOf(value) ?? `{${Object.entries(value).map(compactMember).join(',')}}`;
  if (isList(value)) return sourceTextOf(value) ?? `[${value.map(compact).join(',')}]`;
  return scalarText(value);
}

function compactMember([name, member]: readonly [string, Json]): string {
  return `${JSON.stringify(name)}:${compact(member)}`;
}

function indented(value: Json, indent: string, newLine: string): string {
  const inner = newLine + indent;
  if (isMembers(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${inner}${JSON.stringify(name)}: ${indented(member, indent, inner)}`,
    );
    return members.length === 0 ? '{}' : `{${members.join(',')}${newLine}}`;
  }
  if (isList(value)) {
    const items = value.map((item) => inner + indented(item, indent, inner));
    return items.length === 0 ? '[]' : `[${items.join(',')}${newLine}]`;
  }
  return scalarText(value);
}

function scalarText(value: null | boolean | number | string | WrittenNumber): string {
  return value instanceof WrittenNumber ? value.text : JSON.stringify(value);
}
