import { readFileSync } from 'node:fs';

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
