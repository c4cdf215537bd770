import type { TextPosition } from './syntax/statement.js';

/** Fault in a YANG text: its position, the violated rule and a message. */
export interface YangFault {
  /** File name of the text as given. */
  readonly file: string;
  /** 1-based; 0 if the fault has no position in the text. */
  readonly line: number;
  readonly column: number;
  /** The violated rule, for example `RFC 7950 7.6`, or `limit`. */
  readonly rule: string;
  readonly message: string;
  /** Exceeded limit, which callers and operators may raise; only set with the rule `limit`. */
  readonly limit?: LimitName;
  /** Missing module; only set with the rule `missing`. */
  readonly missing?: ModuleName;
  /** Choice of features that the modules do not have; only set with the rule `features`. */
  readonly feature?: { readonly module: string; readonly name?: string };
}

/** Names of the limits of a compilation: those of `Limits`, and the heap. */
export type LimitName = 'bytes' | 'statements' | 'depth' | 'nodes' | 'milliseconds' | 'megabytes';

/** Name and revision of a module or submodule in a reference. Without a revision, any revision matches. */
export interface ModuleName {
  readonly name: string;
  readonly revision: string | undefined;
}

/** Returns `name@revision`, or only the name. */
export function nameOf({ name, revision }: ModuleName): string {
  return revision === undefined ? name : `${name}@${revision}`;
}

/** Maximum number of faults of one compilation. */
const FAULT_LIMIT = 200;

/** Collects the faults of one compilation without duplicates. */
export class FaultList {
  readonly #faults = new Map<string, YangFault>();
  readonly #tolerated = new Map<string, YangFault>();
  readonly #warnings = new Map<string, YangFault>();
  readonly #isLenient: boolean;
  #isForUnused = false;
  #added = 0;

  /** A lenient list collects the faults that change no meaning separately. */
  constructor({ isLenient = false }: { readonly isLenient?: boolean } = {}) {
    this.#isLenient = isLenient;
  }

  /** Adds a fault at a statement or token. */
  add(at: TextPosition, rule: string, message: string): void {
    this.push({ file: at.source.file, line: at.line, column: at.column, rule, message });
  }

  /** Adds a fault that leaves no doubt about the meaning of the text. A lenient compilation reports it as a warning. */
  addHarmless(at: TextPosition, rule: string, message: string): void {
    this.addTolerable({ at, rule, message }, '');
  }

  /** Adds a fault that a lenient compilation reports as a warning, at whose end is the consequence. */
  addTolerable(
    { at, rule, message }: Pick<InvalidYang, 'at' | 'rule' | 'message'>,
    consequence: string,
  ): void {
    if (!this.#isLenient) {
      this.add(at, rule, message);
      return;
    }
    const { line, column, source } = at;
    const fault = { file: source.file, line, column, rule, message: message + consequence };
    this.#added += 1;
    if (this.#tolerated.size < FAULT_LIMIT) this.#tolerated.set(formatYangFault(fault), fault);
  }

  /** Adds a rule that a text violates without consequences for its data. The compilation reports it as a warning. */
  warn(at: TextPosition, rule: string, message: string): void {
    const fault = { file: at.source.file, line: at.line, column: at.column, rule, message };
    if (this.#warnings.size < FAULT_LIMIT) this.#warnings.set(formatYangFault(fault), fault);
  }

  push(fault: YangFault): void {
    this.#added += 1;
    if (this.#faults.size < FAULT_LIMIT) this.#faults.set(formatYangFault(fault), fault);
  }

  /**
   * Runs the work for one statement. Records an InvalidYang error, so that the next statement can be
   * processed.
   */
  catching<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.addThrown(error);
      return undefined;
    }
  }

  /** Runs a check like {@link catching}, and records what it throws as a warning, because no data depends on it. */
  warning(check: () => void): void {
    try {
      check();
    } catch (error) {
      const { at, rule, message } = invalidYangIn(error);
      this.warn(at, rule, message);
    }
  }

  /**
   * Runs the work for a part of a module without which the data stays the same. In a lenient compilation the part may refer
   * to a missing module.
   */
  forUnused<T>(work: () => T): T {
    const wasForUnused = this.#isForUnused;
    this.#isForUnused = true;
    try {
      return work();
    } finally {
      this.#isForUnused = wasForUnused;
    }
  }

  /** Adds the fault of an InvalidYang error. Throws any other error, and one about an exceeded limit. */
  addThrown(error: unknown): void {
    const fault = invalidYangIn(error);
    const { at, rule, message, missing } = fault;
    if (missing && this.#isForUnused) this.addTolerable(fault, '; this statement has no effect');
    else {
      const { line, column, source } = at;
      this.push({ file: source.file, line, column, rule, message, ...(missing && { missing }) });
    }
  }

  /** Runs work like {@link catching}, and also records an exceeded limit, which `catching` throws again. */
  catchingAll<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof InvalidYang)) throw error;
      const { at, rule, message, limit } = error;
      const fault = { file: at.source.file, line: at.line, column: at.column, rule, message };
      this.push({ ...fault, ...(limit && { limit }) });
      return undefined;
    }
  }

  get size(): number {
    return this.#faults.size;
  }

  /** Number of faults that were added, also of those beyond the limit and of harmless ones. */
  get added(): number {
    return this.#added;
  }

  /** Returns the harmless faults of a lenient compilation, sorted by file and position. */
  tolerated(): readonly YangFault[] {
    return [...this.#tolerated.values()].sort(byPosition);
  }

  /** Returns the violations that are warnings, sorted by file and position. */
  warnings(): readonly YangFault[] {
    return [...this.#warnings.values()].sort(byPosition);
  }

  /** Returns the faults sorted by file and position. */
  list(): readonly YangFault[] {
    return [...this.#faults.values()].sort(byPosition);
  }
}

/** Formats a fault as `file:line:column: message [rule]`. */
export function formatYangFault({ file, line, column, rule, message }: YangFault): string {
  return `${line > 0 ? `${file}:${line}:${column}` : file}: ${message} [${rule}]`;
}

/**
 * Thrown while a statement is processed. Caught by {@link FaultList}, which continues with the next
 * statement.
 */
export class InvalidYang extends Error {
  readonly at: TextPosition;
  readonly rule: string;
  /** Exceeded limit; only set with the rule `limit`. */
  limit?: LimitName;
  /** Missing module; only set with the rule `missing`. */
  missing?: ModuleName;

  constructor(at: TextPosition, rule: string, message: string) {
    super(message);
    this.at = at;
    this.rule = rule;
  }
}

/** Returns an error that concerns one statement. Throws any other error, and one about an exceeded limit. */
export function invalidYangIn(error: unknown): InvalidYang {
  if (!(error instanceof InvalidYang) || error.rule === 'limit') throw error;
  return error;
}

function byPosition(a: YangFault, b: YangFault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
