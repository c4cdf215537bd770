import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { orchestratorManager } from '../api/orchestrator/index.js';
import { createRevokedTokens } from '../auth/revoked-tokens.js';
import { createPipelineDeps, openProxyHandler, type UpstreamAccess } from './pipeline-deps.js';
import { systemScheduler as clock } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import { bindApplication } from '../core/operation.js';
import type { Redactor } from '../core/redactor.js';
import { Secret } from '../core/secret.js';
import type { RevokedToken } from '../core/session.js';
import type { TracingSettings } from '../core/tracing-settings.js';
import type { AdapterInstance } from '../core/snapshot.js';
import { type ForwardToPrimary, createForwarder } from '../http/forward-to-primary.js';
import { createFastRouter, type FastRouter } from '../http/fast-router.js';
import { createPipeline } from '../http/pipeline.js';
import { openOverload } from '../http/overload/open-overload.js';
import { createLoadShedder } from '../http/overload/load-shedder.js';
import { openServer } from '../http/server.js';
import type { ProxyHandler } from '../http/proxy-handler.js';
import { compileSchema } from '../json-schema/compile.js';
import { openRelayedLog } from '../telemetry/log/open-log.js';
import { createRedactor } from '../telemetry/log/redactor.js';
import { describeServed } from '../api/index.js';
import { createConfigLoader } from './config-loader.js';
import type { SnapshotHolder } from './reload/snapshot-holder.js';
import { createLeaseAdapter } from './reload/lease-adapter.js';
import type { ActiveSnapshot } from './reload/active-snapshot.js';
import type { Plugins } from '../adapters/plugins.js';
import type { PackedConfiguration } from './cluster/configuration.js';
import type { RpcChannel } from './cluster/rpc.js';
import type { WorkerInit, MainRpc, SerializableTracing } from './cluster/protocol.js';
import { createIpcBuffer } from './cluster/ipc-buffer.js';
import { concerns, whole } from './cluster/concurrency-share.js';
import { type Report, adapterStatsOf } from './cluster/adapter-stats.js';
import { openProcessStats, type ProcessStats } from './cluster/process-stats.js';
import { openTracing, type Tracing } from './open-tracing.js';
import { openWorkerRooms } from './cluster/worker-factories.js';
import { openWorkerSnapshots } from './cluster/worker-snapshots.js';

/** A call worker that serves. */
export interface CallServer {
  /** Serves a connection that the main process has accepted. */
  readonly take: (socket: Socket) => void;
  readonly applySnapshot: (configuration: PackedConfiguration) => Promise<void>;
  readonly endTokens: (tokens: readonly RevokedToken[]) => void;
  readonly markAuditSuspect: () => void;
  readonly vitals: () => ProcessStats;
  /** Logs an error that nobody caught. */
  readonly logUncaught: (error: unknown) => void;
  /** Resolves when each connection has ended with an answer, or has had its time. */
  readonly retire: () => Promise<void>;
  /** Resolves when running calls have ended, and the main process knows all that there is to tell. */
  readonly close: () => Promise<void>;
}

/** How often the main process is told how things stand, in milliseconds. */
const REPORT_MS = 1_000;

/**
 * Wires the rooms together for calls to orchestrators alone. Whatever else is asked for is handed on to the main process,
 * which also reads secrets, keeps the audit trail, writes the log and counts.
 */
