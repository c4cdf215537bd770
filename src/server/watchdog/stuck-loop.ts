import { readFileSync } from 'node:fs';

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

/** Clock ticks of a second in the files of `/proc`, which Linux fixes at 100 on all of its platforms (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** Fields of `/proc/<pid>/stat` after the name of the program, from 0: time in user mode and in kernel mode (proc(5)). */
const [USER_TIME, KERNEL_TIME] = [11, 12];

/**
 * Returns the CPU time that the main thread of this process has used, in milliseconds. Without `/proc`, returns the CPU time
 * of all threads of the process.
 */
export function readMainThreadCpuMs(): number {
  const pid = process.pid;
  try {
    // The id of the main thread is the id of the process.
    return cpuMsOf(readFileSync(`/proc/self/task/${pid}/stat`, 'latin1'));
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** Returns the CPU time in the text of a file `stat` of `/proc`, in milliseconds. */
export function cpuMsOf(stat: string): number {
  // The name of the program is in parentheses, and may contain blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[USER_TIME]) + Number(fields[KERNEL_TIME]);
  if (!Number.isFinite(ticks)) throw new Error('the file stat of the thread has an unknown format');
  return (ticks * 1000) / TICKS_PER_SECOND;
}
