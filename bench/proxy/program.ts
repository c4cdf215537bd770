import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** The processor of the measured program, and that of all others. */
export const CPU = { contender: 0, others: 1 } as const;

/** True if processes can be pinned to one processor each. */
export const CAN_PIN = availableParallelism() >= 2 && spawnSync('taskset', ['--version']).status === 0;

/** A server to start. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cpu: number;
  readonly port: number;
  /** File for its output. */
  readonly log: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A server that accepts connections. */
export interface Program {
  readonly pid: number;
  readonly port: number;
  /** Stops the server and resolves after its exit. */
  stop(): Promise<void>;
}

/** Time limit of a start; thousands of adapters take long on a busy machine. */
const START_MS = 300_000;

/**
 * Starts a server and waits until it accepts connections. Throws an Error with its output if it exits first.
 */
export async function launch({ command, args, cpu, port, log, cwd, env }: Launch): Promise<Program> {
  const out = openSync(log, 'a');
  const [program, words] = pinned(cpu, [command, ...args]);
  const child = spawn(program, words, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  endWithUs(child);
  child.on('error', () => undefined);
  const stop = () => end(child);
  try {
    await waitForPort(child, port);
  } catch (error) {
    await stop();
    throw new Error(`${command} did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`, { cause: error });
  }
  return { pid: child.pid ?? 0, port, stop };
}

const living = new Set<ChildProcess>();

/** Programs do not outlive a bench that is interrupted. */
function endWithUs(child: ChildProcess): void {
  if (living.size === 0) {
    process.once('exit', () => {
      for (const one of living) one.kill('SIGKILL');
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  }
  living.add(child);
}

/**
 * Returns a command line that runs on one processor, if the system supports it. taskset replaces itself with
 * the command, so that the pid is that of the command.
 */
export function pinned(cpu: number, words: readonly string[]): readonly [string, readonly string[]] {
  const [first = '', ...rest] = CAN_PIN ? ['taskset', '-c', String(cpu), ...words] : words;
  return [first, rest];
}

async function waitForPort(child: ChildProcess, port: number): Promise<void> {
  const until = performance.now() + START_MS;
  while (!(await takesConnections(port))) {
    if (child.pid === undefined || child.exitCode !== null || performance.now() > until)
      throw new Error('nothing listens');
    await pause(10);
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });
}

/** Time limit for a graceful stop in milliseconds; it is short because no calls are pending. */
const STOP_MS = 2000;

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(timer);
}
