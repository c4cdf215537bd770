import type { Run } from '../measure.js';

/** Modules to compile, each by itself, and the folder that has what they import. */
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
  /** One process that compiles every module of the set. */
  run(set: ModuleSet): Run;
  /** Modules that it compiled, from what it said; undefined when it does not tell. */
  compiled(said: string): number | undefined;
}
