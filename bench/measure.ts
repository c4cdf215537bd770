import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** A program to run to its end. */
export interface Run {
  readonly command: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly cwd?: string;
}

/** CPU time of a process in milliseconds. */
export interface CpuTime {
  readonly user: number;
  readonly system: number;
}

/** Results of a run. */
export interface Measured {
  readonly ms: number;
  /** Peak of resident memory; undefined if the system does not report it. */
  readonly megabytes: number | undefined;
  /** CPU time of all threads; undefined if the system does not report it. */
  readonly cpu: CpuTime | undefined;
  /** Complete output on stdout and stderr. */
  readonly said: string;
}

/** Interval of the measurements of memory and CPU time, in milliseconds. */
const POLL_MS = 10;

/** Runs a program and measures it from its start to its exit. */
export async function measure({ command, args, input = '', cwd }: Run): Promise<Measured> {
  const before = performance.now();
  const child = spawn(command, args, { ...(cwd !== undefined && { cwd }) });
  let said = '';
  let megabytes: number | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += String(chunk)));
  let cpu: CpuTime | undefined;
  const look = setInterval(() => {
    megabytes = peakOf(child.pid) ?? megabytes;
    cpu = cpuTimeOf(child.pid) ?? cpu;
  }, POLL_MS);
  // Ignores programs that do not read their input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  try {
    await once(child, 'close');
  } finally {
    clearInterval(look);
  }
  return { ms: Math.round(performance.now() - before), megabytes, cpu, said };
}

function peakOf(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

/** Milliseconds of a clock tick in `/proc/PID/stat`, which is 100 a second on Linux. */
const TICK_MS = 10;

function cpuTimeOf(pid: number | undefined): CpuTime | undefined {
  try {
    // The name of the program may contain spaces; fields 14 and 15 are user and system time.
    const [, fields = ''] = readFileSync(`/proc/${pid ?? 0}/stat`, 'utf8').split(/\) (?=\w )/);
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    if (user === undefined || system === undefined) return undefined;
    return { user: user * TICK_MS, system: system * TICK_MS };
  } catch {
    return undefined;
  }
}

/** Returns the first line of a program's version output; undefined if the program is not installed. */
export function versionOf(command: string, option = '--version'): string | undefined {
  const { status, stdout } = spawnSync(command, [option], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n', 1)[0] : undefined;
}

/** Returns the run with the median time. */
export function median<T extends { readonly ms: number }>(runs: readonly T[]): T | undefined {
  return [...runs].sort((a, b) => a.ms - b.ms)[Math.floor(runs.length / 2)];
}
