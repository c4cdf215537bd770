import type { RequestListener } from 'node:http';
import { hostname } from 'node:os';
import { createCallTally } from './apps/deprecations/call-tally.js';
import type { HealthDeps, ServiceProbe } from './apps/health/deps.js';
import { createLadder, openStreamDoor } from './call-doors.js';
import { componentFacts } from './abilities/component-facts.js';
import { createApiDescription } from './abilities/describe-api.js';
import type { AuditTrail } from './domain/audit-trail.js';
import type { EndedTokens } from './auth/ended-tokens.js';
import { componentsOf } from './abilities/components.js';
import type { SchemaJudge } from './domain/caller-schema.js';
import type { Clock, Scheduler } from './domain/clock.js';
import type { Log } from './domain/log.js';
import type { MeasureRequest, Metric } from './domain/metric.js';
import type { Observation } from './domain/observation.js';
import type { LeaseAdapter } from './domain/snapshot.js';
import type { Redact, Redactor } from './domain/redactor.js';
import type { TokenDesk } from './domain/session.js';
import type { Settings } from './domain/settings.js';
import type { Tracer } from './domain/trace.js';
import { createApp } from './http/express-app.js';
import { createHotDoor } from './http/hot-door.js';
import { openOverload } from './http/overload/open-overload.js';
import { createShed, type Shed } from './http/overload/shed.js';
import type { Overload } from './http/overload/watch-overload.js';
import { createPipeline } from './http/pipeline.js';
import { createRefuse } from './http/send.js';
import { openSite, type Site } from './http/site.js';
import type { StreamDoor } from './http/stream-door.js';
import { compileSchema } from './json-schema/compile.js';
import type { KeptCurrent } from './keep-current.js';
import { formsOf } from './abilities/forms-of.js';
import { exposeMetrics } from './abilities/expose-metrics.js';
import { createRequestMeter, type RequestMeter } from './metrics/request-meter.js';
import { machineFacts, processUsage, runtimeFacts } from './abilities/machine.js';
import { openObservation } from './abilities/console/open-observation.js';
import { createPause } from './abilities/pause.js';
import type { FindLines } from './domain/log-lines.js';
import type { Preparation } from './prepare.js';
import { bindOperations, type OperationDeps } from './operations.js';
import type { Sealing } from './runtime/adapter-directory.js';
import type { OpenYang } from './abilities/open-yang.js';
import { profilesOf } from './abilities/profiles-of.js';
import type { Current } from './runtime/current.js';
import { createLeaseAdapter } from './runtime/lease-adapter.js';
import type { LiveSnapshot } from './runtime/live-snapshot.js';
import { outputsOf } from './log/outputs-of.js';
import type { Plugins } from './runtime/plugins.js';
import type { Rooms } from './runtime/rooms.js';
import { schemasOf } from './abilities/schemas.js';
import type { SecretSource } from './secrets/resolve.js';
import { serverIdOf } from './abilities/server-id.js';
import type { Tellers } from './abilities/telemetry-metrics.js';
import { rarely } from './abilities/service-probes.js';
import type { Store } from './storage/store.js';
import { DEPENDENCIES, VERSION } from './version.js';
import { loginDeps } from './abilities/who-calls.js';
import { yangFromAdapters } from './abilities/yang-from-adapters.js';

export interface DoorsInput extends Tellers {
  readonly settings: Settings;
  readonly plugins: Plugins;
  readonly current: Current<LiveSnapshot>;
  readonly secrets: Pick<SecretSource, 'status' | 'traffic' | 'refresh' | 'inUse' | 'resolve' | 'onChange'>;
  readonly reloading: Omit<KeptCurrent, 'close'>;
  readonly combine: Preparation['combine'];
  readonly store: Store;
  readonly rooms: Rooms;
  readonly sealing: Sealing;
  readonly judge: SchemaJudge;
  readonly yang: OpenYang;
  readonly audit: AuditTrail;
  /** Tokens that callers put away. */
  readonly ended: EndedTokens;
  /** The other processes of this server. */
  readonly workers: { readonly metrics: () => readonly Metric[] };
  /** Resolves when the other processes of this server have heard of all that has changed so far. */
  readonly heardOf: () => Promise<void>;
  /** Folder of the built pages. */
  readonly pageFolder: string;
  /** Absent without a built-in issuer. */
  readonly tokens?: TokenDesk;
  readonly log: Log;
  readonly clock: Scheduler;
  readonly tracer: Tracer;
  /** Takes secrets out of what failures tell. */
  readonly redact: Redact;
  readonly redactor: Pick<Redactor, 'add'>;
  /** Finds lines among the latest of the log. */
  readonly lines: FindLines;
}

/** What a server serves: every operation, and what it has to be told. */
export interface Doors {
  readonly handler: RequestListener;
  readonly shed: Shed;
  readonly mayUpgrade: StreamDoor['isFor'];
  /** Counts a request that another process of this server has answered. */
  readonly measure: MeasureRequest;
  /** Counts a request that another process of this server has turned away. */
  readonly noteTurnedAway: Overload['note'];
  /** Ends what listeners hear: they would hold up the end of the server. */
  readonly close: () => void;
}

