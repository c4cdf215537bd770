import { totalmem } from 'node:os';

const MIB = 1024 * 1024;

/** Returns the memory limit of the process in bytes; without a limit, the memory of the machine. */
export function availableMemory(): number {
  return Math.min(process.constrainedMemory() || Infinity, totalmem());
}

/** A part of the available memory, and the maximum that is of use. */
interface MemoryShare {
  readonly part: number;
  readonly maxMb: number;
}

/** Minimum share, in MiB: a thread does not start with less. */
const MIN_SHARE_MB = 64;

/** Returns a share of the available memory, in MiB. */
export function shareOfMemory({ part, maxMb }: MemoryShare): number {
  return Math.max(MIN_SHARE_MB, Math.min(maxMb, Math.floor((availableMemory() * part) / MIB)));
}
