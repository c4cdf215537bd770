import { hostname } from 'node:os';
import type { Plugins } from '../adapters/plugins.js';
import { openIssuerMonitor } from '../auth/issuer-monitor.js';
import type { RevokedTokens } from '../auth/revoked-tokens.js';
import { schemaFiles } from '../config/schema-files.js';
import type { BrowserSessions } from '../core/browser-session.js';
import type { FindLines, Log } from '../core/log.js';
import type { MeasureRequest } from '../core/metric.js';
import type { Redactor } from '../core/secret.js';
import type { TokenIssuer } from '../core/session.js';
import { createAdmitQuery } from '../http/limit-caller.js';
import { openOverload, type Overload } from '../http/overload/overload-detector.js';
import { compileSchema } from '../json-schema/compile.js';
import type { SchemaValidator } from '../json-schema/validator-pool/schema-validator.js';
import type { Scheduler } from '../lib/clock.js';
import { DEPENDENCIES, FULL_VERSION, VERSION } from '../lib/version.js';
import type { SecretSource } from '../secrets/open-secrets.js';
import type { ConfigLoader } from '../server/config-loader.js';
import type { ConfigReloader } from '../server/state/config-reloader.js';
import type { AdapterFactories } from '../server/state/factories.js';
import type { ActiveSnapshot } from '../server/state/snapshot.js';
import type { SnapshotHolder } from '../server/state/swap.js';
import type { SiblingRequests, Siblings } from '../server/workers/siblings.js';
import type { Settings } from '../settings/settings.js';
import { outputsOf } from '../telemetry/log/output.js';
import { exposition } from '../telemetry/metrics/exposition.js';
import type { ReadMetrics } from '../telemetry/metrics/otlp-exporter.js';
import { createRequestMeter } from '../telemetry/metrics/request-meter.js';
import { accessRulesOf } from './access/index.js';
import type { SecretStorage } from './adapters/adapter-directory.js';
import { createAdapterVersions } from './adapters/adapter-version.js';
import { componentsOf } from './adapters/index.js';
import { createApiDescription } from './api-description.js';
import type { CountedAuditTrail } from './audit/audit-trail.js';
import { openAuditApp } from './audit/index.js';
import type { CacheChanges } from './cache/cache-changes.js';
import { openMonitoring } from './console/index.js';
import { createBindingGrants } from './forms/binding-grants.js';
import { formsOf } from './forms/index.js';
import { openCertificateMonitor } from './health/certificate-monitor.js';
import type { HealthDeps } from './health/deps.js';
import { componentFacts, machineFacts, processUsage, runtimeFacts, serverIdOf } from './health/facts.js';
import { probesOf } from './health/probes.js';
import { type CallCounter, createCallCounter } from './legacy/call-counter.js';
import { type DeprecatedCallHistory, openDeprecatedCallHistory } from './legacy/deprecated-call-history.js';
import { deprecatedCallsMetric } from './legacy/get-deprecations.js';
import type { CallerLimits } from './limits/caller-limits.js';
import { limitRulesOf } from './limits/index.js';
import { loginDeps } from './login/index.js';
import { openNotifications } from './notifications/index.js';
import { type ApiDeps, describeOperations, describeServed, operationNamed } from './operations.js';
import { createLeaseAdapter } from './orchestrator/lease-adapter.js';
import { collectMetrics, type StatsSources, withCooldown } from './platform/exposed-metrics.js';
import { profilesOf } from './profiles/index.js';
import { createCallCheck, createRoleCheck, openAccess, rolesWith, versionRightsOf } from './roles.js';
import { schemasOf } from './schema/index.js';
import type { Store } from './store.js';
import { openTaskEvents, type OpenTaskEvents } from './tasks/events.js';
import { tasksOf } from './tasks/index.js';
import { createQueryChoices } from './tasks/query-choices.js';
import type { OpenYang } from './yang-forms/index.js';
import { yangFromAdapters } from './yang-forms/yang-from-adapters.js';

