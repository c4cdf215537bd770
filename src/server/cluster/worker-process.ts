import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { MainRpc, WorkerRpc } from './protocol.js';
import { createLink, type RpcChannel } from './rpc.js';
import { workerEnvironment } from './worker-environment.js';

const BUNDLED_PROGRAM = fileURLToPath(new URL('../../../bin/call-worker.js', import.meta.url));
const COMPILED_PROGRAM = fileURLToPath(new URL('./call-worker.js', import.meta.url));

/** The program of a worker: the bundled file, which starts faster, or the compiled file in a checkout without the bundle. */
const PROGRAM = existsSync(BUNDLED_PROGRAM) ? BUNDLED_PROGRAM : COMPILED_PROGRAM;

/**
 * Option that ignores SIGUSR1 from the first instruction on, before the worker has its own listener. Node.js 20 does not have
 * the option.
 */
const NO_INSPECTOR = ['--disable-sigusr1'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A call worker, as the main process sees it. */
export interface WorkerProcess extends Pick<RpcChannel<WorkerRpc>, 'ask' | 'notify'> {
  readonly pid: number;
  /** Sends a connection to the worker. Calls `onUndelivered` if the worker cannot receive it or has ended. */
  readonly sendSocket: (socket: Socket, onUndelivered: (socket: Socket) => void) => void;
  /** Ends the worker at once. */
  readonly kill: () => void;
  /** Resolves when the worker has ended, for whatever reason. */
  readonly ended: Promise<Ending>;
}

/** Starts a worker with the variables of the environment that a worker needs. */
export function startWorker(env: NodeJS.ProcessEnv, handlers: MainRpc): WorkerProcess {
  const child = fork(PROGRAM, [], {
    execArgv: [...process.execArgv, ...NO_INSPECTOR],
    env: workerEnvironment(env),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const rpc = createLink<MainRpc, WorkerRpc>(child, handlers);
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', () => {
      resolve({ code: null, signal: null });
    });
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid ?? 0,
    ask: rpc.ask,
    notify: rpc.notify,
    sendSocket(socket, onUndelivered) {
      let isDone = false;
      const finish = (then: (socket: Socket) => void): void => {
        if (!isDone) then(socket);
        isDone = true;
      };
      // After the transfer the worker has its own handle, and this process closes its own.
      rpc.sendSocket(socket, (error) => {
        finish(error ? onUndelivered : (sent) => sent.destroy());
      });
      void ended.then(() => {
        finish(onUndelivered);
      });
    },
    kill: () => {
      child.kill('SIGKILL');
    },
    ended,
  };
}
