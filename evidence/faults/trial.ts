import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Time limit for the end of a trace, and interval of the checks, in milliseconds. */
const [TIMEOUT_MS, POLL_MS] = [20_000, 5];

/** One fault: the n-th system call of this kind in a thread fails without an effect. */
export interface Trial {
  readonly call: SystemCall;
  readonly error: string;
  readonly nth: number;
  /** True sabotages the program: file handles ignore failed writes and syncs. */
  readonly isDeaf?: boolean;
}

/** The fault and its results. */
export interface Outcome {
  /** Number of injected faults; 0: there was no n-th call. */
  readonly faults: number;
  /** Changes that were acknowledged. */
  readonly acknowledged: number;
  /** Changes or steps that were not done; without a fault, all are. */
  readonly undone: readonly string[];
  /** Violations of the promises, as text. */
  readonly violations: readonly string[];
}

/**
 * Kernel names of each call; a machine may have only some of them. Calls with `isOnPaths` fail only for files
 * under test.
 */
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

/** Returns the command prefix that injects the fault; the file `trace` records the system calls. */
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

/**
 * Returns the number of faults in a trace. Waits for the end of the process in the trace, because strace may
 * end a moment after the process.
 */
export async function faultsIn(trace: string, { pid = 0 }: ChildProcess): Promise<number> {
  const end = new RegExp(`^${pid} +\\+{3} `, 'm');
  const text = (): string => (existsSync(trace) ? readFileSync(trace, 'utf8') : '');
  for (let left = TIMEOUT_MS; !end.test(text()); left -= POLL_MS) {
    if (left <= 0) throw new Error(`${trace} does not contain the exit of ${pid}`);
    await pause(POLL_MS);
  }
  return text().split('(INJECTED)').length - 1;
}

/** Returns false if strace or the right to trace is missing. */
export function canInject(): boolean {
  return spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status === 0;
}