/** Components of a running server that the applications use. */
interface ApplicationsInput extends StatsSources {
  readonly settings: Settings;
  readonly plugins: Plugins;
  readonly combine: ConfigLoader['combine'];
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: Omit<SecretSource, 'watch' | 'refreshAfterRefusal' | 'store' | 'close'>;
  /** Limits of callers, and their counts. */
  readonly limits: CallerLimits;
  readonly reloader: ConfigReloader;
  readonly store: Store;
  /** Factories that check a configuration without opening a connection. */
  readonly factories: AdapterFactories;
  readonly runningFactories: AdapterFactories;
  readonly secretStorage: SecretStorage;
  /** Changes that remove replies from the caches of adapters. */
  readonly cacheChanges: CacheChanges;
  readonly validator: SchemaValidator;
  readonly yang: OpenYang;
  readonly audit: CountedAuditTrail;
  readonly ended: RevokedTokens;
  readonly browserSessions: BrowserSessions;
  /** Undefined if the built-in issuer is disabled. */
  readonly tokens: TokenIssuer | undefined;
  readonly siblings: Siblings;
  /** True after the server has received a signal to stop. */
  readonly isStopping: () => boolean;
  /** Resolves after every process of this server has received all previous changes. */
  readonly whenPropagated: () => Promise<void>;
  /** Finds records among the latest log records. */
  readonly lines: FindLines;
  readonly pageFolder: string;
  readonly redactor: Redactor;
  readonly clock: Scheduler;
  readonly log: Log;
}

/** Dependencies of the applications, and the hooks that the HTTP server calls. */
export interface OpenApplications extends SiblingRequests {
  /** One group for each application, which receives only this group. */
  readonly deps: ApiDeps;
  /** Records a request that this process answered. */
  readonly measure: MeasureRequest;
  readonly overload: Overload;
  /** Returns the metrics of this process at this moment. */
  readonly metrics: ReadMetrics;
  /** Closes event streams, which would otherwise delay the shutdown, and stops the background checks. */
  readonly close: () => void;
  /** Stores the numbers of calls that are not stored yet. */
  readonly saveTraffic: () => Promise<void>;
}

/**
 * Opens the request metrics, the overload detection, the checks of the issuers, the monitoring and the
 * dependencies of each application.
 */
export function openApplications(input: ApplicationsInput): OpenApplications {
  const { settings, current, secrets, clock, log } = input;
  const meter = createRequestMeter((id) => current.current().adapters.has(id));
  const overload = openOverload(settings.server.overload, log);
  const issuers = openIssuerMonitor(current, { scheduler: clock, log });
  const certificates = openCertificateMonitor({ current, secrets, scheduler: clock, log });
  const { services, ...probes } = probesOf(input, { issuers, certificates });
  const health = healthOf(input, services);
  const profiles = profilesOf(input);
  const operations = describeOperations();
  const monitoring = openMonitoring({ ...input, ...profiles, services, health, operations });
  const notifications = openNotifications({ ...input, monitoring: monitoring.monitoring });
  const deprecatedCalls = createCallCounter({ clock, log });
  const callHistory = openDeprecatedCallHistory({ ...input, counter: deprecatedCalls });
  const taskEvents = openTaskEvents({ ...input, scheduler: clock });
  const calls = callDeps(input, taskEvents);
  const { adapters, applications } = componentsOf(input, calls.orchestrator);
  const audit = openAuditApp({ ...input, rights: versionRightsOf(current) }, adapters.adapters);
  const access = openAccess(() => current.current(), settings.release);
  const measured = {
    services,
    meter,
    overload,
    certificates,
    deprecatedCalls: { metric: () => deprecatedCallsMetric(deprecatedCalls, settings.release) },
  };
  const metrics = () => collectMetrics({ ...input, ...measured });
  const opened = [issuers, certificates, monitoring, notifications, callHistory, taskEvents, audit, overload];
  return {
    deps: {
      ...calls,
      login: loginDeps({
        ...input,
        lease: current.lease,
        served: describeServed(settings.release),
        rolesOf: rolesWith(current),
      }),
      adapters,
      applications,
      profiles: { ...profiles, newRecordId: adapters.newRecordId, runInTurn: adapters.runInTurn },
      health,
      schema: schemasOf({ ...input, operations }),
      platform: platformOf(input, { overload, metrics: () => input.siblings.allMetrics(metrics), ...probes }),
      audit: audit.deps,
      access: { access, listMethods: adapters.listMethods },
      accessRules: accessRulesOf({ ...input, access }, adapters),
      limitRules: limitRulesOf({ ...input, ...access }, adapters),
      docs: docsOf(input),
      console: {
        monitoring: monitoring.monitoring,
        limits: input.limits.status,
        findAudit: input.audit.find,
      },
      notifications: notifications.deps,
      legacy: legacyOf(input, deprecatedCalls, callHistory),
    },
    measure(answered) {
      meter.measure(answered);
      monitoring.record(answered);
    },
    overload,
    metrics,
    showTask: taskEvents.show,
    answer: monitoring.answer,
    close() {
      for (const one of opened) one.close();
    },
    async saveTraffic() {
      await Promise.all([monitoring.saveTraffic(), callHistory.save()]);
    },
  };
}

