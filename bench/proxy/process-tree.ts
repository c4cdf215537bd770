import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc, the same on every Linux that Node.js runs on. */
const TICKS = 100;

/** Resource usage of a process and its descendants so far. */
interface Usage {
  readonly cpuMs: number;
  readonly residentMb: number;
}

/** Reads the usage of a process and its descendants from /proc. */
export function usageOf(pid: number): Usage {
  const all = treeOf(pid);
  const cpuMs = all.reduce((sum, one) => sum + (statOf(one)?.cpuMs ?? 0), 0);
  return { cpuMs, residentMb: all.reduce((sum, one) => sum + residentMb(one), 0) };
}

/** CPU time of everything on the machine so far, in milliseconds. */
export function machineCpuMs(): number {
  return readMachine(readFileSync('/proc/stat', 'utf8'));
}

/**
 * Returns the busy time from the first line of /proc/stat: all fields except idle, iowait, and guest times,
 * which are part of `user`.
 */
export function readMachine(text: string): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = text
    .slice(0, text.indexOf('\n'))
    .split(/ +/)
    .slice(1)
    .map(Number);
  return ((user + nice + system + irq + softirq + steal) * 1000) / TICKS;
}

/**
 * Parses the relevant fields of a line of /proc/<pid>/stat; the name of the program may contain any
 * character.
 */
export function readStat(line: string): { readonly parent: number; readonly cpuMs: number } {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { parent: Number(fields[1]), cpuMs: (ticks * 1000) / TICKS };
}

function treeOf(root: number): readonly number[] {
  const parents = new Map(numbered().map((pid) => [pid, statOf(pid)?.parent ?? 0]));
  const tree = [root];
  // Grows while it is walked, by the children of those in it.
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  return tree;
}

function numbered(): readonly number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function statOf(pid: number): ReturnType<typeof readStat> | undefined {
  try {
    return readStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // The process has ended in the meantime.
    return undefined;
  }
}

/** Returns the memory of a single process in MB; 0 if the process has ended. */
export function residentMb(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
