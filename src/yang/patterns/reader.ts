import { InvalidYang } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';

/** Maximum nesting of groups and classes. */
const MAX_NESTING = 100;

/** Reads the characters of an XSD regular expression. */
export class PatternReader {
  readonly #statement: Statement;
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(statement: Statement) {
    this.#statement = statement;
    this.#text = statement.argument;
  }

  get ended(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Returns the current character without consuming it. */
  peek(): string {
    return this.#text.charAt(this.#at);
  }

  /** Consumes one character, including both halves of a surrogate pair. */
  next(): string {
    const point = this.#text.codePointAt(this.#at);
    if (point === undefined) throw this.fault('it ends too early');
    const letter = String.fromCodePoint(point);
    this.#at += letter.length;
    return letter;
  }

  /** Consumes a text if the pattern continues with the text. Returns true if it does. */
  take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Consumes the match of a sticky expression at the current position; returns undefined without a match. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#at += match[0].length;
    return match;
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_NESTING) throw this.fault('too many groups inside each other');
  }

  leave(): void {
    this.#depth -= 1;
  }

  fault(message: string): InvalidYang {
    const shortText = this.#text.length > 80 ? `${this.#text.slice(0, 80)}...` : this.#text;
    return new InvalidYang(
      this.#statement,
      'RFC 7950 9.4.5',
      `the pattern ${JSON.stringify(shortText)} is not an XSD regular expression: ${message} (character ${this.#at + 1})`,
    );
  }
}
