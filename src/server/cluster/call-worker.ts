import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createLink, type RpcChannel } from './rpc.js';
import type { MainRpc, WorkerRpc } from './protocol.js';
import { type CallServer, openCallWorker } from '../create-worker.js';

// The program of a call worker, which the main process starts. It lives no longer than the channel between them.

let begun: Promise<CallServer> | undefined;
/** Folder of the socket at which the main process takes what is handed on. */
let folder: string | undefined;

async function serving(): Promise<CallServer> {
  if (!begun) throw new Error('the worker was told nothing yet');
  return begun;
}

const rpc: RpcChannel<MainRpc> = createLink<WorkerRpc, MainRpc>(
  process,
  {
    async begin(init) {
      folder = dirname(init.privateSocket);
      begun = openCallWorker(init, rpc);
      await begun;
    },
    applySnapshot: async (configuration) => (await serving()).applySnapshot(configuration),
    endTokens: async (tokens) => {
      (await serving()).endTokens(tokens);
    },
    vitals: async () => (await serving()).vitals(),
    markAuditSuspect: async () => {
      (await serving()).markAuditSuspect();
    },
    async retire() {
      await (await serving()).retire();
      await exitProcess();
    },
    stop: exitProcess,
  },
  (socket) => {
    serving().then(
      ({ take }) => {
        take(socket);
      },
      () => socket.destroy(),
    );
  },
);

async function exitProcess(): Promise<void> {
  await (await serving()).close();
  process.exit();
}

process.once('disconnect', () => {
  // Where the main process was killed, nobody else removes it.
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  process.exit();
});
// A terminal sends its signals to all processes of a job: the main process tells the workers what to do.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => undefined);
for (const stray of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(stray, (error: unknown) => {
    serving().then(
      ({ logUncaught }) => {
        logUncaught(error);
      },
      () => process.exit(1),
    );
  });
