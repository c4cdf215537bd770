import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { systemScheduler } from '../../lib/clock.js';
import type { StarterRpc, WorkerRpc } from './protocol.js';
import { createLink, type RpcChannel } from './rpc.js';

const BUNDLED_PROGRAM = fileURLToPath(new URL('../../../bin/worker.js', import.meta.url));
const COMPILED_PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url));

/** The program of a worker: the bundled file, which starts faster, or the compiled file in a checkout without the bundle. */
const PROGRAM = existsSync(BUNDLED_PROGRAM) ? BUNDLED_PROGRAM : COMPILED_PROGRAM;

/**
 * Option that ignores SIGUSR1 from the first instruction on, before the worker has its own listener. Node.js 20 does not have
 * the option.
 */
const NO_INSPECTOR = ['--disable-sigusr1'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));

/** Variables for the process that the service manager started, which answers it for all. */
const OF_STARTER = new Set(['NOTIFY_SOCKET', 'WATCHDOG_PID', 'WATCHDOG_USEC', 'LISTEN_PID', 'LISTEN_FDS']);

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A worker, as the starter sees it. */
export interface WorkerProcess extends Pick<RpcChannel<WorkerRpc>, 'ask' | 'notify'> {
  readonly pid: number;
  /** Returns false from the moment when no message can reach the worker any more, which is before `ended` resolves. */
  readonly isConnected: () => boolean;
  /** Sends a connection to the worker. Calls `onUndelivered` if the worker cannot receive it or has ended. */
  readonly sendSocket: (socket: Socket, onUndelivered: (socket: Socket) => void) => void;
  /** Ends the worker at once. */
  readonly kill: () => void;
  /** Resolves when the worker has ended, for whatever reason. */
  readonly ended: Promise<Ending>;
}

interface WorkerOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Receives the lines that the worker writes to its standard output. */
  readonly output: NodeJS.WritableStream;
}

/** Starts a worker. */
export function startWorker(handlers: StarterRpc, { env, output }: WorkerOptions): WorkerProcess {
  const child = fork(PROGRAM, [], {
    execArgv: [...process.execArgv, ...NO_INSPECTOR],
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !OF_STARTER.has(name))),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout) copyLines(child.stdout, output);
  const rpc = createLink<StarterRpc, WorkerRpc>(child, handlers);
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', () => {
      resolve({ code: null, signal: null });
    });
    // After `close`, all that the worker wrote has been read.
    child.once('close', (code, signal) => {
      resolve({ code, signal });
    });
    // A process that the worker started may hold its output open.
    child.once('exit', () => systemScheduler.after(LAST_OUTPUT_MS, () => child.stdout?.destroy()));
  });
  // A reaction to `ended` for each connection would keep the connection as long as the worker runs.
  const unsent = new Map<Socket, (socket: Socket) => void>();
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
    for (const [socket, onUndelivered] of unsent) onUndelivered(socket);
    unsent.clear();
  });
  return {
    pid: child.pid ?? 0,
    isConnected: () => child.connected,
    ask: rpc.ask,
    notify: rpc.notify,
    sendSocket(socket, onUndelivered) {
      if (hasEnded) {
        onUndelivered(socket);
        return;
      }
      unsent.set(socket, onUndelivered);
      rpc.sendSocket(socket, (error) => {
        if (!unsent.delete(socket)) return;
        // After the transfer the worker has its own handle, and this process closes its own.
        if (error) onUndelivered(socket);
        else socket.destroy();
      });
    },
    kill: () => {
      // Without descriptors, Node.js returns a child without a process. Its `kill` would send the signal to any process.
      if (child.pid !== undefined) child.kill('SIGKILL');
    },
    ended,
  };
}

/** Maximum time for the rest of the output of a worker that has exited, in milliseconds. */
const LAST_OUTPUT_MS = 1_000;

const LINE_FEED = 10;

/** Maximum number of bytes that wait for the end of their line. */
const MAX_HELD_BYTES = 1_048_576;

/**
 * Copies a stream line by line, so that no line of another process comes into the middle of one. Reads no more while the target
 * is full.
 */
export function copyLines(from: NodeJS.ReadableStream, to: NodeJS.WritableStream): void {
  let rest: Buffer = Buffer.alloc(0);
  from.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length > MAX_HELD_BYTES ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
    rest = bytes.subarray(end);
    // The callback also runs after a failure. It, and not `drain`, needs no listener for each worker.
    if (end > 0 && !to.write(bytes.subarray(0, end), () => from.resume())) from.pause();
  });
  from.on('end', () => {
    if (rest.length > 0) to.write(Buffer.concat([rest, Buffer.from('\n')]));
  });
}
