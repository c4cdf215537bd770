import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Plugins } from '../adapters/plugins.js';
import { createRevokedTokens } from '../auth/revoked-tokens.js';
import type { Log } from '../core/log.js';
import { bindApplication } from '../core/operation.js';
import { type Redactor, Secret } from '../core/secret.js';
import type { RevokedToken } from '../core/session.js';
import type { AdapterInstance } from '../core/snapshot.js';
import { type CacheChanges, createCacheChanges } from '../features/cache/cache-changes.js';
import { createRemoteAdmission } from '../features/limits/worker-admissions.js';
import { describeServed } from '../features/operations.js';
import type { OrchestratorManagerDeps } from '../features/orchestrator/execute-call.js';
import { createLeaseAdapter } from '../features/orchestrator/lease-adapter.js';
import { orchestratorManager } from '../features/orchestrator/operations.js';
import type { FastRouter } from '../http/fast-router.js';
import { type ForwardToPrimary, createForwarder } from '../http/forward-to-primary.js';
import { createLoadShedder } from '../http/overload/load-shedder.js';
import { openOverload } from '../http/overload/overload-detector.js';
import type { ProxyHandler } from '../http/proxy-handler.js';
import { type HttpServer, openServer } from '../http/server.js';
import { compileSchema } from '../json-schema/compile.js';
import { systemScheduler as clock } from '../lib/clock.js';
import type { TracingSettings } from '../settings/otlp.js';
import { openRelayedLog } from '../telemetry/log/open-log.js';
import { createRedactor } from '../telemetry/log/redactor.js';
import { createCallRoutes } from './call-routes.js';
import type { PackedConfiguration } from './cluster/configuration.js';
import { createIpcBuffer } from './cluster/ipc-buffer.js';
import { unpackListenerTls } from './cluster/pack-listener-tls.js';
import type { WorkerInit, MainRpc, SerializableTracing } from './cluster/protocol.js';
import type { RpcChannel } from './cluster/rpc.js';
import { createIsForMain, openWorkerFactories } from './cluster/worker-factories.js';
import { openWorkerSnapshots } from './cluster/worker-snapshots.js';
import { adapterStatsOf, openProcessStats, type ProcessStats } from './cluster/worker-stats.js';
import { createConfigLoader } from './config-loader.js';
import { openTracing, type Tracing } from './open-telemetry.js';
import type { ActiveSnapshot } from './state/snapshot.js';
import type { SnapshotHolder } from './state/swap.js';

/** A call worker that serves calls. */
export interface CallServer {
  /** Serves a connection that the main process has accepted. */
  readonly acceptSocket: (socket: Socket) => void;
  readonly applySnapshot: (configuration: PackedConfiguration) => Promise<void>;
  readonly revokeTokens: (tokens: readonly RevokedToken[]) => void;
  readonly applyCacheChange: CacheChanges['apply'];
  readonly replaceTls: HttpServer['replaceTls'];
  readonly markAuditSuspect: () => void;
  readonly readStats: () => ProcessStats;
  /** Logs an error that reached the process uncaught. */
  readonly logUncaught: (error: unknown) => void;
  /** Ends each connection with its next response, while new connections are still accepted. */
  readonly endKeepAlive: () => void;
  /** Ends the connections gracefully. Resolves when every connection has ended or its time limit has passed. */
  readonly retire: () => Promise<void>;
  /** Resolves when running calls have ended and the main process has received the remaining records and reports. */
  readonly close: () => Promise<void>;
}

/** Interval of the reports to the main process, in milliseconds. */
const REPORT_INTERVAL_MS = 1_000;

/**
 * Opens a call worker. It has the same call routes as the main process, and RPC clients in place of Vault, store, audit
 * trail and log. All other requests are forwarded to the main process.
 */
