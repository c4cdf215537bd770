import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RevokedTokens } from '../../auth/revoked-tokens.js';
import type { AuditTrail } from '../../core/audit-trail.js';
import type { AdmitCall } from '../../core/limits.js';
import type { Log } from '../../core/log.js';
import { Problem } from '../../core/problem.js';
import { Secret } from '../../core/secret.js';
import type { Tracer } from '../../core/trace.js';
import { createWorkerAdmissions, type WorkerAdmissions } from '../../features/limits/worker-admissions.js';
import { openConnectionListener } from '../../http/listener.js';
import { type ListenOptions, listenPrivately, openServer, type RunningServer } from '../../http/server.js';
import type { Scheduler } from '../../lib/clock.js';
import type { TracingSettings } from '../../settings/otlp.js';
import type { ServerSettings, Settings } from '../../settings/settings.js';
import type { OpenLog } from '../../telemetry/log/open-log.js';
import type { HttpApp } from '../http-app.js';
import type { ConfigReloader } from '../state/config-reloader.js';
import { enabledSections } from '../state/configuration.js';
import type { ActiveSnapshot } from '../state/snapshot.js';
import type { SnapshotHolder } from '../state/swap.js';
import { type AuditLease, createAuditLease } from './audit-lease.js';
import { packConfiguration } from './configuration.js';
import { packListenerTls } from './pack-listener-tls.js';
import type { LoginRequest, MainRpc, SerializableTracing, LoginResult, WorkerInit } from './protocol.js';
import { createSupervisor, type Supervisor } from './supervisor.js';
import type { WorkerMode } from './worker-mode.js';
import { startWorker } from './worker-process.js';
import type { WorkerStats } from './worker-stats.js';

/** Dependencies of a listener, in this process or in front of call workers. */
export interface ListenerInput extends MainRpcDeps {
  readonly workerMode: WorkerMode;
  readonly configPath: string;
  readonly pluginFolder?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
  /** Address as `host:port` that replaces `server.listen`. */
  readonly listen: string | undefined;
  readonly app: HttpApp;
  readonly revokedTokens: RevokedTokens;
  readonly log: Log;
  readonly tracer: Tracer;
  readonly clock: Scheduler;
}

interface WorkersInput extends ListenerInput {
  readonly tls: ListenOptions['tls'];
  /** Descriptor of a socket that already listens. */
  readonly inherited: number | undefined;
}

/** A server whose calls are served by several processes. */
interface WorkerServer extends RunningServer {
  /** Replaces the workers one by one, without a lost call. */
  readonly restart: () => Promise<void>;
}

/** Maximum time for a worker to apply a snapshot, in milliseconds. */
const APPLY_TIMEOUT_MS = 60_000;
/** Maximum time for a worker to revoke tokens, in milliseconds. */
const REVOKE_TIMEOUT_MS = 10_000;
/** Maximum time for a worker to remove replies from its caches, in milliseconds. */
const CACHE_CHANGE_TIMEOUT_MS = 1_000;
/** Maximum time for a worker to use another certificate, in milliseconds. */
const REPLACE_TLS_TIMEOUT_MS = 10_000;

/**
 * Opens the listener and starts the workers. This process accepts the connections and passes each to the next worker. If no
 * worker serves, it serves the connection locally. Workers forward all other requests to a private socket of this process,
 * in a folder that only its user can enter.
 */
