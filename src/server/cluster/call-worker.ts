import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CallServer, openCallWorker } from '../create-worker.js';
import { ignoreInspectorSignal } from '../inspector-signal.js';
import { NO_WATCHDOG, startWatchdog } from '../watchdog/watchdog.js';
import { unpackListenerTls } from './pack-listener-tls.js';
import type { MainRpc, WorkerRpc } from './protocol.js';
import { createLink, type RpcChannel } from './rpc.js';

// The program of a call worker. The main process starts it, and it ends when the channel between them closes.

let starting: Promise<CallServer> | undefined;
/** Folder of the private socket of the main process. */
let socketFolder: string | undefined;

/**
 * Maximum CPU time of code of a call that does not return, in seconds. The worker then ends itself and logs the stack, before
 * the main process replaces a worker that has not responded for ten seconds.
 */
const MAX_CALL_SECONDS = 8;

let watchdog = NO_WATCHDOG;
/** The setting `server.watchdogSeconds`, which limits the start and new snapshots: the main process waits longer for these, too. */
let limitSeconds = 0;

function limitCalls(): void {
  watchdog.configure(Math.min(limitSeconds, MAX_CALL_SECONDS));
}

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
      const { server, log, worker } = init;
      const { watchdogSeconds } = server;
      const fields = { worker, pid: process.pid };
      if (watchdogSeconds > 0) watchdog = startWatchdog(watchdogSeconds, { kind: 'log', log, fields });
      limitSeconds = watchdogSeconds;
      starting = openCallWorker(init, rpc);
      await starting;
      limitCalls();
    },
    async applySnapshot(configuration) {
      watchdog.configure(limitSeconds);
      try {
        await (await callServer()).applySnapshot(configuration);
      } finally {
        limitCalls();
      }
    },
    revokeTokens: async (tokens) => {
      (await callServer()).revokeTokens(tokens);
    },
    applyCacheChange: async (change) => {
      (await callServer()).applyCacheChange(change);
    },
    replaceTls: async (tls) => {
      (await callServer()).replaceTls(unpackListenerTls(tls));
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
for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR2'] as const)
  process.on(signal, () => undefined);
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