function legacyOf(
  { settings, tokens, reloader }: ApplicationsInput,
  deprecatedCalls: CallCounter,
  callHistory: DeprecatedCallHistory,
): ApiDeps['legacy'] {
  return {
    release: settings.release,
    deprecatedCalls,
    deprecatedCallers: callHistory.read,
    sessions: async () => (await tokens?.sessions()) ?? [],
    reload: reloader.reload,
    compile: compileSchema,
  };
}

function platformOf(
  { settings, secrets, reloader, clock, isStopping }: ApplicationsInput,
  {
    overload,
    metrics,
    isAuditWritable,
    hasSpace,
  }: {
    readonly overload: Overload;
    readonly metrics: ReadMetrics;
    readonly isAuditWritable: () => Promise<boolean>;
    readonly hasSpace: () => Promise<boolean>;
  },
): ApiDeps['platform'] {
  const unreadyMs = (settings.server.overload?.unreadySeconds ?? Infinity) * 1000;
  return {
    version: FULL_VERSION,
    secrets: { vaultState: secrets.vaultState, refreshNow: withCooldown(clock, reloader.refreshSecrets) },
    isStopping,
    isAuditWritable,
    hasSpace,
    metrics: async () => exposition(await metrics()),
    isOverloaded: () => overload.lastsMs() >= unreadyMs,
  };
}

/** The operation whose roles, access rules and limits apply to what other operations read through adapters. */
const QUERY = 'orchestrator-manager.restQuery';

/**
 * Returns the dependencies of calls to orchestrators, and of forms and tasks, which fetch YANG from adapters.
 */
function callDeps(
  input: ApplicationsInput,
  taskEvents: OpenTaskEvents,
): Pick<ApiDeps, 'tools' | 'orchestrator' | 'forms' | 'tasks'> {
  const { current, reloader, clock, validator } = input;
  const { renew } = reloader;
  const leaseAdapter = createLeaseAdapter({ current, scheduler: clock });
  const requireQueryRole = createRoleCheck(QUERY, rolesWith(current));
  const admitQuery = createAdmitQuery(input.limits.admit, operationNamed(QUERY));
  const ofCaller = { leaseAdapter, renew, scheduler: clock, requireQueryRole, admitQuery };
  const yang = yangFromAdapters(input.yang, ofCaller);
  const grants = createBindingGrants({ requireQueryRole, logins: () => current.current().logins, clock });
  const now = (): number => clock.now();
  const forms = { ...formsOf(input), validator, yang, compile: compileSchema, grants, now };
  const orchestrator = { leaseAdapter, renew };
  return {
    tools: { lease: current.lease },
    orchestrator,
    forms,
    tasks: {
      ...forms,
      ...tasksOf(input),
      queryChoices: createQueryChoices(orchestrator, clock, admitQuery),
      taskEvents,
      requireCallAccess: createCallCheck(current),
    },
  };
}

function docsOf({ current, settings }: ApplicationsInput): ApiDeps['docs'] {
  const describeApi = createApiDescription(() => current.current().roles, settings.release);
  return { describeApi, configSchemas: schemaFiles };
}

function healthOf(input: ApplicationsInput, services: HealthDeps['services']): HealthDeps {
  const { settings, plugins, current, reloader, clock } = input;
  return {
    lease: current.lease,
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
    ...componentFacts({
      current,
      versionOf: createAdapterVersions(plugins),
      outputs: outputsOf(settings.log),
      operations: describeOperations(),
    }),
    proofOf: (adapter) => reloader.proofs.of(adapter),
    usage: processUsage,
    runtime: runtimeFacts,
    machine: machineFacts,
  };
}
