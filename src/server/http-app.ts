import type { RequestListener } from 'node:http';
import { hostname } from 'node:os';
import { createCallTally } from '../api/legacy/call-counter.js';
import type { HealthDeps, ServiceProbe } from '../api/health/deps.js';
import { createPipelineDeps, openProxyHandler } from './pipeline-deps.js';
import { componentFacts } from '../api/services/component-info.js';
import { createApiDescription } from '../api/services/api-description.js';
import type { AuditTrail } from '../core/audit-trail.js';
import type { RevokedTokens } from '../auth/revoked-tokens.js';
import { componentsOf } from '../api/services/components.js';
import type { SchemaValidator } from '../core/schema-validator.js';
import type { Clock, Scheduler } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import type { MeasureRequest, Metric } from '../core/metric.js';
import type { Monitoring } from '../core/monitoring.js';
import type { LeaseAdapter } from '../core/snapshot.js';
import type { Redact, Redactor } from '../core/redactor.js';
import type { TokenIssuer } from '../core/session.js';
import type { Settings } from '../core/settings.js';
import type { Tracer } from '../core/trace.js';
import { createApp } from '../http/express-app.js';
import { createFastRouter } from '../http/fast-router.js';
import { openOverload } from '../http/overload/open-overload.js';
import { createLoadShedder, type LoadShedder } from '../http/overload/load-shedder.js';
import type { Overload } from '../http/overload/overload-detector.js';
import { createPipeline } from '../http/pipeline.js';
import { createRefuse } from '../http/write-response.js';
import { createStaticFiles, type StaticFiles } from '../http/static-files.js';
import type { ProxyHandler } from '../http/proxy-handler.js';
import { compileSchema } from '../json-schema/compile.js';
import type { ConfigReloader } from './reload/config-reloader.js';
import { formsOf } from '../api/services/forms.js';
import { exposeMetrics } from '../api/services/exposed-metrics.js';
import { createRequestMeter, type RequestMeter } from '../telemetry/metrics/request-meter.js';
import { machineFacts, processUsage, runtimeFacts } from '../api/services/machine-info.js';
import { openMonitoring } from '../api/services/monitoring/monitoring.js';
import { createCooldown } from '../core/lib/cooldown.js';
import type { FindLines } from '../core/log-lines.js';
import type { ConfigLoader } from './config-loader.js';
import { bindOperations, type ApiDeps } from '../api/index.js';
import type { SecretStorage } from './reload/adapter-directory.js';
import type { OpenYang } from '../api/services/yang.js';
import { profilesOf } from '../api/services/profiles.js';
import type { SnapshotHolder } from './reload/snapshot-holder.js';
import { createLeaseAdapter } from './reload/lease-adapter.js';
import type { ActiveSnapshot } from './reload/active-snapshot.js';
import { outputsOf } from '../telemetry/log/outputs-of.js';
import type { Plugins } from '../adapters/plugins.js';
import type { AdapterFactories } from '../adapters/factories.js';
import { schemasOf } from '../api/services/schemas.js';
import type { SecretSource } from '../vault/open-secrets.js';
import { serverIdOf } from '../api/services/server-id.js';
import type { StatsSources } from '../api/services/telemetry-metrics.js';
import { cachedFor } from '../api/services/dependencies.js';
import type { Store } from '../storage/store.js';
import { DEPENDENCIES, VERSION } from './version.js';
import { loginDeps } from '../api/services/authentication.js';
import { yangFromAdapters } from '../api/services/yang-from-adapters.js';