export async function openCallWorker(init: WorkerInit, rpc: RpcChannel<MainRpc>): Promise<CallServer> {
  const { server: settings, tls, processes, release } = init;

  // 1. Log, traces and audit records, which the main process writes.
  const redactor = createRedactor(clock);
  const buffer = createIpcBuffer(rpc);
  const fields = { worker: init.worker, pid: process.pid };
  const { log, setLevels } = openRelayedLog(init.log, { relay: buffer.writeLine, redactor, fields });
  const tracing = await openTraces(init, { redactor, log });
  const { tracer } = tracing;

  // 2. Revoked tokens and adapters. The main process sends each new snapshot.
  const revokedTokens = createRevokedTokens(clock);
  revokedTokens.add(init.revokedTokens);
  const plugins = await findPlugins(init);
  const changes = createCacheChanges();
  changes.addSender((change) => rpc.ask('reportCacheChange', change));
  const factories = await openWorkerFactories({ init, rpc, log, redactor, revokedTokens, tracer, changes });
  const deps = { plugins, compile: compileSchema, factories, log, redactor, setLevels };
  const snapshots = await openWorkerSnapshots(init.configuration, deps);
  const { current } = snapshots;

  // 3. Routes.
  const access = {
    leaseAdapter: createLeaseAdapter({ current, scheduler: clock }),
    renew: createRenew(current, rpc),
  };
  const { fast, proxy, pipelineDeps } = createCallRoutes({
    current,
    audit: buffer.audit,
    log,
    clock,
    tracer,
    redact: redactor.redact,
    measure: buffer.countAnswered,
    admit: createRemoteAdmission(() => current.current().limits, rpc),
    bodyBytes: settings.limits.bodyBytes,
    bodyValues: settings.limits.bodyValues,
    operations: bindApplication(orchestratorManager, access),
    access,
  });
  const forwarder = createForwarder(init.privateSocket);
  const handler = createHandler({ isForMain: createIsForMain(current, processes), fast, proxy, forwarder });

  // 4. HTTP. The main process counts and logs the requests that this process refuses under overload.
  const overload = openOverload(settings.overload, log);
  const counted = { ...overload, note: buffer.countOverload };
  const shed = createLoadShedder(pipelineDeps, counted, describeServed(release));
  const material = tls && { tls: unpackListenerTls(tls) };
  const server = openServer({ settings, handler, shed, mayUpgrade: proxy.isFor, log, tracer, ...material });
  const stats = openProcessStats();
  const endReports = reportPeriodically(rpc, () => ({
    adapterStats: adapterStatsOf(current.current()),
    spans: tracing.spanCounts(),
  }));
  return {
    acceptSocket: server.take,
    applySnapshot: snapshots.applySnapshot,
    revokeTokens: revokedTokens.add,
    applyCacheChange: changes.apply,
    replaceTls: server.replaceTls,
    markAuditSuspect: buffer.markAuditSuspect,
    readStats: stats.read,
    logUncaught: (error) => {
      log.error('uncaught error; the worker continues', { error });
    },
    endKeepAlive: server.endKeepAlive,
    retire: server.retire,
    async close() {
      await server.close();
      forwarder.close();
      overload.close();
      await snapshots.close();
      stats.close();
      await tracing.close();
      await endReports();
      await buffer.flush();
    },
  };
}

/** Reports to the main process every second. The returned function ends the reports and sends a last one. */
function reportPeriodically(
  rpc: RpcChannel<MainRpc>,
  report: () => Parameters<MainRpc['report']>[0],
): () => Promise<void> {
  const timer = setInterval(() => {
    rpc.notify('report', report());
  }, REPORT_INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await rpc.ask('report', report()).catch(() => undefined);
  };
}

async function findPlugins({ configPath, pluginFolder }: WorkerInit): Promise<Plugins> {
  const folder = pluginFolder === undefined ? {} : { pluginFolder };
  return (await createConfigLoader({ configPath, env: {}, ...folder })).plugins;
}

interface WorkerRoutes {
  readonly isForMain: (url: string) => boolean;
  readonly fast: FastRouter;
  readonly proxy: ProxyHandler;
  readonly forwarder: ForwardToPrimary;
}

function createHandler({ isForMain, fast, proxy, forwarder }: WorkerRoutes): RequestListener {
  return (req, res) => {
    const exchange = { req, res };
    if (isForMain(req.url ?? '') && req.headers.upgrade === undefined) forwarder.serve(exchange);
    else if (fast(exchange)) return;
    else if (proxy.isFor(req)) void proxy.serve(exchange);
    else forwarder.serve(exchange);
  };
}

async function openTraces(
  { tracing }: WorkerInit,
  deps: { readonly redactor: Redactor; readonly log: Log },
): Promise<Tracing> {
  const opened = openTracing(deps);
  await opened.exportSpans(asTracing(tracing));
  return opened;
}

function asTracing({ headers, ...tracing }: SerializableTracing): TracingSettings {
  const secret = Object.entries(headers).map(([name, value]) => [name, new Secret(value)] as const);
  return { ...tracing, headers: Object.fromEntries<Secret>(secret) };
}

/** Creates the renewal of refused credentials, by the main process. It returns true if another instance is live. */
function createRenew(
  current: SnapshotHolder<ActiveSnapshot>,
  rpc: RpcChannel<MainRpc>,
): OrchestratorManagerDeps['renew'] {
  return async (refused: AdapterInstance) => {
    const isReplaced = (): boolean => current.current().adapters.get(refused.id) !== refused;
    if (!isReplaced()) await rpc.ask('renew', refused.id).catch(() => undefined);
    return isReplaced();
  };
}
