/** One look at the event loop, by the thread of the watchdog. */
interface LoopReading {
  /** Counter that the event loop increases. */
  readonly beat: number;
  /** Reads the CPU time that the thread of the event loop has used so far, in milliseconds. */
  readonly readCpuMs: () => number;
}

/**
 * Returns a function that takes periodic readings of an event loop. It returns the CPU time, in milliseconds, that the loop has
 * used since its last beat: the duration of the code that does not return. A process that is stopped, suspended, paused by a
 * debugger or starved of CPU uses no CPU time, and a wait for a blocked write or a child process uses none either.
 */
export function createStuckLoopMeter(): (reading: LoopReading) => number {
  let lastBeat: number | undefined;
  let cpuMsAtBeat: number | undefined;
  return ({ beat, readCpuMs }) => {
    if (beat !== lastBeat) {
      lastBeat = beat;
      cpuMsAtBeat = undefined;
      return 0;
    }
    const cpuMs = readCpuMs();
    cpuMsAtBeat ??= cpuMs;
    return cpuMs - cpuMsAtBeat;
  };
}