export async function openCallWorker(beginning: WorkerInit, link: RpcChannel<MainRpc>): Promise<CallServer> {
  const { server: settings, tls, processes, release } = beginning;
  const redactor = createRedactor(clock);
  const outbox = createIpcBuffer(link);
  const { log, setLevels } = openRelayedLog(beginning.log, { relay: outbox.line, redactor });
  const tracing = await openTraces(beginning, { redactor, log });
  const { tracer } = tracing;
  const ended = createRevokedTokens(clock);
  ended.add(beginning.ended);
  const plugins = await findPlugins(beginning);
  const rooms = await openWorkerRooms({ init: beginning, link, log, redactor, ended, tracer });
  const deps = { plugins, compile: compileSchema, rooms, log, redactor, setLevels };
  const { current, applySnapshot: takeUp, close } = await openWorkerSnapshots(beginning.configuration, deps);
  const wayOut = {
    leaseAdapter: createLeaseAdapter({ current, scheduler: clock }),
    renew: createRenew(current, link),
  };
  const ladderInput = { current, audit: outbox.audit, log, clock, tracer, redact: redactor.redact };
  const ladder = createPipelineDeps(ladderInput, outbox.answered);
  const serve = createPipeline({ ...ladder, compile: compileSchema, bodyBytes: settings.limits.bodyBytes });
  const hot = createFastRouter(bindApplication(orchestratorManager, wayOut), serve);
  const streams = openProxyHandler(ladderInput, ladder, wayOut);
  const handOn = createForwarder(beginning.privateSocket);
  const isForMain = createIsForMain(current, processes);
  const handler = createHandler({ isForMain, hot, streams, handOn });
  const overload = openOverload(settings.overload, log);
  // The main process counts, and tells of it.
  const strains = { ...overload, note: outbox.turnedAway };
  const shed = createLoadShedder(ladder, strains, describeServed(release));
  const server = openServer({
    settings,
    handler,
    shed,
    mayUpgrade: streams.isFor,
    log,
    tracer,
    ...(tls && { tls: { ...tls, key: new Secret(tls.key) } }),
  });
  const vitals = openProcessStats();
  const endReports = reportPeriodically(link, () => ({
    standings: adapterStatsOf(current.current()),
    spans: tracing.spanCounts(),
  }));
  return {
    take: server.take,
    applySnapshot: takeUp,
    endTokens: ended.add,
    markAuditSuspect: outbox.markAuditSuspect,
    vitals: vitals.read,
    logUncaught: (error) => {
      log.error('an error that nobody caught; the worker goes on', { error });
    },
    retire: server.retire,
    async close() {
      await server.close();
      handOn.close();
      overload.close();
      await close();
      vitals.close();
      await tracing.close();
      await endReports();
      await outbox.flush();
    },
  };
}

/** Tells the main process each second how things stand; the result tells it once more, and ends that. */
function reportPeriodically(link: RpcChannel<MainRpc>, report: () => Report): () => Promise<void> {
  const telling = setInterval(() => {
    link.notify('note', report());
  }, REPORT_MS);
  return async () => {
    clearInterval(telling);
    await link.ask('note', report()).catch(() => undefined);
  };
}

async function findPlugins({ configPath, pluginFolder }: WorkerInit): Promise<Plugins> {
  const own = pluginFolder === undefined ? {} : { pluginFolder };
  return (await createConfigLoader({ configPath, env: {}, ...own })).plugins;
}

interface WorkerRoutes {
  readonly isForMain: (url: string) => boolean;
  readonly hot: FastRouter;
  readonly streams: ProxyHandler;
  readonly handOn: ForwardToPrimary;
}

function createHandler({ isForMain, hot, streams, handOn }: WorkerRoutes): RequestListener {
  return (req, res) => {
    const exchange = { req, res };
    if (isForMain(req.url ?? '') && req.headers.upgrade === undefined) handOn.serve(exchange);
    else if (hot(exchange)) return;
    else if (streams.isFor(req)) void streams.serve(exchange);
    else handOn.serve(exchange);
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

/** After a refusal the main process reads the secrets anew; whoever asks late finds another instance already. */
function createRenew(
  current: SnapshotHolder<ActiveSnapshot>,
  link: RpcChannel<MainRpc>,
): UpstreamAccess['renew'] {
  return async (refused: AdapterInstance) => {
    const isReplaced = (): boolean => current.current().adapters.get(refused.id) !== refused;
    if (!isReplaced()) await link.ask('renew', refused.id).catch(() => undefined);
    return isReplaced();
  };
}

/** Tells what one process alone has to serve: calls to adapters whose places cannot be divided. */
function createIsForMain(
  current: SnapshotHolder<ActiveSnapshot>,
  processes: number,
): (url: string) => boolean {
  let few = whole(current.current(), processes);
  current.onSwap(() => {
    few = whole(current.current(), processes);
  });
  return (url) => concerns(url, few);
}
