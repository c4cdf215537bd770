import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RevokedTokens } from '../../auth/revoked-tokens.js';
import type { Scheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import type { Settings } from '../../core/settings.js';
import type { TracingSettings } from '../../core/tracing-settings.js';
import type { Tracer } from '../../core/trace.js';
import type { HttpApp } from '../http-app.js';
import { openConnectionListener } from '../../http/listener.js';
import { type ListenOptions, listenPrivately, openServer, type RunningServer } from '../../http/server.js';
import { enabledSections } from '../reload/desired-state.js';
import { packConfiguration } from './configuration.js';
import type { WorkerInit, SerializableTracing } from './protocol.js';
import { createMainRpc, type MainRpcDeps } from './main-rpc.js';
import type { WorkerMode } from './worker-mode.js';
import { createSupervisor, type Supervisor } from './supervisor.js';
import { startWorker } from './worker-process.js';

/** What a listener serves, in this process or in front of call workers. */
export interface ListenerInput extends MainRpcDeps {
  readonly workerMode: WorkerMode;
  readonly configPath: string;
  readonly pluginFolder?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
  readonly app: HttpApp;
  readonly ended: RevokedTokens;
  readonly log: Log;
  readonly tracer: Tracer;
  readonly clock: Scheduler;
}

export interface WorkersInput extends ListenerInput {
  readonly tls: ListenOptions['tls'];
  /** A socket that listens already. */
  readonly inherited: number | undefined;
}

/** A server whose calls several processes serve. */
export interface ServerOfWorkers extends RunningServer {
  /** Replaces the workers one by one, without a lost call. */
  readonly restart: () => Promise<void>;
}

/** How long a worker may take to start adapters anew, and to note that a token has ended, in milliseconds. */
const TAKE_UP_MS = 60_000;
const NOTE_MS = 10_000;

/**
 * Opens the listener and starts the workers. This process accepts the connections and hands each to a worker in turn; without one
 * that serves, it serves by itself. What workers do not serve comes to it through a socket in a folder that only its user can enter.
 */
export async function openWorkers(input: WorkersInput): Promise<ServerOfWorkers> {
  const { settings, tls, app, log, tracer, inherited } = input;
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-'));
  const privateSocket = join(folder, 'main');
  const options = { ...app, settings: settings.server, log, tracer };
  const ownDoor = await listenPrivately(privateSocket, options);
  const own = openServer({ ...options, ...(tls && { tls }) });
  const workers = supervise(input, privateSocket, own.take);
  const stopSync = syncWorkers(input, workers);
  const close = async (): Promise<void> => {
    app.close();
    await Promise.all([workers.close(), own.close()]);
    stopSync();
    await ownDoor.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await workers.open();
    const give = (socket: Parameters<typeof own.take>[0]): void => {
      if (!workers.give(socket)) own.take(socket);
    };
    const { listen, limits } = settings.server;
    const target = { listen, inherited, connections: limits.connections };
    const entrance = await openConnectionListener(target, give, log);
    return {
      url: `${tls ? 'https' : 'http'}://${entrance.address}`,
      restart: workers.restart,
      close() {
        entrance.close();
        return close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function supervise(
  input: WorkersInput,
  privateSocket: string,
  giveBack: ReturnType<typeof openServer>['take'],
): Supervisor {
  const { workerMode, env, settings, clock, log } = input;
  const { adapterStats, registry } = workerMode;
  return createSupervisor({
    count: workerMode.count,
    registry,
    start() {
      const teller = adapterStats.join();
      const worker = startWorker(env, createMainRpc(input, teller));
      void worker.ended.then(teller.leave);
      return worker;
    },
    begin: (worker) => worker.ask('begin', workerInit(input, privateSocket)),
    giveBack,
    drainSeconds: settings.server.drainSeconds,
    scheduler: clock,
    log,
  });
}

/** Made anew for each worker: with the configuration that is live, and the tokens that have ended, by now. */
function workerInit(input: WorkersInput, privateSocket: string): WorkerInit {
  const { workerMode, configPath, pluginFolder, settings, tls, current, ended } = input;
  const { limits, overload, drainSeconds } = settings.server;
  const share = (number: number): number => Math.ceil(number / workerMode.count);
  const { level, file, syslog } = settings.log;
  const { enabled, keyFile, tokenTtlSeconds } = settings.auth.local;
  return {
    configPath,
    privateSocket,
    log: { level, file, syslog },
    processes: workerMode.processes,
    ...(pluginFolder !== undefined && { pluginFolder }),
    release: settings.release,
    server: {
      drainSeconds,
      limits: { ...limits, connections: share(limits.connections) },
      overload: overload && { ...overload, calls: share(overload.calls) },
    },
    tracing: plainTracing(settings.tracing),
    ...(tls && { tls: { ...tls, key: tls.key.reveal() } }),
    ...(enabled && { local: { keyFile, tokenTtlSeconds } }),
    ended: ended.all(),
    configuration: packConfiguration(current.current(), workerMode.resolved),
  };
}

function plainTracing({ headers, ...tracing }: TracingSettings): SerializableTracing {
  const plain = Object.entries(headers).map(([name, value]) => [name, value.reveal()] as const);
  return { ...tracing, headers: Object.fromEntries<string>(plain) };
}

/** Has every worker follow what changes in this process; the result ends that. */
function syncWorkers({ workerMode, current, ended }: WorkersInput, workers: Supervisor): () => void {
  const { resolved, changes } = workerMode;
  const callOffs = [
    current.onSwap(() => {
      const live = current.current();
      // At any other time a snapshot that is being built may need what nothing live refers to.
      resolved.keepOnly(enabledSections(live.desired));
      changes.follow(workers.askAll('applySnapshot', packConfiguration(live, resolved), TAKE_UP_MS));
    }),
    ended.onEnd((tokens) => {
      changes.follow(workers.askAll('endTokens', tokens, NOTE_MS));
    }),
    changes.onDoubt(() => {
      workers.tellAll('markAuditSuspect', null);
    }),
  ];
  return () => {
    for (const cancel of callOffs) cancel();
  };
}
