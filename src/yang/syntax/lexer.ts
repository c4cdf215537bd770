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
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Token after the keyword and argument of a statement: `;`, `{`, or unexpected text. */
export type StatementEnd = ';' | '{' | 'other';

/** Position of an escape in double quotes that YANG 1.1 does not define. */
export interface UnknownEscape {
  readonly line: number;
  readonly column: number;
}

/** Reads the tokens of a YANG text (RFC 7950 6.1) and tracks the current position. */
export class Lexer {
  readonly source: SourceText;
  readonly unknownEscapes: UnknownEscape[] = [];
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

  /** Consumes the characters up to white space, a brace, a semicolon or a comment. */
  readWord(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !this.#endsWord(this.#text.charCodeAt(this.#at))) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  /**
   * Consumes an argument: an unquoted string, or quoted strings joined with `+`. Returns undefined if no
   * argument follows.
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

  /** Consumes `;` or `{`. Other text is not consumed. */
  readEnding(): StatementEnd {
    const code = this.#text.charCodeAt(this.#at);
    if (code !== SEMICOLON && code !== OPEN_BRACE) return 'other';
    this.#at += 1;
    return code === OPEN_BRACE ? '{' : ';';
  }

  /** Consumes a `}` if it is next. */
  readClose(): boolean {
    if (this.#text.charCodeAt(this.#at) !== CLOSE_BRACE) return false;
    this.#at += 1;
    return true;
  }

  /** Skips to the next `;`, `{` or `}`, so that parsing can continue after a fault. */
  skipToEnding(): void {
    for (;;) {
      this.skipBlanks();
      const code = this.#text.charCodeAt(this.#at);
      if (this.ended || code === SEMICOLON || code === OPEN_BRACE || code === CLOSE_BRACE) return;
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) this.#readQuoted(code);
      else if (this.readWord() === '') this.#at += 1;
    }
  }

  /** Adds a fault at the current position. */
  fault(section: string, message: string): void {
    this.#faults.add(this.#position(), `RFC 7950 ${section}`, message);
  }

  #position() {
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
    // Searches only the skipped text, because the next line break in the text may be megabytes away.
    const skipped = this.#text.slice(this.#at, end);
    for (let at = skipped.indexOf('\n'); at >= 0; at = skipped.indexOf('\n', at + 1)) {
      this.#line += 1;
      this.#lineStart = this.#at + at + 1;
    }
    this.#at = end;
  }

  #endsWord(code: number): boolean {
    if (code <= SPACE) return isBlank(code) || code === LINE_FEED;
    if (code === SEMICOLON || code === OPEN_BRACE || code === CLOSE_BRACE) return true;
    if (code !== SLASH) return false;
    const next = this.#text.charCodeAt(this.#at + 1);
    return next === SLASH || next === STAR;
  }

  #readQuoted(quote: number): string {
    const position = this.#position();
    const start = this.#at + 1;
    const end =
      quote === SINGLE_QUOTE ? this.#text.indexOf("'", start) : endOfDoubleQuoted(this.#text, start);
    if (end < 0) {
      this.#faults.add(position, 'RFC 7950 6.1.3', 'the string never ends; close its quote');
      this.#moveTo(this.#text.length);
      return '';
    }
    const raw = this.#text.slice(start, end);
    const indent = raw.includes('\n') ? this.#indentBefore(start) : 0;
    const { value, hasUnknownEscape } =
      quote === SINGLE_QUOTE ? { value: raw, hasUnknownEscape: false } : readDoubleQuoted(raw, indent);
    if (hasUnknownEscape) this.unknownEscapes.push(position);
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

/** Decoded text between double quotes, with a flag for escapes that YANG 1.1 does not define. */
interface DoubleQuoted {
  readonly value: string;
  readonly hasUnknownEscape: boolean;
}

/**
 * Decodes a text in double quotes (RFC 7950 6.1.3). Trims white space before each line break, and up to
 * `indent` columns of white space after it. Replaces escapes; an unknown escape remains as written, as in
 * YANG 1.0.
 */
function readDoubleQuoted(raw: string, indent: number): DoubleQuoted {
  const trimmed = raw.includes('\n') ? trimLines(raw, indent) : raw;
  if (!trimmed.includes('\\')) return { value: trimmed, hasUnknownEscape: false };
  let hasUnknownEscape = false;
  const value = trimmed.replaceAll(/\\([^])/g, (written, escaped: string) => {
    const character = ESCAPES[escaped];
    hasUnknownEscape ||= character === undefined;
    return character ?? written;
  });
  return { value, hasUnknownEscape };
}

function trimLines(raw: string, indent: number): string {
  const lines = raw.split('\n');
  return lines
    .map((line, at) => {
      const trimmedEnd = at < lines.length - 1 ? line.replace(/[ \t\r]+$/, '') : line;
      return at === 0 ? trimmedEnd : withoutIndent(trimmedEnd, indent);
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
  // The columns of a tab beyond the indentation remain as spaces.
  return ' '.repeat(Math.max(0, width - indent)) + line.slice(at);
}
