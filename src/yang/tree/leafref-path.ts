import { InvalidYang } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';

/** The path of a leafref (RFC 7950 9.9.2), without its predicates. */
export interface LeafrefPath {
  /** The path inside `deref()`, when the path begins with one. */
  readonly deref: LeafrefPath | undefined;
  readonly absolute: boolean;
  /** How many `..` the path begins with. */
  readonly ups: number;
  /** Names with their prefixes. */
  readonly steps: readonly string[];
}

const NAME = /[A-Za-z_][A-Za-z0-9_.-]*(?::[A-Za-z_][A-Za-z0-9_.-]*)?/y;
const PREDICATE =
  /\s*\[\s*[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?\s*=\s*(?:(?:current\s*\(\s*\)|deref\s*\([^()]*\))(?:\s*\/\s*(?:\.\.|[A-Za-z_][\w.:-]*))+|"[^"]*"|'[^']*')\s*\]\s*/y;

/** Most `deref()` inside each other. */
const DEPTH = 20;

/** Reads the path of a leafref. */
export function readLeafrefPath(statement: Statement): LeafrefPath {
  const reader = new PathReader(statement);
  const path = reader.path();
  if (!reader.ended) throw reader.broken();
  return path;
}

class PathReader {
  readonly #statement: Statement;
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(statement: Statement) {
    this.#statement = statement;
    this.#text = statement.argument.trim();
  }

  get ended(): boolean {
    return this.#at >= this.#text.length;
  }

  path(): LeafrefPath {
    const deref = this.#match(/deref\s*\(\s*/y) !== undefined ? this.#inner() : undefined;
    if (deref && !this.#slash()) throw this.broken();
    const absolute = !deref && this.#slash();
    let ups = 0;
    while (!absolute && this.#match(/\.\./y) !== undefined) {
      ups += 1;
      if (!this.#slash()) return { deref, absolute, ups, steps: [] };
    }
    return { deref, absolute, ups, steps: this.#steps() };
  }

  broken(): InvalidYang {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const what = rest === '' ? 'it ends too early' : `${JSON.stringify(rest)} is not expected`;
    return new InvalidYang(this.#statement, 'RFC 7950 9.9.2', `path "${this.#text.slice(0, 200)}": ${what}`);
  }

  #inner(): LeafrefPath {
    this.#depth += 1;
    if (this.#depth > DEPTH) throw this.broken();
    const path = this.path();
    if (this.#match(/\s*\)\s*/y) === undefined) throw this.broken();
    return path;
  }

  #steps(): readonly string[] {
    const steps: string[] = [];
    do {
      const name = this.#match(NAME);
      if (name === undefined) throw this.broken();
      steps.push(name);
      while (this.#match(PREDICATE) !== undefined);
    } while (this.#slash());
    return steps;
  }

  #slash(): boolean {
    return this.#match(/\s*\/\s*/y) !== undefined;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return undefined;
    this.#at = pattern.lastIndex;
    return found[0];
  }
}
