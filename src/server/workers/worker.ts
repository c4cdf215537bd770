import { ConfigError, type Fault } from '../../core/fault.js';
import { systemScheduler } from '../../lib/clock.js';
import { createServer } from '../create-server.js';
import { ignoreInspectorSignal } from '../inspector-signal.js';
import type { Server } from '../running-server.js';
import { startWatchdog, type Watchdog } from '../watchdog/watchdog.js';
import { openProcessStats } from './process-stats.js';
import type { StarterRpc, WorkerInit, WorkerRpc } from './protocol.js';
import { createLink, type RpcChannel } from './rpc.js';
import { createSiblings, type OpenSiblings, type WorkerControls } from './siblings.js';

// The program of a worker. The starter starts it, and it ends when the channel between them closes.

/** CPU time after which code that does not return ends the process, until the configuration is read, in seconds. */
const START_WATCHDOG_SECONDS = 30;

/**
 * Maximum CPU time of code of a call that does not return, in seconds. The worker then ends itself and logs the stack, before
 * the starter replaces a worker that has not responded for ten seconds.
 */
const MAX_CALL_SECONDS = 8;

/** A server that runs, and how the starter controls it. */
interface Running {
  readonly server: Server;
  readonly controls: WorkerControls;
  /** True for the first of the workers. */
  readonly isFirst: boolean;
}

let starting: Promise<Running> | undefined;
let siblings: OpenSiblings | undefined;
let isRunning = false;
/** Changes that arrive while the server opens. It applies them before it serves. */
const earlyChanges: Parameters<WorkerRpc['applyChange']>[0][] = [];
let isEnding = false;
const stats = openProcessStats();
const watchdog = startWatchdog(START_WATCHDOG_SECONDS, { kind: 'log', fields: { pid: process.pid } });

/** The setting `server.watchdogSeconds`, which limits the start and changes: the starter waits longer for these, too. */
let limitSeconds = START_WATCHDOG_SECONDS;

function limitCalls(): void {
  if (limitSeconds > 0) watchdog.configure(Math.min(limitSeconds, MAX_CALL_SECONDS));
}

/** Runs work that may compute longer than a call. */
async function unlimited<T>(work: () => Promise<T>): Promise<T> {
  if (limitSeconds > 0) watchdog.configure(limitSeconds);
  try {
    return await work();
  } finally {
    limitCalls();
  }
}

/** Returns what runs. Throws an Error before `start`. */
async function running(): Promise<Running> {
  if (!starting) throw new Error('the worker was not started');
  return starting;
}

async function open({ url, ...init }: WorkerInit): Promise<Running> {
  siblings = createSiblings(init, rpc);
  watchdog.configure(START_WATCHDOG_SECONDS, { fields: { worker: init.worker, pid: process.pid } });
  const own: Pick<Watchdog, 'configure'> = {
    configure(seconds, output) {
      limitSeconds = seconds;
      watchdog.configure(seconds, output);
    },
  };
  const options = { ...init, env: process.env, clock: systemScheduler, watchdog: own, siblings };
  const server = await createServer(options);
  limitCalls();
  const controls = siblings.controls();
  if (url !== undefined) controls.listens(url, false);
  for (let change = earlyChanges.shift(); change; change = earlyChanges.shift())
    await controls.applyChange(change);
  isRunning = true;
  return { server, controls, isFirst: init.worker === 0 };
}

const rpc: RpcChannel<StarterRpc> = createLink<WorkerRpc, StarterRpc>(
  process,
  {
    async start(init): Promise<readonly Fault[]> {
      starting = open(init);
      try {
        await starting;
        return [];
      } catch (error) {
        if (error instanceof ConfigError) return error.faults;
        throw error;
      }
    },
    listens: async (url) => {
      const { controls, isFirst } = await running();
      controls.listens(url, isFirst);
    },
    async applyChange(change) {
      // A worker that starts may wait for Vault: the change must not wait with it.
      if (!isRunning) earlyChanges.push(change);
      else if (!isEnding) {
        const { controls } = await running();
        await unlimited(() => controls.applyChange(change));
      }
    },
    answer: async (question) => (await running()).controls.answer(question),
    receive: (text) => {
      siblings?.receive(text);
    },
    reload: async () => {
      const { server } = await running();
      return unlimited(() => server.reload());
    },
    readMetrics: async () => (await running()).controls.metrics(),
    readStats: stats.read,
    announceStop: async () => {
      (await running()).controls.announceStop();
    },
    async retire() {
      isEnding = true;
      const { controls } = await running();
      await controls.retire();
      await end();
    },
    stop: end,
  },
  (socket) => {
    running().then(
      ({ controls }) => {
        controls.take(socket);
      },
      () => socket.destroy(),
    );
  },
);

/** Closes the server and ends the process. */
async function end(): Promise<void> {
  isEnding = true;
  if (!isRunning) process.exit();
  const { server, controls } = await running();
  await controls.closeListener();
  await rpc.ask('keepMetrics', await controls.metrics()).catch(() => undefined);
  await server.close();
  process.exit();
}

// Without a starter nothing can be served. This ends also the threads, which `process.exit` would wait for.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal sends its signals to all processes of a job. Only the starter handles them, and notifies its workers.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR2'] as const)
  process.on(signal, () => undefined);
ignoreInspectorSignal();
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    running().then(
      ({ server }) => {
        server.logUncaught(error);
      },
      () => process.exit(1),
    );
  });
