import type { FaultList } from '../diagnostic.js';
import { readDoubleQuoted } from './double-quoted.js';
import type { SourceText } from './statement.js';

const TAB = 9;
const LINE_FEED = 10;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const PLUS = 43;
const SLASH = 47;
const STAR = 42;
const SEMICOLON = 59;
const OPEN = 123;
const CLOSE = 125;

/** What ends a statement's head: `;`, `{`, or something that should not be there. */
export type Ending = ';' | '{' | 'other';

/** An escape in double quotes that YANG 1.1 refuses. */
export interface OddEscape {
  readonly line: number;
  readonly column: number;
}

/** Reads the tokens of a YANG text (RFC 7950 6.1) and knows at each moment where it stands. */
export class Lexer {
  readonly source: SourceText;
  readonly oddEscapes: OddEscape[] = [];
  readonly #text: string;
  readonly #faults: FaultList;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(source: SourceText, faults: FaultList) {
    this.source = source;
    this.#text = source.text;
    this.#faults = faults;
    if (this.#text.startsWith('\uFEFF')) this.#at = this.#lineStart = 1;
  }

  get line(): number {
    return this.#line;
  }

  get column(): number {
    return this.#at - this.#lineStart + 1;
  }

  get ended(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The character here, without taking it; empty at the end. */
  peek(): string {
    return this.#text.charAt(this.#at);
  }

  /** Moves past white space and comments. */
  skipBlanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === LINE_FEED) this.#newLine();
      else if (isBlank(code)) this.#at += 1;
      else if (code !== SLASH || !this.#skipComment()) return;
    }
  }

  /** Takes a run of characters that ends at white space, a quote, a brace, a semicolon or a comment. */
  readWord(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !this.#endsWord(this.#text.charCodeAt(this.#at))) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  /** Takes an argument: a word, or quoted strings joined with `+`. Undefined when none stands here. */
  readArgument(): string | undefined {
    const code = this.#text.charCodeAt(this.#at);
    if (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE) {
      const word = this.readWord();
      if (word.includes('"') || word.includes("'")) this.fault('6.1.3', 'a quote inside an unquoted string');
      return word === '' ? undefined : word;
    }
    let argument = this.#readQuoted(code);
    for (;;) {
      this.skipBlanks();
      if (this.#text.charCodeAt(this.#at) !== PLUS) return argument;
      this.#at += 1;
      this.skipBlanks();
      const next = this.#text.charCodeAt(this.#at);
      if (next !== DOUBLE_QUOTE && next !== SINGLE_QUOTE) {
        this.fault('6.1.3', 'a quoted string must follow "+"');
        return argument;
      }
      argument += this.#readQuoted(next);
    }
  }

  /** Takes `;` or `{`; anything else stays where it is. */
  readEnding(): Ending {
    const code = this.#text.charCodeAt(this.#at);
    if (code !== SEMICOLON && code !== OPEN) return 'other';
    this.#at += 1;
    return code === OPEN ? '{' : ';';
  }

  /** Takes a `}` when it stands here. */
  readClose(): boolean {
    if (this.#text.charCodeAt(this.#at) !== CLOSE) return false;
    this.#at += 1;
    return true;
  }

  /** Moves to the next `;`, `{` or `}`, so that parsing can go on after a fault. */
  skipToEnding(): void {
    for (;;) {
      this.skipBlanks();
      const code = this.#text.charCodeAt(this.#at);
      if (this.ended || code === SEMICOLON || code === OPEN || code === CLOSE) return;
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) this.#readQuoted(code);
      else if (this.readWord() === '') this.#at += 1;
    }
  }

  /** Notes a fault where the lexer stands. */
  fault(section: string, message: string): void {
    this.#faults.add(this.#here(), `RFC 7950 ${section}`, message);
  }

  #here() {
    return { source: this.source, line: this.#line, column: this.column };
  }

  #newLine(): void {
    this.#at += 1;
    this.#line += 1;
    this.#lineStart = this.#at;
  }

  /** True when a comment stood here and was passed. */
  #skipComment(): boolean {
    const next = this.#text.charCodeAt(this.#at + 1);
    if (next === SLASH) {
      const end = this.#text.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.#text.length : end;
      return true;
    }
    if (next !== STAR) return false;
    const end = this.#text.indexOf('*/', this.#at + 2);
    if (end < 0) this.fault('6.1.1', 'the comment never ends; close it with "*/"');
    this.#moveTo(end < 0 ? this.#text.length : end + 2);
    return true;
  }

  /** Passes text that may hold line breaks. */
  #moveTo(end: number): void {
    // Searched in the passed text alone: the next line break may be megabytes away.
    const passed = this.#text.slice(this.#at, end);
    for (let at = passed.indexOf('\n'); at >= 0; at = passed.indexOf('\n', at + 1)) {
      this.#line += 1;
      this.#lineStart = this.#at + at + 1;
    }
    this.#at = end;
  }

  #endsWord(code: number): boolean {
    if (code <= SPACE) return isBlank(code) || code === LINE_FEED;
    if (code === SEMICOLON || code === OPEN || code === CLOSE) return true;
    if (code !== SLASH) return false;
    const next = this.#text.charCodeAt(this.#at + 1);
    return next === SLASH || next === STAR;
  }

  #readQuoted(quote: number): string {
    const place = this.#here();
    const start = this.#at + 1;
    const end =
      quote === SINGLE_QUOTE ? this.#text.indexOf("'", start) : endOfDoubleQuoted(this.#text, start);
    if (end < 0) {
      this.#faults.add(place, 'RFC 7950 6.1.3', 'the string never ends; close its quote');
      this.#moveTo(this.#text.length);
      return '';
    }
    const raw = this.#text.slice(start, end);
    const indent = raw.includes('\n') ? this.#indentBefore(start) : 0;
    const { value, odd } =
      quote === SINGLE_QUOTE ? { value: raw, odd: false } : readDoubleQuoted(raw, indent);
    if (odd) this.oddEscapes.push(place);
    this.#moveTo(end + 1);
    return value.includes('\r') ? value.replaceAll('\r\n', '\n') : value;
  }

  /** Columns up to and with the opening quote; a tab counts 8 (RFC 7950 6.1.3). */
  #indentBefore(start: number): number {
    let width = 0;
    for (let at = this.#lineStart; at < start; at += 1) width += this.#text.charCodeAt(at) === TAB ? 8 : 1;
    return width;
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === 13;
}

function endOfDoubleQuoted(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end > start && isEscaped(text, end, start)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number, start: number): boolean {
  let slashes = 0;
  while (at - slashes > start && text[at - slashes - 1] === '\\') slashes += 1;
  return slashes % 2 === 1;
}