export async function openWorkers(input: WorkersInput): Promise<WorkerServer> {
  const { settings, tls, app, log, tracer, inherited } = input;
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-'));
  const privateSocket = join(folder, 'main');
  const options = { ...app, settings: settings.server, log, tracer };
  const privateServer = await listenPrivately(privateSocket, options);
  const localServer = openServer({ ...options, ...(tls && { tls }) });
  const workers = supervise(input, privateSocket, localServer.take);
  const stopSync = syncWorkers(input, workers);
  const close = async (): Promise<void> => {
    app.close();
    await Promise.all([workers.close(), localServer.close()]);
    stopSync();
    await privateServer.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await workers.open();
    const dispatch = (socket: Socket): void => {
      if (!workers.dispatch(socket)) localServer.take(socket);
    };
    const { listen, limits } = settings.server;
    const target = { listen: input.listen ?? listen, inherited, connections: limits.connections };
    const listener = await openConnectionListener(target, dispatch, log);
    return {
      url: `${tls ? 'https' : 'http'}://${listener.address}`,
      restart: workers.restart,
      replaceTls(replacement) {
        localServer.replaceTls(replacement);
        const packed = packListenerTls(replacement);
        input.workerMode.changes.track(workers.askAll('replaceTls', packed, REPLACE_TLS_TIMEOUT_MS));
      },
      endKeepAlive() {
        workers.notifyAll('endKeepAlive', null);
        localServer.endKeepAlive();
      },
      async close() {
        await listener.close();
        await close();
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
  serveLocally: (socket: Socket) => void,
): Supervisor {
  const { workerMode, env, settings, clock, log } = input;
  const { adapterStats, registry } = workerMode;
  return createSupervisor({
    count: workerMode.count,
    registry,
    startProcess() {
      const stats = adapterStats.addWorker();
      const admissions = createWorkerAdmissions(input.limits.admit);
      const lease = createAuditLease(input.audit);
      const worker = startWorker(env, createMainRpc(input, { stats, admissions, lease }));
      void worker.ended.then(stats.leave).then(admissions.close).then(lease.close);
      return worker;
    },
    initialize: (worker, index) => worker.ask('initialize', workerInit(input, { index, privateSocket })),
    serveLocally,
    drainSeconds: settings.server.drainSeconds,
    scheduler: clock,
    log,
  });
}

/** Creates the input of a new worker, with the current snapshot and the tokens that are revoked by now. */
function workerInit(
  input: WorkersInput,
  { index, privateSocket }: { readonly index: number; readonly privateSocket: string },
): WorkerInit {
  const { workerMode, configPath, pluginFolder, settings, current, revokedTokens } = input;
  const tls = current.current().listenerTls?.material;
  const { local } = settings.auth;
  return {
    configPath,
    privateSocket,
    worker: index,
    log: settings.log,
    processes: workerMode.processes,
    ...(pluginFolder !== undefined && { pluginFolder }),
    release: settings.release,
    server: shareOfServer(settings.server, workerMode.count),
    tracing: plainTracing(settings.tracing),
    ...(tls && { tls: packListenerTls(tls) }),
    ...(local.enabled && { local: { ...local, users: [], clients: [] } }),
    revokedTokens: revokedTokens.all(),
    configuration: packConfiguration(current.current(), workerMode.resolved),
  };
}

/** Returns the settings of one of several workers: its share of the connections and calls, and no files with keys. */
function shareOfServer(server: ServerSettings, count: number): ServerSettings {
  const { limits, overload } = server;
  const share = (limit: number): number => Math.ceil(limit / count);
  return {
    ...server,
    tls: null,
    limits: {
      ...limits,
      connections: share(limits.connections),
      connectionsPerAddress: limits.connectionsPerAddress && share(limits.connectionsPerAddress),
    },
    overload: overload && { ...overload, calls: share(overload.calls) },
  };
}

function plainTracing({ headers, ...tracing }: TracingSettings): SerializableTracing {
  const plain = Object.entries(headers).map(([name, value]) => [name, value.reveal()] as const);
  return { ...tracing, headers: Object.fromEntries<string>(plain) };
}

/** Sends changes of this process to every worker. The returned function ends this. */
function syncWorkers({ workerMode, current, revokedTokens }: WorkersInput, workers: Supervisor): () => void {
  const { resolved, changes, cacheChanges } = workerMode;
  const cancellations = [
    current.onSwap(() => {
      const live = current.current();
      // Only after a swap: before it, the next snapshot may need values that the live snapshot does not refer to.
      resolved.keepOnly(enabledSections(live.desired));
      changes.track(workers.askAll('applySnapshot', packConfiguration(live, resolved), APPLY_TIMEOUT_MS));
    }),
    revokedTokens.onEnd((tokens) => {
      changes.track(workers.askAll('revokeTokens', tokens, REVOKE_TIMEOUT_MS));
    }),
    cacheChanges.addSender((change) => workers.askAll('applyCacheChange', change, CACHE_CHANGE_TIMEOUT_MS)),
    changes.onLostRecord(() => {
      workers.notifyAll('markAuditSuspect', null);
    }),
  ];
  return () => {
    for (const cancel of cancellations) cancel();
  };
}

/** Dependencies of the functions that workers call in the main process. */
interface MainRpcDeps {
  readonly workerMode: WorkerMode;
  readonly app: HttpApp;
  /** Counts the calls of all processes. */
  readonly limits: { readonly admit: AdmitCall };
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly reloader: Pick<ConfigReloader, 'renew'>;
  readonly audit: AuditTrail;
  readonly relay: OpenLog['relay'];
}

/** What the main process keeps of one worker. */
interface OneWorker {
  readonly stats: WorkerStats;
  readonly admissions: WorkerAdmissions;
  readonly lease: AuditLease;
}

/** Creates the functions that one worker calls in the main process. */
function createMainRpc(
  { audit, relay, app, current, reloader, workerMode }: MainRpcDeps,
  { stats, admissions, lease }: OneWorker,
): MainRpc {
  const { changes, cacheChanges } = workerMode;
  return {
    async deliverBatch({ records = [], answered = [], overloads = [], lines = [] }) {
      for (const line of lines) relay(line);
      for (const request of answered) app.measure(request);
      for (const reason of overloads) app.countOverload(reason);
      // Their room is leased.
      await Promise.all(records.map((record) => audit.append(record, 0)));
    },
    isAuditWritable: async () => audit.writable(),
    async leaseAuditRoom(bytes) {
      const isReserved = await audit.reserve(bytes);
      if (isReserved) lease.add(bytes);
      return isReserved;
    },
    logIn: (request) => logIn(request, current),
    async renew(adapter) {
      const instance = current.current().adapters.get(adapter);
      if (instance) await reloader.renew(instance);
      await changes.whenPropagated();
    },
    reportCacheChange: (change) => cacheChanges.report(change),
    report: stats.report,
    admitCall: admissions.admitCall,
    endCalls: admissions.endCalls,
  };
}

/** Logs in with the live snapshot. Returns a Problem as a value, because an RPC error has only a message. */
async function logIn(
  { password, ...identity }: LoginRequest,
  current: MainRpcDeps['current'],
): Promise<LoginResult> {
  try {
    const attempt = { ...identity, password: new Secret(password) };
    return { account: await current.lease(({ logins }) => logins.logIn(attempt)) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message: detail, extras } = error;
    return { code, detail, headers: extras.headers, outcome: extras.outcome };
  }
}
