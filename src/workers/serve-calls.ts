import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { orchestratorManager } from '../apps/orchestrator-manager/index.js';
import { createEndedTokens } from '../auth/ended-tokens.js';
import { createLadder, openStreamDoor, type WayOut } from '../call-doors.js';
import { systemScheduler as clock } from '../domain/clock.js';
import type { Log } from '../domain/log.js';
import { bindApplication } from '../domain/operation.js';
import type { Redactor } from '../domain/redactor.js';
import { Secret } from '../domain/secret.js';
import type { EndedToken } from '../domain/session.js';
import type { TracingSettings } from '../domain/tracing-settings.js';
import type { AdapterInstance } from '../domain/snapshot.js';
import { type HandOn, openHandOn } from '../http/hand-on.js';
import { createHotDoor, type HotDoor } from '../http/hot-door.js';
import { createPipeline } from '../http/pipeline.js';
import { openOverload } from '../http/overload/open-overload.js';
import { createShed } from '../http/overload/shed.js';
import { openServer } from '../http/server.js';
import type { StreamDoor } from '../http/stream-door.js';
import { compileSchema } from '../json-schema/compile.js';
import { openRelayedLog } from '../log/open-log.js';
import { createRedactor } from '../log/redactor.js';
import { describeServed } from '../operations.js';
import { prepare } from '../prepare.js';
import type { Current } from '../runtime/current.js';
import { createLeaseAdapter } from '../runtime/lease-adapter.js';
import type { LiveSnapshot } from '../runtime/live-snapshot.js';
import type { Plugins } from '../runtime/plugins.js';
import type { PackedConfiguration } from './configuration.js';
import type { Link } from './link.js';
import type { Beginning, MainOffers, PlainTracing } from './messages.js';
import { createOutbox } from './outbox.js';
import { mayConcern, undivided } from './places.js';
import { type Report, standingsOf } from './standings.js';
import { openVitals, type Vitals } from './vitals.js';
import { openTracing, type Tracing } from '../tracing.js';
import { openWorkerRooms } from './worker-rooms.js';
import { openWorkerSnapshots } from './worker-snapshots.js';

/** A call worker that serves. */
export interface CallServer {
  /** Serves a connection that the main process has accepted. */
  readonly take: (socket: Socket) => void;
  readonly takeUp: (configuration: PackedConfiguration) => Promise<void>;
  readonly endTokens: (tokens: readonly EndedToken[]) => void;
  readonly doubtAudit: () => void;
  readonly vitals: () => Vitals;
  /** Logs an error that nobody caught. */
  readonly reportStray: (error: unknown) => void;
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
export async function serveCalls(beginning: Beginning, link: Link<MainOffers>): Promise<CallServer> {
  const { server: settings, tls, processes, release } = beginning;
  const redactor = createRedactor(clock);
  const outbox = createOutbox(link);
  const { log, setLevels } = openRelayedLog(beginning.log, { relay: outbox.line, redactor });
  const tracing = await openTraces(beginning, { redactor, log });
  const { tracer } = tracing;
  const ended = createEndedTokens(clock);
  ended.add(beginning.ended);
  const plugins = await findPlugins(beginning);
  const rooms = await openWorkerRooms({ beginning, link, log, redactor, ended, tracer });
  const deps = { plugins, compile: compileSchema, rooms, log, redactor, setLevels };
  const { current, takeUp, close } = await openWorkerSnapshots(beginning.configuration, deps);
  const wayOut = {
    leaseAdapter: createLeaseAdapter({ current, scheduler: clock }),
    renew: createRenew(current, link),
  };
  const ladderInput = { current, audit: outbox.audit, log, clock, tracer, redact: redactor.redact };
  const ladder = createLadder(ladderInput, outbox.answered);
  const serve = createPipeline({ ...ladder, compile: compileSchema, bodyBytes: settings.limits.bodyBytes });
  const hot = createHotDoor(bindApplication(orchestratorManager, wayOut), serve);
  const streams = openStreamDoor(ladderInput, ladder, wayOut);
  const handOn = openHandOn(beginning.privateSocket);
  const isForMain = createIsForMain(current, processes);
  const handler = createHandler({ isForMain, hot, streams, handOn });
  const overload = openOverload(settings.overload, log);
  // The main process counts, and tells of it.
  const strains = { ...overload, note: outbox.turnedAway };
  const shed = createShed(ladder, strains, describeServed(release));
  const server = openServer({
    ...{ settings, handler, shed, mayUpgrade: streams.isFor, log, tracer },
    ...(tls && { tls: { ...tls, key: new Secret(tls.key) } }),
  });
  const vitals = openVitals();
  const endReports = keepReporting(link, () => ({
    standings: standingsOf(current.peek()),
    spans: tracing.spanCounts(),
  }));
  return {
    take: server.take,
    takeUp,
    endTokens: ended.add,
    doubtAudit: outbox.doubtAudit,
    vitals: vitals.read,
    reportStray: (error) => {
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
function keepReporting(link: Link<MainOffers>, report: () => Report): () => Promise<void> {
  const telling = setInterval(() => {
    link.tell('note', report());
  }, REPORT_MS);
  return async () => {
    clearInterval(telling);
    await link.ask('note', report()).catch(() => undefined);
  };
}

async function findPlugins({ configPath, pluginFolder }: Beginning): Promise<Plugins> {
  const own = pluginFolder === undefined ? {} : { pluginFolder };
  return (await prepare({ configPath, env: {}, ...own })).plugins;
}

interface Ways {
  readonly isForMain: (url: string) => boolean;
  readonly hot: HotDoor;
  readonly streams: StreamDoor;
  readonly handOn: HandOn;
}

function createHandler({ isForMain, hot, streams, handOn }: Ways): RequestListener {
  return (req, res) => {
    const exchange = { req, res };
    if (isForMain(req.url ?? '') && req.headers.upgrade === undefined) handOn.serve(exchange);
    else if (hot(exchange)) return;
    else if (streams.isFor(req)) void streams.serve(exchange);
    else handOn.serve(exchange);
  };
}

async function openTraces(
  { tracing }: Beginning,
  deps: { readonly redactor: Redactor; readonly log: Log },
): Promise<Tracing> {
  const opened = openTracing(deps);
  await opened.exportSpans(asTracing(tracing));
  return opened;
}

function asTracing({ headers, ...tracing }: PlainTracing): TracingSettings {
  const secret = Object.entries(headers).map(([name, value]) => [name, new Secret(value)] as const);
  return { ...tracing, headers: Object.fromEntries<Secret>(secret) };
}

/** After a refusal the main process reads the secrets anew; whoever asks late finds another instance already. */
function createRenew(current: Current<LiveSnapshot>, link: Link<MainOffers>): WayOut['renew'] {
  return async (refused: AdapterInstance) => {
    const isReplaced = (): boolean => current.peek().adapters.get(refused.id) !== refused;
    if (!isReplaced()) await link.ask('renew', refused.id).catch(() => undefined);
    return isReplaced();
  };
}

/** Tells what one process alone has to serve: calls to adapters whose places cannot be divided. */
function createIsForMain(current: Current<LiveSnapshot>, processes: number): (url: string) => boolean {
  let few = undivided(current.peek(), processes);
  current.onSwap(() => {
    few = undivided(current.peek(), processes);
  });
  return (url) => mayConcern(url, few);
}
