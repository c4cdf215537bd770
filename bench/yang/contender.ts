import type { Run } from '../measure.js';

/** Modules that are compiled separately, and the folder of their imports. */
export interface ModuleSet {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly string[];
}

/** A compiler of YANG. */
export interface Contender {
  readonly name: string;
  /** Undefined when it is not installed. */
  version(): string | undefined;
  /** Compiles every module of the set in one process. */
  run(set: ModuleSet): Run;
  /** Returns the number of compiled modules from the output; undefined if the output does not contain it. */
  compiled(said: string): number | undefined;
}
