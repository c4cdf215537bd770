import type { Run } from '../measure.js';

/** Modules that are compiled separately, and the folder of their imports. */
export interface ModuleSet {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly string[];
}

/** Modules of one device, which are compiled together. */
export interface Device {
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
  /** Compiles all modules of a device together and writes the result; undefined if the compiler cannot. */
  readonly runDevice?: (device: Device, scratch: string) => Run;
  /** Returns the tree diagrams (RFC 8340) of a device that `runDevice` has compiled. */
  readonly treesOf?: (device: Device, scratch: string) => Promise<string>;
}
