import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import { ConfigError, type Fault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import { openConnectionListener } from '../../http/listener.js';
import { monotonic } from '../../lib/clock.js';
import { CloserStack } from '../../lib/closer-stack.js';
import type { Settings } from '../../settings/settings.js';
import { lockFile } from '../../storage/file-lock.js';
import { createServer, type ServerOptions } from '../create-server.js';
import { inheritedSocket } from '../listener.js';
import { openTelemetry } from '../open-telemetry.js';
import { type ReadAtStart, readAtStart } from '../read-at-start.js';
import type { Server } from '../running-server.js';
import { createShutdown } from '../shutdown.js';
import { createMetricTotals, type MetricTotals } from './metric-totals.js';
import type { StarterRpc, WorkerInit } from './protocol.js';
import { processesOf } from './shares.js';
import { WorkerSupervisor } from './supervisor.js';
import { createWaiting, type Waiting } from './waiting.js';
import { startWorker, type WorkerProcess } from './worker-process.js';
import { createWorkerRegistry, type WorkerRegistry } from './worker-registry.js';
import { createWriteTurns, type WriteTurns } from './write-turns.js';

/** Starts the server in this process, or several processes if the settings want them. Throws as {@link createServer} does. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const read = await readAtStart(options);
  requireNotCancelled(options);
  return processesOf(read.written.server) > 1 ? openStarter(options, read) : createServer(options, read);
}

/**
 * Starts a server of several processes. This process listens and passes each connection to the next worker. It starts the
 * workers, each of which is a complete server, and replaces them; it serves nothing itself. Throws the error of the first worker.
 */
async function openStarter(options: ServerOptions, { written }: ReadAtStart): Promise<Server> {
  const closers = new CloserStack();
  const abort = (): void => void closers.close();
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    return await open(options, written, closers);
  } catch (error) {
    await closers.close();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }
}

/** Throws an Error if the start was cancelled: nothing more must be opened. */
function requireNotCancelled({ signal }: ServerOptions): void {
  if (signal?.aborted) throw new Error('the start was cancelled');
}

async function open(options: ServerOptions, settings: Settings, closers: CloserStack): Promise<Server> {
  const { clock, env, logStream } = options;
  const scheduler = monotonic(clock);
  const { server } = settings;
  options.watchdog?.configure(server.watchdogSeconds, { log: settings.log });
  const { log } = closers.add(openTelemetry(settings.log, { clock, stream: logStream }));
  const shutdown = closers.add(createShutdown({ settings: server, scheduler, log }));
  const locks = closers.add(createLocks(options.configPath));
  const waiting = closers.add(createWaiting(server.limits.connections, scheduler));
  const workers = supervise(options, { settings, locks, waiting, log, closers });
  await workers.supervisor.open();
  requireNotCancelled(options);
  const inherited = inheritedSocket({ env, listen: options.listen, log });
  const { limits, tls } = server;
  const target = { listen: options.listen ?? server.listen, inherited, connections: limits.connections };
  const listener = closers.add(await openConnectionListener(target, workers.dispatch, log));
  const url = `${tls ? 'https' : 'http'}://${listener.address}`;
  await workers.listens(url);
  requireNotCancelled(options);
  return {
    url,
    reload: workers.reload,
    restart: workers.restart,
    logUncaught: (error) => {
      log.error('uncaught error; continuing', { error });
    },
    async stop(request) {
      await shutdown.begin(request, workers.announceStop);
      await closers.close();
    },
    close: () => closers.close(),
  };
}

interface Parts {
  readonly settings: Settings;
  readonly locks: Locks;
  readonly waiting: Waiting;
  readonly log: Log;
  readonly closers: CloserStack;
}

/** The workers of a server. */
interface Workers {
  readonly supervisor: WorkerSupervisor;
  /** Sends a connection to the next worker, now or when one serves. */
  readonly dispatch: (socket: Socket) => void;
  /** Sends the URL of the listener to the workers, also to later ones. */
  readonly listens: (url: string) => Promise<void>;
  readonly reload: () => Promise<readonly Fault[]>;
  /** Replaces the workers one by one, unless the server stops. */
  readonly restart: () => Promise<void>;
  /** Lets every worker report that the server stops, also those that start from now on. */
  readonly announceStop: () => void;
}

/** Maximum time for a worker to return its metrics, in milliseconds. */
const METRICS_TIMEOUT_MS = 5_000;
/** Maximum time for a worker to answer another, in milliseconds. */
const ANSWER_TIMEOUT_MS = 1_500;
/** Maximum time until a new worker serves, without the time that it may wait for Vault, in milliseconds. */
const START_TIMEOUT_MS = 60_000;