/** Makes the doors of every operation. */
export function createDoors(input: DoorsInput): Doors {
  const { settings, current, reloading, clock } = input;
  const meter = createRequestMeter((id) => current.peek().adapters.has(id));
  const overload = openOverload(settings.server.overload, input.log);
  const services = servicesOf(input);
  const health = healthOf(input, services);
  const profiles = profilesOf(input);
  const observed = openObservation({ ...input, services, health, openProfile: profiles.openProfile });
  const measure: MeasureRequest = (answered) => {
    meter.measure(answered);
    observed.note(answered);
  };
  const ladder = createLadder(input, measure);
  const bodyBytes = settings.server.limits.bodyBytes;
  const serve = createPipeline({ ...ladder, compile: compileSchema, bodyBytes });
  const leaseAdapter = createLeaseAdapter({ current, scheduler: clock });
  const { observation } = observed;
  const parts = { observation, health, profiles, meter, overload, services, leaseAdapter };
  const operations = bindOperations(dependencies(input, parts));
  const hot = createHotDoor(operations, serve);
  const app = createApp({ operations, serve, refuse: createRefuse(ladder), ...siteOf(input) });
  const streams = openStreamDoor(input, ladder, { leaseAdapter, renew: reloading.renew });
  const handler: RequestListener = (req, res) => {
    if (hot({ req, res })) return;
    if (streams.isFor(req)) void streams.serve({ req, res });
    else app(req, res);
  };
  return {
    ...{ handler, shed: createShed(ladder, overload, operations), mayUpgrade: streams.isFor },
    ...{ measure, noteTurnedAway: overload.note },
    close: () => {
      observed.close();
      overload.close();
    },
  };
}

interface Parts {
  readonly observation: Observation;
  readonly health: ReturnType<typeof healthOf>;
  readonly profiles: ReturnType<typeof profilesOf>;
  readonly meter: RequestMeter;
  readonly overload: Pick<Overload, 'metric'>;
  readonly services: readonly ServiceProbe[];
  readonly leaseAdapter: LeaseAdapter;
}

/** What all operations work with. */
function dependencies(
  input: DoorsInput,
  { observation, health, profiles, meter, overload, services, leaseAdapter }: Parts,
): OperationDeps {
  const { settings, current, secrets, reloading, judge, yang, audit, log, clock } = input;
  const deprecatedCalls = createCallTally({ clock, log });
  return {
    lease: current.lease,
    leaseAdapter,
    renew: reloading.renew,
    ...loginDeps(input),
    secrets: { status: secrets.status, refreshNow: notTooOften(clock, secrets.refresh) },
    ...formsOf(input),
    judge,
    yang: yangFromAdapters(yang, { leaseAdapter, renew: reloading.renew, scheduler: clock }),
    compile: compileSchema,
    ...componentsOf(input),
    ...profiles,
    observation,
    findAudit: audit.find,
    metrics: () => exposeMetrics({ ...input, services, meter, overload, deprecatedCalls }),
    release: settings.release,
    deprecatedCalls,
    sessions: async () => (await input.tokens?.sessions()) ?? [],
    reread: reloading.reload,
    version: VERSION,
    ...health,
    ...schemasOf(input),
    describeApi: createApiDescription(() => current.peek().roles, settings.release),
  };
}

function healthOf(input: DoorsInput, services: readonly ServiceProbe[]): Omit<HealthDeps, 'lease'> {
  const { settings, plugins, current, clock } = input;
  return {
    services,
    now: () => clock.now(),
    host: hostname(),
    serverId: serverIdOf(hostname(), settings.storage.url),
    product: {
      version: VERSION,
      release: settings.release,
      dependencies: DEPENDENCIES,
      since: clock.now(),
    },
    ...componentFacts({ current, plugins, outputs: outputsOf(settings.log) }),
    usage: processUsage,
    runtime: runtimeFacts,
    machine: machineFacts,
  };
}

function siteOf({ settings, pageFolder }: DoorsInput): { readonly site?: Site } {
  return settings.console.enabled ? { site: openSite(pageFolder) } : {};
}

function servicesOf({ settings, store, secrets, reloading, clock }: DoorsInput): readonly ServiceProbe[] {
  const probe = (service: string, isRunning: () => boolean): ServiceProbe => ({
    service,
    running: () => Promise.resolve(isRunning()),
  });
  return [
    { service: 'store', running: rarely(clock, () => store.recentAudit(1)) },
    probe('configuration', reloading.isUpToDate),
    ...(settings.vault ? [probe('vault', () => secrets.status().state === 'running')] : []),
  ];
}

/** Pause between two refreshes that somebody asks for, in milliseconds: each is a read of every secret. */
const REFRESH_PAUSE_MS = 10_000;

/** Reads every secret and resolves to 0; or does not, and resolves to the milliseconds until it would. */
function notTooOften(clock: Clock, refresh: () => Promise<void>): () => Promise<number> {
  const mayGo = createPause(clock, REFRESH_PAUSE_MS);
  return async () => {
    const waitMs = mayGo();
    if (waitMs === 0) await refresh();
    return waitMs;
  };
}
