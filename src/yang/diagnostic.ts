import type { Statement } from './syntax/statement.js';

/** Fault in a YANG text: its place, the violated rule and a message. */
export interface YangFault {
  /** Name of the text as given. */
  readonly file: string;
  /** 1-based; 0 if the fault concerns the whole text. */
  readonly line: number;
  readonly column: number;
  /** The violated rule, for example `RFC 7950 7.6`, or `limit`. */
  readonly rule: string;
  readonly message: string;
  /** Missing module, with the rule `missing`. */
  readonly missing?: ModuleName;
}

/** Module or submodule as others refer to it. Without a revision, any revision matches. */
export interface ModuleName {
  readonly name: string;
  readonly revision: string | undefined;
}

/** Returns `name@revision`, or only the name. */
export function nameOf({ name, revision }: ModuleName): string {
  return revision === undefined ? name : `${name}@${revision}`;
}

/** Maximum number of faults of one compilation. Readers have no use for more. */
const FAULT_LIMIT = 200;

/** Place in a text. */
export type TextPosition = Pick<Statement, 'source' | 'line' | 'column'>;

/** Collects the faults of one compilation without duplicates. */
export class FaultList {
  readonly #faults = new Map<string, YangFault>();

  /** Adds a fault at a statement or token. */
  add(at: TextPosition, rule: string, message: string): void {
    this.push({ file: at.source.file, line: at.line, column: at.column, rule, message });
  }

  push(fault: YangFault): void {
    if (this.#faults.size < FAULT_LIMIT) this.#faults.set(formatYangFault(fault), fault);
  }

  /** Runs the work for one statement. Records its fault, so that the next statement can be processed. */
  catching<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof InvalidYang) || error.rule === 'limit') throw error;
      this.add(error.at, error.rule, error.message);
      return undefined;
    }
  }

  /** Runs work like {@link catching}, but also records an exceeded limit. */
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

  /** Returns the faults sorted by file and place. */
  list(): readonly YangFault[] {
    return [...this.#faults.values()].sort(byPlace);
  }
}

/** Formats a fault as `file:line:column: message [rule]`. */
export function formatYangFault({ file, line, column, rule, message }: YangFault): string {
  return `${line > 0 ? `${file}:${line}:${column}` : file}: ${message} [${rule}]`;
}

/** Thrown inside the work for one statement, and caught where the next statement can be processed. */
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
