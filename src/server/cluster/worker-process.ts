import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createLink, type RpcChannel } from './rpc.js';
import type { MainRpc, WorkerRpc } from './protocol.js';

/** The program of a worker, beside this file. */
const PROGRAM = fileURLToPath(new URL('./call-worker.js', import.meta.url));

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A call worker as the main process sees it. */
export interface WorkerProcess extends Pick<RpcChannel<WorkerRpc>, 'ask' | 'notify'> {
  readonly pid: number;
  /** Hands it a connection; what it did not get any more is given back when it has ended. */
  readonly hand: (socket: Socket, giveBack: (socket: Socket) => void) => void;
  /** Ends it at once. */
  readonly kill: () => void;
  /** Resolves when it has ended, however that came. */
  readonly ended: Promise<Ending>;
}

/** Starts one. It can read what this process can, but for sockets that this one was given. */
export function startWorker(env: NodeJS.ProcessEnv, offers: MainRpc): WorkerProcess {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('LISTEN_')));
  const child = fork(PROGRAM, [], { env: own, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const rpc = createLink<MainRpc, WorkerRpc>(child, offers);
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
    hand(socket, giveBack) {
      let isDone = false;
      const done = (then: (socket: Socket) => void): void => {
        if (!isDone) then(socket);
        isDone = true;
      };
      // From then on the other process has it, and this end of it can go.
      rpc.hand(socket, (error) => {
        done(error ? giveBack : (sent) => sent.destroy());
      });
      void ended.then(() => {
        done(giveBack);
      });
    },
    kill: () => {
      child.kill('SIGKILL');
    },
    ended,
  };
}