export interface HttpAppDeps extends StatsSources {
  readonly settings: Settings;
  readonly plugins: Plugins;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: Pick<SecretSource, 'status' | 'traffic' | 'refresh' | 'inUse' | 'resolve' | 'onChange'>;
  readonly reloading: Omit<ConfigReloader, 'close'>;
  readonly combine: ConfigLoader['combine'];
  readonly store: Store;
  readonly rooms: AdapterFactories;
  readonly sealing: SecretStorage;
  readonly judge: SchemaValidator;
  readonly yang: OpenYang;
  readonly audit: AuditTrail;
  /** Tokens that callers put away. */
  readonly ended: RevokedTokens;
  /** The other processes of this server. */
  readonly workers: { readonly metrics: () => readonly Metric[] };
  /** Resolves when the other processes of this server have heard of all that has changed so far. */
  readonly whenPropagated: () => Promise<void>;
  /** Folder of the built pages. */
  readonly pageFolder: string;
  /** Absent without a built-in issuer. */
  readonly tokens?: TokenIssuer;
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
export interface HttpApp {
  readonly handler: RequestListener;
  readonly shed: LoadShedder;
  readonly mayUpgrade: ProxyHandler['isFor'];
  /** Counts a request that another process of this server has answered. */
  readonly measure: MeasureRequest;
  /** Counts a request that another process of this server has turned away. */
  readonly noteTurnedAway: Overload['note'];
  /** Ends what listeners hear: they would hold up the end of the server. */
  readonly close: () => void;
}

/** Makes the doors of every operation. */
export function createHttpApp(input: HttpAppDeps): HttpApp {
  const { settings, current, reloading, clock } = input;
  const meter = createRequestMeter((id) => current.current().adapters.has(id));
  const overload = openOverload(settings.server.overload, input.log);
  const services = servicesOf(input);
  const health = healthOf(input, services);
  const profiles = profilesOf(input);
  const observed = openMonitoring({ ...input, services, health, openProfile: profiles.openProfile });
  const measure: MeasureRequest = (answered) => {
    meter.measure(answered);
    observed.note(answered);
  };
  const ladder = createPipelineDeps(input, measure);
  const bodyBytes = settings.server.limits.bodyBytes;
  const serve = createPipeline({ ...ladder, compile: compileSchema, bodyBytes });
  const leaseAdapter = createLeaseAdapter({ current, scheduler: clock });
  const { observation } = observed;
  const parts = { observation, health, profiles, meter, overload, services, leaseAdapter };
  const operations = bindOperations(dependencies(input, parts));
  const hot = createFastRouter(operations, serve);
  const app = createApp({ operations, serve, refuse: createRefuse(ladder), ...staticFilesOf(input) });
  const streams = openProxyHandler(input, ladder, { leaseAdapter, renew: reloading.renew });
  const handler: RequestListener = (req, res) => {
    if (hot({ req, res })) return;
    if (streams.isFor(req)) void streams.serve({ req, res });
    else app(req, res);
  };
  return {
    handler,
    shed: createLoadShedder(ladder, overload, operations),
    mayUpgrade: streams.isFor,
    measure,
    noteTurnedAway: overload.note,
    close: () => {
      observed.close();
      overload.close();
    },
  };
}

interface HandlesByAdapter {
  readonly observation: Monitoring;
  readonly health: ReturnType<typeof healthOf>;
  readonly profiles: ReturnType<typeof profilesOf>;
  readonly meter: RequestMeter;
  readonly overload: Pick<Overload, 'metric'>;
  readonly services: readonly ServiceProbe[];
  readonly leaseAdapter: LeaseAdapter;
}

/** What all operations work with. */
function dependencies(
  input: HttpAppDeps,
  { observation, health, profiles, meter, overload, services, leaseAdapter }: HandlesByAdapter,
): ApiDeps {
  const { settings, current, secrets, reloading, judge, yang, audit, log, clock } = input;
  const deprecatedCalls = createCallTally({ clock, log });
  return {
    lease: current.lease,
    leaseAdapter,
    renew: reloading.renew,
    ...loginDeps(input),
    secrets: { status: secrets.status, refreshNow: withCooldown(clock, secrets.refresh) },
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
    describeApi: createApiDescription(() => current.current().roles, settings.release),
  };
}

function healthOf(input: HttpAppDeps, services: readonly ServiceProbe[]): Omit<HealthDeps, 'lease'> {
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

function staticFilesOf({ settings, pageFolder }: HttpAppDeps): { readonly site?: StaticFiles } {
  return settings.console.enabled ? { site: createStaticFiles(pageFolder) } : {};
}

function servicesOf({ settings, store, secrets, reloading, clock }: HttpAppDeps): readonly ServiceProbe[] {
  const probe = (service: string, isRunning: () => boolean): ServiceProbe => ({
    service,
    running: () => Promise.resolve(isRunning()),
  });
  return [
    { service: 'store', running: cachedFor(clock, () => store.recentAudit(1)) },
    probe('configuration', reloading.isUpToDate),
    ...(settings.vault ? [probe('vault', () => secrets.status().state === 'running')] : []),
  ];
}

/** Pause between two refreshes that somebody asks for, in milliseconds: each is a read of every secret. */
const REFRESH_PAUSE_MS = 10_000;

/** Reads every secret and resolves to 0; or does not, and resolves to the milliseconds until it would. */
function withCooldown(clock: Clock, refresh: () => Promise<void>): () => Promise<number> {
  const mayGo = createCooldown(clock, REFRESH_PAUSE_MS);
  return async () => {
    const waitMs = mayGo();
    if (waitMs === 0) await refresh();
    return waitMs;
  };
}
