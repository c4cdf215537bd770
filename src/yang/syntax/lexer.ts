import type { FaultList } from '../diagnostic.js';
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

/** End of a statement's head: `;`, `{`, or unexpected text. */
export type Ending = ';' | '{' | 'other';

/** Escape in double quotes that YANG 1.1 refuses. */
export interface OddEscape {
  readonly line: number;
  readonly column: number;
}

/** Reads the tokens of a YANG text (RFC 7950 6.1) and tracks its position. */
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

  /** Returns the current character without consuming it; empty at the end. */
  peek(): string {
    return this.#text.charAt(this.#at);
  }

  /** Skips white space and comments. */
  skipBlanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === LINE_FEED) this.#newLine();
      else if (isBlank(code)) this.#at += 1;
      else if (code !== SLASH || !this.#skipComment()) return;
    }
  }

  /** Consumes a run of characters that ends at white space, a quote, a brace, a semicolon or a comment. */
  readWord(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !this.#endsWord(this.#text.charCodeAt(this.#at))) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  /**
   * Consumes an argument: a word, or quoted strings joined with `+`. Returns undefined if no argument
   * follows.
   */
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

  /** Consumes `;` or `{`. Anything else is left in place. */
  readEnding(): Ending {
    const code = this.#text.charCodeAt(this.#at);
    if (code !== SEMICOLON && code !== OPEN) return 'other';
    this.#at += 1;
    return code === OPEN ? '{' : ';';
  }

  /** Consumes a `}` if it is next. */
  readClose(): boolean {
    if (this.#text.charCodeAt(this.#at) !== CLOSE) return false;
    this.#at += 1;
    return true;
  }

  /** Skips to the next `;`, `{` or `}`, so that parsing can continue after a fault. */
  skipToEnding(): void {
    for (;;) {
      this.skipBlanks();
      const code = this.#text.charCodeAt(this.#at);
      if (this.ended || code === SEMICOLON || code === OPEN || code === CLOSE) return;
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) this.#readQuoted(code);
      else if (this.readWord() === '') this.#at += 1;
    }
  }

  /** Adds a fault at the current position. */
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

  /** Skips a comment. Returns true if there was a comment. */
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

  /** Skips text that may contain line breaks. */
  #moveTo(end: number): void {
    // Searches only the skipped text, because the next line break may be megabytes away.
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

  /**
   * Returns the number of columns up to and including the opening quote. A tab counts as 8 (RFC 7950 6.1.3).
   */
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

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\' };

/** Text between double quotes. `odd` is true if it contains an escape that YANG 1.1 does not know. */
export interface DoubleQuoted {
  readonly value: string;
  readonly odd: boolean;
}

/**
 * Decodes a text in double quotes (RFC 7950 6.1.3). Trims white space around each inner line break, at the
 * line's start up to `indent` columns, and replaces escapes. An unknown escape is kept as written (YANG 1.0).
 */
export function readDoubleQuoted(raw: string, indent: number): DoubleQuoted {
  const trimmed = raw.includes('\n') ? trimLines(raw, indent) : raw;
  if (!trimmed.includes('\\')) return { value: trimmed, odd: false };
  let odd = false;
  const value = trimmed.replaceAll(/\\([^])/g, (written, letter: string) => {
    const meant = ESCAPES[letter];
    odd ||= meant === undefined;
    return meant ?? written;
  });
  return { value, odd };
}

function trimLines(raw: string, indent: number): string {
  const lines = raw.split('\n');
  return lines
    .map((line, at) => {
      const tailless = at < lines.length - 1 ? line.replace(/[ \t\r]+$/, '') : line;
      return at === 0 ? tailless : withoutIndent(tailless, indent);
    })
    .join('\n');
}

function withoutIndent(line: string, indent: number): string {
  let width = 0;
  let at = 0;
  while (width < indent && (line[at] === ' ' || line[at] === '\t')) {
    width += line[at] === '\t' ? 8 : 1;
    at += 1;
  }
  // A tab that extends beyond the indentation leaves its remaining columns as spaces.
  return ' '.repeat(Math.max(0, width - indent)) + line.slice(at);
}