function supervise(options: ServerOptions, { settings, locks, waiting, log, closers }: Parts): Workers {
  const { configPath, env, clock } = options;
  const folders = foldersOf(options);
  const processes = processesOf(settings.server);
  const registry = createWorkerRegistry(processes);
  const totals = createMetricTotals();
  const turns = createWriteTurns();
  const shared: SharedParts = { supervisor: () => supervisor, registry, totals, turns, locks };
  const signInKey = randomBytes(32).toString('base64');
  let url: string | undefined;
  const dispatch = (socket: Socket): void => {
    if (!supervisor.dispatch(socket)) waiting.add(socket);
  };
  let isStopping = false;
  const supervisor: WorkerSupervisor = new WorkerSupervisor({
    count: processes,
    registry,
    startProcess: () => startShared(shared, { env, output: options.logStream ?? process.stdout }),
    async initialize(worker, place) {
      const own = { ...place, processes, signInKey };
      const init: WorkerInit = { configPath: resolve(configPath), ...folders, url, ...own };
      const faults = await worker.ask('start', init);
      if (faults.length > 0) throw new ConfigError(faults);
      if (isStopping) worker.notify('announceStop', null);
    },
    onUndelivered: dispatch,
    blocksOthers: turns.has,
    onServing() {
      for (const socket of waiting.take()) dispatch(socket);
    },
    startTimeoutMs: START_TIMEOUT_MS + (settings.vault?.boot.waitSeconds ?? 0) * 1_000,
    drainSeconds: settings.server.drainSeconds,
    scheduler: clock,
    log,
  });
  closers.add(supervisor);
  return {
    supervisor,
    dispatch,
    async listens(address) {
      url = address;
      await supervisor.askAll('listens', address);
    },
    async reload() {
      const workers = supervisor.serving();
      const replies = await supervisor.running.collect(workers, ['reload', null], START_TIMEOUT_MS);
      return replies.map(([, faults]) => faults).find((faults) => faults.length > 0) ?? [];
    },
    restart: () => (isStopping ? Promise.resolve() : supervisor.restart()),
    announceStop() {
      isStopping = true;
      supervisor.running.notifyAll('announceStop', null);
    },
  };
}

/** Starts a worker that shares what the others share. */
function startShared(shared: SharedParts, options: Parameters<typeof startWorker>[1]): WorkerProcess {
  const worker: WorkerProcess = startWorker(
    handlersOf(() => worker, shared),
    options,
  );
  void worker.ended.then(() => {
    shared.totals.leave(worker);
    shared.turns.leave(worker);
  });
  return worker;
}

/** What the workers share in this process. */
interface SharedParts {
  readonly supervisor: () => WorkerSupervisor;
  readonly registry: WorkerRegistry;
  readonly totals: MetricTotals;
  readonly turns: WriteTurns;
  readonly locks: Locks;
}

/** Creates the functions that one worker calls in this process. */
function handlersOf(
  self: () => WorkerProcess,
  { supervisor, registry, totals, turns, locks }: SharedParts,
): StarterRpc {
  return {
    lockFile: locks.lock,
    takeTurn: () => turns.take(self()),
    endTurn() {
      turns.end(self());
    },
    tellOthers: (change) => supervisor().askAll('applyChange', change, self()),
    async askOthers(question) {
      const { running } = supervisor();
      const others = supervisor()
        .serving()
        .filter((one) => one !== self());
      const answers = await running.collect(others, ['answer', question], ANSWER_TIMEOUT_MS);
      return answers.map(([, answer]) => answer);
    },
    sendToAll(texts) {
      for (const text of texts) supervisor().running.notifyAll('receive', text);
    },
    countWorkers: () => supervisor().running.all().length,
    async readAllMetrics() {
      const { running } = supervisor();
      const current = await running.collect(
        supervisor().serving(),
        ['readMetrics', null],
        METRICS_TIMEOUT_MS,
      );
      for (const [worker, metrics] of current) totals.note(worker, metrics);
      return [...totals.sum(), ...registry.metrics()];
    },
    keepMetrics(metrics) {
      totals.note(self(), metrics);
    },
  };
}

/** Returns the folders of the options, without those that are absent. */
function foldersOf({
  pluginFolder,
  pageFolder,
  guideFolder,
}: ServerOptions): Pick<WorkerInit, 'pluginFolder' | 'pageFolder' | 'guideFolder'> {
  return {
    ...(pluginFolder !== undefined && { pluginFolder }),
    ...(pageFolder !== undefined && { pageFolder }),
    ...(guideFolder !== undefined && { guideFolder }),
  };
}

interface Locks {
  readonly lock: (path: string) => void;
  readonly close: () => void;
}

/** Creates locks of data files, each of which this process takes once for all of its workers. */
function createLocks(configPath: string): Locks {
  const held = new Map<string, { readonly close: () => void }>();
  return {
    lock(path) {
      if (!held.has(path)) held.set(path, lockFile(path, resolve(configPath)));
    },
    close() {
      for (const one of held.values()) one.close();
    },
  };
}
