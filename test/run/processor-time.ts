import { readFileSync } from 'node:fs';

/** Clock ticks of `/proc/PID/stat` in a second: the same on all architectures of Linux. */
const TICKS = 100;

/**
 * Returns the processor time of this process and of its children that have ended, in seconds. Linux only
 * shows that of the children; elsewhere it is omitted.
 */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + endedChildren();
}

function endedChildren(): number {
  try {
    return childTicks(readFileSync('/proc/self/stat', 'utf8')) / TICKS;
  } catch {
    return 0;
  }
}

/** Adds up cutime and cstime (proc_pid_stat(5)). The name of the process may contain spaces and parentheses. */
function childTicks(stat: string): number {
  const [user = '0', system = '0'] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return Number(user) + Number(system);
}
