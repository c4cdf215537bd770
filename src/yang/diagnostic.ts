import type { Statement } from './syntax/statement.js';

/** One thing that is wrong with a YANG text: where it stands, which rule it breaks, and what is wrong. */
export interface YangFault {
  /** Name of the text as it was given. */
  readonly file: string;
  /** 1-based; 0 when the fault concerns the text as a whole. */
  readonly line: number;
  readonly column: number;
  /** The rule that is broken, for example `RFC 7950 7.6`, or `limit`. */
  readonly rule: string;
  readonly message: string;
  /** With the rule `missing`: what is not there. */
  readonly missing?: ModuleName;
}

/** A module or submodule as others ask for it; without a revision any will do. */
export interface ModuleName {
  readonly name: string;
  readonly revision: string | undefined;
}

/** `name@revision`, or the name alone. */
export function nameOf({ name, revision }: ModuleName): string {
  return revision === undefined ? name : `${name}@${revision}`;
}

/** Most faults of one compilation; nobody reads further. */
const FAULT_LIMIT = 200;

/** A place in a text. */
export type TextPosition = Pick<Statement, 'source' | 'line' | 'column'>;

/** Collects the faults of one compilation, each once. */
export class FaultList {
  readonly #faults = new Map<string, YangFault>();

  /** Notes a fault at a statement or token. */
  add(at: TextPosition, rule: string, message: string): void {
    this.push({ file: at.source.file, line: at.line, column: at.column, rule, message });
  }

  push(fault: YangFault): void {
    if (this.#faults.size < FAULT_LIMIT) this.#faults.set(formatYangFault(fault), fault);
  }

  /** Runs one statement's work; when it is broken the fault is noted, and the next statement can go on. */
  catching<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof InvalidYang) || error.rule === 'limit') throw error;
      this.add(error.at, error.rule, error.message);
      return undefined;
    }
  }

  /** As {@link catching}, and ends the work at a limit as well. */
  catchingAll<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof InvalidYang)) throw error;
      this.add(error.at, error.rule, error.message);
      return undefined;
    }
  }

  get size(): number {
    return this.#faults.size;
  }

  /** Sorted by file and place. */
  list(): readonly YangFault[] {
    return [...this.#faults.values()].sort(byPlace);
  }
}

/** `file:line:column: message [rule]`. */
export function formatYangFault({ file, line, column, rule, message }: YangFault): string {
  return `${line > 0 ? `${file}:${line}:${column}` : file}: ${message} [${rule}]`;
}

/** Thrown inside one statement's work and caught where the next statement can go on. */
export class InvalidYang extends Error {
  readonly at: TextPosition;
  readonly rule: string;

  constructor(at: TextPosition, rule: string, message: string) {
    super(message);
    this.at = at;
    this.rule = rule;
  }
}

function byPlace(a: YangFault, b: YangFault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
