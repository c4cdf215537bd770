import { InvalidYang } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';

/** Maximum nesting of groups and classes. */
const DEPTH = 100;

/** Reads the characters of one pattern. */
export class Reader {
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
    if (point === undefined) throw this.broken('it ends too early');
    const letter = String.fromCodePoint(point);
    this.#at += letter.length;
    return letter;
  }

  /** Consumes a text if it is next. */
  take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Consumes the match of a sticky expression at the current position. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return undefined;
    this.#at += found[0].length;
    return found;
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > DEPTH) throw this.broken('too many groups inside each other');
  }

  leave(): void {
    this.#depth -= 1;
  }

  broken(what: string): InvalidYang {
    const shown = this.#text.length > 80 ? `${this.#text.slice(0, 80)}...` : this.#text;
    return new InvalidYang(
      this.#statement,
      'RFC 7950 9.4.5',
      `the pattern ${JSON.stringify(shown)} is no XSD regular expression: ${what} (character ${this.#at + 1})`,
    );
  }
}
