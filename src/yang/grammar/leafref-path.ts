import { InvalidYang } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';

/** Parsed path of a leafref (RFC 7950 9.9.2). */
export interface LeafrefPath {
  readonly absolute: boolean;
  /** Number of `..` at the start of the path. */
  readonly ups: number;
  readonly steps: readonly PathStep[];
}

/** Step of a path: a node name with its prefix as written, and the predicates on the keys of a list. */
interface PathStep {
  readonly name: string;
  readonly predicates: readonly PathPredicate[];
}

/** Predicate `[key = current()/../leaf]`. */
export interface PathPredicate {
  readonly key: string;
  /** Path of the value from the leafref; never absolute. */
  readonly value: LeafrefPath;
}

const NODE_NAME = /[A-Za-z_][A-Za-z0-9_.-]*(?::[A-Za-z_][A-Za-z0-9_.-]*)?/y;

const paths = new WeakMap<Statement, LeafrefPath>();

/** Parses the path of a leafref, once. Throws InvalidYang for a path that is not a `path-arg` (RFC 7950 section 14). */
export function readLeafrefPath(statement: Statement): LeafrefPath {
  let path = paths.get(statement);
  if (!path) paths.set(statement, (path = new PathReader(statement).wholePath()));
  return path;
}

class PathReader {
  readonly #statement: Statement;
  readonly #text: string;
  #at = 0;

  constructor(statement: Statement) {
    this.#statement = statement;
    this.#text = statement.argument.trim();
  }

  wholePath(): LeafrefPath {
    const absolute = this.#takeSlash();
    const ups = absolute ? 0 : this.#ups();
    if (!absolute && ups === 0) throw this.#unexpected('it must begin with "/" or "../"');
    const path = { absolute, ups, steps: this.#steps() };
    if (this.#at < this.#text.length) throw this.#unexpected();
    return path;
  }

  #unexpected(reason?: string): InvalidYang {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const found = rest === '' ? 'it ends too early' : `${JSON.stringify(rest)} is not expected`;
    const message = reason === undefined ? found : `${found}; ${reason}`;
    return new InvalidYang(
      this.#statement,
      'RFC 7950 9.9.2',
      `path "${this.#text.slice(0, 200)}": ${message}`,
    );
  }

  #ups(): number {
    let ups = 0;
    while (this.#match(/\.\./y) !== undefined) {
      ups += 1;
      if (!this.#takeSlash()) throw this.#unexpected();
    }
    return ups;
  }

  #steps(): readonly PathStep[] {
    const steps: PathStep[] = [];
    do {
      const name = this.#match(NODE_NAME);
      if (name === undefined) throw this.#unexpected();
      steps.push({ name, predicates: this.#predicates() });
    } while (this.#takeSlash());
    return steps;
  }

  #predicates(): readonly PathPredicate[] {
    const predicates: PathPredicate[] = [];
    while (this.#match(/\s*\[\s*/y) !== undefined) {
      const key = this.#match(NODE_NAME);
      if (key === undefined || this.#match(/\s*=\s*current\s*\(\s*\)/y) === undefined || !this.#takeSlash())
        throw this.#unexpected();
      const ups = this.#ups();
      const names = this.#keyPath();
      if (ups === 0 || this.#match(/\s*\]\s*/y) === undefined) throw this.#unexpected();
      predicates.push({ key, value: { absolute: false, ups, steps: names } });
    }
    return predicates;
  }

  #keyPath(): readonly PathStep[] {
    const steps: PathStep[] = [];
    do {
      const name = this.#match(NODE_NAME);
      if (name === undefined) throw this.#unexpected();
      steps.push({ name, predicates: [] });
    } while (this.#takeSlash());
    return steps;
  }

  #takeSlash(): boolean {
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
