import type { FaultList } from '../diagnostic.js';
import type { Version1Form } from './parsed-text.js';
import { endOfDoubleQuoted, readDoubleQuoted, widthOf } from './quoted-string.js';
import type { SourceText, TextPosition } from './statement.js';

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

/** Quoted string, with the line of its closing quote. */
interface ReadString {
  readonly position: TextPosition;
  readonly endLine: number;
}

const UNKNOWN_ESCAPE = 'an unknown escape in double quotes; write a backslash as "\\\\" or use single quotes';

/** Token after the keyword and argument of a statement: `;`, `{`, or unexpected text. */
type StatementEnd = ';' | '{' | 'other';

/** Reads the tokens of a YANG text (RFC 7950 6.1) and tracks the current position. */
export class Lexer {
  readonly source: SourceText;
  readonly version1Forms: Version1Form[] = [];
  readonly #text: string;
  readonly #faults: FaultList;
  #at = 0;
  #line = 1;
  #lineStart = 0;
  #isIncomplete = false;
  /** The quoted string over several lines that was read last, if nothing but blanks followed it. */
  #lastString: ReadString | undefined;

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

  /** True if the end of a string or comment is missing. No further text is read then. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
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
      const text = this.#text;
      let at = this.#at;
      let code = text.charCodeAt(at);
      while (isBlank(code)) code = text.charCodeAt((at += 1));
      this.#at = at;
      if (code === LINE_FEED) this.#newLine();
      else if (code !== SLASH || !this.#skipComment()) return;
    }
  }

  /** Consumes the characters up to white space, a brace, a semicolon or a comment. */
  readWord(): string {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    while (at < text.length && !this.#endsWord(text.charCodeAt(at), at)) at += 1;
    this.#at = at;
    return text.slice(start, at);
  }

  /**
   * Consumes an argument: an unquoted string, or quoted strings joined with `+`. Returns undefined if no
   * argument follows.
   */
  readArgument(): string | undefined {
    const code = this.#text.charCodeAt(this.#at);
    if (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE) {
      this.#lastString = undefined;
      return this.#readUnquoted();
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
    this.faultAt(this.#position(), section, message);
  }

  /** Adds a fault at a position, unless the text is already known to be incomplete. */
  faultAt(at: TextPosition, section: string, message: string): void {
    if (!this.#isIncomplete) this.#faults.add(at, `RFC 7950 ${section}`, message);
  }

  /** Adds a fault for a missing end, after which no text can be understood. */
  faultOfMissingEnd(at: TextPosition, section: string, message: string): void {
    this.faultAt(at, section, message);
    this.#isIncomplete = true;
    this.#at = this.#text.length;
  }

  /**
   * Adds a fault if the last string spans lines and text follows its closing quote in the same line. The quote was then
   * probably meant to open another string. Returns true for such a string.
   */
  refuseRunawayString(): boolean {
    const string = this.#lastString;
    if (!string || string.position.line === this.#line || string.endLine !== this.#line) return false;
    const next = this.#text
      .slice(this.#at, this.#at + 20)
      .split('\n', 1)
      .join('')
      .trim();
    this.faultOfMissingEnd(
      string.position,
      '6.1.3',
      `the string that begins here ends in line ${string.endLine}, and ${JSON.stringify(next)} follows; is its closing quote missing?`,
    );
    return true;
  }

  #readUnquoted(): string | undefined {
    const position = this.#position();
    const word = this.readWord();
    if (word.includes('*/')) this.faultAt(position, '6.1.3', 'a string with "*/" needs quotes');
    if (word.includes('"') || word.includes("'"))
      this.version1Forms.push({ ...position, message: 'a quote inside an unquoted string' });
    return word === '' ? undefined : word;
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
    if (end < 0)
      this.faultOfMissingEnd(this.#position(), '6.1.1', 'the comment never ends; close it with "*/"');
    else this.#moveTo(end + 2);
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

  #endsWord(code: number, at: number): boolean {
    if (code <= SPACE) return isBlank(code) || code === LINE_FEED;
    if (code === SEMICOLON || code === OPEN_BRACE || code === CLOSE_BRACE) return true;
    if (code !== SLASH) return false;
    const next = this.#text.charCodeAt(at + 1);
    return next === SLASH || next === STAR;
  }

  #readQuoted(quote: number): string {
    const start = this.#at + 1;
    const end =
      quote === SINGLE_QUOTE ? this.#text.indexOf("'", start) : endOfDoubleQuoted(this.#text, start);
    if (end < 0) {
      this.faultOfMissingEnd(this.#position(), '6.1.3', 'the string never ends; close its quote');
      return '';
    }
    const raw = this.#text.slice(start, end);
    if (raw.includes('\n') || raw.includes('\\')) return this.#readComplex(quote, raw);
    this.#at = end + 1;
    this.#lastString = undefined;
    return raw;
  }

  /** Decodes a quoted string with line breaks or escapes, and consumes it with its quotes. */
  #readComplex(quote: number, raw: string): string {
    const position = this.#position();
    const start = this.#at + 1;
    const indent = raw.includes('\n') ? widthOf(this.#text.slice(this.#lineStart, start)) : 0;
    const { value, hasUnknownEscape } =
      quote === SINGLE_QUOTE ? { value: raw, hasUnknownEscape: false } : readDoubleQuoted(raw, indent);
    if (hasUnknownEscape) this.version1Forms.push({ ...position, message: UNKNOWN_ESCAPE });
    this.#moveTo(start + raw.length + 1);
    this.#lastString = { position, endLine: this.#line };
    return value.includes('\r') ? value.replaceAll('\r\n', '\n') : value;
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === 13;
}
