import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createLink, type RpcChannel } from './rpc.js';
import type { MainRpc, WorkerRpc } from './protocol.js';
import { type CallServer, openCallWorker } from '../create-worker.js';
import { ignoreInspectorSignal } from '../inspector-signal.js';

// The program of a call worker. The main process starts it, and it ends when the channel between them closes.

let starting: Promise<CallServer> | undefined;
/** Folder of the private socket of the main process. */
let socketFolder: string | undefined;

/** Returns the call server. Throws an Error before `initialize`. */
async function callServer(): Promise<CallServer> {
  if (!starting) throw new Error('the worker is not initialized');
  return starting;
}

const rpc: RpcChannel<MainRpc> = createLink<WorkerRpc, MainRpc>(
  process,
  {
    async initialize(init) {
      socketFolder = dirname(init.privateSocket);
      starting = openCallWorker(init, rpc);
      await starting;
    },
    applySnapshot: async (configuration) => (await callServer()).applySnapshot(configuration),
    revokeTokens: async (tokens) => {
      (await callServer()).revokeTokens(tokens);
    },
    readStats: async () => (await callServer()).readStats(),
    markAuditSuspect: async () => {
      (await callServer()).markAuditSuspect();
    },
    endKeepAlive: async () => {
      (await callServer()).endKeepAlive();
    },
    async retire() {
      await (await callServer()).retire();
      await exitProcess();
    },
    stop: exitProcess,
  },
  (socket) => {
    callServer().then(
      ({ acceptSocket }) => {
        acceptSocket(socket);
      },
      () => socket.destroy(),
    );
  },
);

async function exitProcess(): Promise<void> {
  await (await callServer()).close();
  process.exit();
}

process.once('disconnect', () => {
  // If the main process was killed, it cannot remove the folder.
  if (socketFolder !== undefined) rmSync(socketFolder, { recursive: true, force: true });
  process.exit();
});
// A terminal sends its signals to all processes of a job. Only the main process handles them, and notifies its workers.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => undefined);
ignoreInspectorSignal();
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    callServer().then(
      ({ logUncaught }) => {
        logUncaught(error);
      },
      () => process.exit(1),
    );
  });
