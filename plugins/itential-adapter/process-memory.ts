/** Memory that the open workers of this process may use together. */
export interface ProcessMemory {
  /** Adds the limit of a worker, in MiB, until the returned function is called. */
  add(memoryMb: number): () => void;
  /** Returns the sum of the limits, in MiB. */
  limitMb(): number;
  /** Returns the memory of the whole process, in bytes: the workers are threads of it. */
  usedBytes(): number;
}

/** Creates the record of one process, which all its workers share. */
export function createProcessMemory(usedBytes = (): number => process.memoryUsage.rss()): ProcessMemory {
  let sumMb = 0;
  return {
    add(memoryMb) {
      sumMb += memoryMb;
      let isOpen = true;
      return () => {
        if (isOpen) sumMb -= memoryMb;
        isOpen = false;
      };
    },
    limitMb: () => sumMb,
    usedBytes,
  };
}
