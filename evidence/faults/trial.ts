import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** How long the end of a trace may take, and how often it is looked for, in milliseconds. */
const [PATIENCE_MS, LOOK_MS] = [20_000, 5];

/** One fault: the n-th time that a thread makes a system call, the call fails and does nothing. */
export interface Trial {
  readonly call: SystemCall;
  readonly error: string;
  readonly nth: number;
  /** True breaks the program on purpose: what writes to files does not hear when that fails. */
  readonly isDeaf?: boolean;
}

/** What was made to fail, and what came of it. */
export interface Outcome {
  /** Faults that happened; none: there is no n-th call. */
  readonly faults: number;
  /** Changes that were acknowledged. */
  readonly acknowledged: number;
  /** What is not as promised, in words. */
  readonly violations: readonly string[];
}

/** Names of each call in the kernel, of which a machine has some. Those on paths are meant only where a file of ours is. */
const SYSTEM_CALLS = {
  openat: { names: ['openat'], isOnPaths: true },
  read: { names: ['read', 'pread64'], isOnPaths: true },
  write: { names: ['write'], isOnPaths: true },
  pwrite64: { names: ['pwrite64'], isOnPaths: true },
  fsync: { names: ['fsync'], isOnPaths: false },
  fdatasync: { names: ['fdatasync'], isOnPaths: false },
  ftruncate: { names: ['ftruncate'], isOnPaths: false },
  link: { names: ['link', 'linkat'], isOnPaths: false },
  rename: { names: ['rename', 'renameat', 'renameat2'], isOnPaths: false },
  unlink: { names: ['unlink', 'unlinkat'], isOnPaths: false },
  accept: { names: ['accept4'], isOnPaths: false },
} as const;

export type SystemCall = keyof typeof SYSTEM_CALLS;

/** Errors of a device, a full disk, too many open files, missing rights, and a signal. */
export const ERRORS = ['EIO', 'ENOSPC', 'EMFILE', 'EACCES', 'EINTR'] as const;

/** The words before a command that make it meet the fault; what happened is told in the file `trace`. */
export function withFault(
  { call, error, nth }: Trial,
  { trace, paths }: { readonly trace: string; readonly paths: readonly string[] },
): readonly string[] {
  const { names, isOnPaths } = SYSTEM_CALLS[call];
  const calls = names.map((name) => `?${name}`).join(',');
  return [
    ...['strace', '-D', '-f', '--seccomp-bpf', '-o', trace],
    ...(isOnPaths ? paths.flatMap((path) => ['-P', path]) : []),
    ...['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}:when=${nth}`],
  ];
}

/** How many faults a trace tells of, once it tells of the end of the process: what writes it may end a moment later. */
export async function faultsIn(trace: string, { pid = 0 }: ChildProcess): Promise<number> {
  const end = new RegExp(`^${pid} +\\+{3} `, 'm');
  const text = (): string => (existsSync(trace) ? readFileSync(trace, 'utf8') : '');
  for (let left = PATIENCE_MS; !end.test(text()); left -= LOOK_MS) {
    if (left <= 0) throw new Error(`${trace} does not tell of the end of ${pid}`);
    await pause(LOOK_MS);
  }
  return text().split('(INJECTED)').length - 1;
}

/** False where there is no strace, or no right to trace. */
export function canInject(): boolean {
  return spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status === 0;
}
