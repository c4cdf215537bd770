import { withTargetName } from '../../adapters/target-name.js';
import { everywhere } from '../../core/component.js';
import { type FindLines, type Log, LOG_LEVELS, type LogLevel } from '../../core/log.js';
import type { MeasureRequest } from '../../core/metric.js';
import type { DescribedOperation } from '../../core/operation.js';
import type { PlatformStore } from '../../core/platform-state.js';
import { operatorAdvice, Problem } from '../../core/problem.js';
import type { Redactor } from '../../core/secret.js';
import { redactValue } from '../../http/redact-value.js';
import type { Scheduler, Clock } from '../../lib/clock.js';
import { createCooldown } from '../../lib/cooldown.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import type { ConfigLoader } from '../../server/config-loader.js';
import type { ConfigReloader } from '../../server/state/config-reloader.js';
import { levelsOf } from '../../server/state/log-levels.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { Siblings } from '../../server/workers/siblings.js';
import type { LogSettings } from '../../settings/log.js';
import type { Settings } from '../../settings/settings.js';
import { outputsOf } from '../../telemetry/log/output.js';
import type { HealthDeps, ServiceProbe } from '../health/deps.js';
import type { ProfilesDeps } from '../profiles/deps.js';
import type { SecretsStatusView } from '../secrets-page/secret-status-view.js';
import { secretStatusViews } from '../secrets-page/secret-status.js';
import { createSecretTest } from '../secrets-page/secret-test.js';
import { createVaultBrowse } from '../secrets-page/vault-browse.js';
import type { Store } from '../store.js';
import { createCallerWindow } from '../traffic/caller-window.js';
import { createRecentCalls } from '../traffic/recent-calls.js';
import { createRequestRecorder } from '../traffic/request-recorder.js';
import { createRequestTrail, nodeNameOf } from '../traffic/request-trail.js';
import { openTrafficHistory } from '../traffic/traffic-history.js';
import { createTrafficReader } from '../traffic/traffic-reader.js';
import { createTrafficRecorder } from '../traffic/traffic-recorder.js';
import { createTrafficWindow, type TrafficWindow } from '../traffic/traffic-window.js';
import { createEventHub } from './event-hub.js';
import { impactOf } from './find-impact.js';
import type { Monitoring, AdapterTest } from './monitoring.js';
import { createSampler } from './sampler.js';
import { answerOf, callsOfAll, createOtherNumbers, linesOfAll, type SiblingQuestion } from './siblings.js';

interface MonitoringInput {
  readonly settings: Settings;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: Pick<
    SecretSource,
    'status' | 'vaultState' | 'traffic' | 'inUse' | 'resolve' | 'onChange' | 'browser'
  >;
  readonly reloader: ConfigReloader;
  readonly store: Store;
  readonly services: () => readonly ServiceProbe[];
  readonly health: HealthDeps;
  readonly openProfile: ProfilesDeps['openProfile'];
  readonly operations: readonly DescribedOperation[];
  readonly combine: ConfigLoader['combine'];
  readonly clock: Scheduler;
  readonly redactor: Redactor;
  readonly lines: FindLines;
  readonly siblings: Siblings;
  readonly log: Log;
}

/** Monitoring data, and the hook that collects it. */
interface OpenMonitoring {
  readonly monitoring: Monitoring;
  readonly record: MeasureRequest;
  /** Answers another process of this server. */
  readonly answer: (question: SiblingQuestion) => unknown;
  /** Disconnects all subscribers and stops the sampler. */
  readonly close: () => void;
  /** Stores the numbers of calls that are not stored yet. */
  readonly saveTraffic: () => Promise<void>;
}

/**
 * Minimum interval between two tests of references in milliseconds, because each test may read from Vault.
 */
const TEST_INTERVAL_MS = 1_000;

export function openMonitoring(input: MonitoringInput): OpenMonitoring {
  const { current, settings, secrets, store, clock, lines, redactor, siblings } = input;
  const { ask, tell } = siblings;
  const others = createOtherNumbers(ask, clock);
  const window = createTrafficWindow(clock, others.adapters);
  const callers = createCallerWindow(clock, others.callers);
  const calls = createRecentCalls();
  const recorder = createTrafficRecorder(clock);
  const isAdapter = (name: string): boolean => current.current().adapters.has(name);
  const history = openTrafficHistory({ recorder, store: store.traffic, isAdapter, clock, log: input.log });
  const hub = createEventHub({ scheduler: clock, traffic: () => trafficNow(others.readNow(window.rates)) });
  const sampler = createSampler({ ...input, window, callers, calls, recorder, publish: hub.publish });
  const cancelOnSwap = current.onSwap(() => {
    const { adapters } = current.current();
    window.keepOnly(adapters);
    calls.keepOnly(adapters);
    sampler.sample();
    hub.publish(['adapters', 'profiles']);
  });
  publishSecrets(input, sampler, hub.publish);
  const redacted = <T>(value: T): T => redactValue(value, redactor.redact);
  const testSecret = createSecretTest({ ...input, cooldown: createCooldown(clock, TEST_INTERVAL_MS) });
  const testAdapter = createAdapterTest(current, clock);
  const impact = createProfileImpact({ ...input, platform: store.platform });
  const { publish } = hub;
  const node = nodeNameOf(settings.server.listen);
  const record = createRequestRecorder({ ...input, window, callers, calls, recorder, publish });
  const timelineSince = sampler.timeline.since;
  const readTraffic = createTrafficReader({ history, timelineSince, store, redactor });
  return {
    record,
    answer: (question) => redacted(answerOf(question, { window, callers, calls, lines })),
    monitoring: {
      now: () => Math.floor(clock.now()),
      overview: async (adapter) => redacted(await others.thenRead(() => sampler.overview(adapter))),
      traffic: (query) => tell({ kind: 'traffic' }).then(() => readTraffic(query)),
      issues: async () => redacted(await sampler.issues()),
      calls: async (query) => redacted(await callsOfAll(query, { own: calls.latest, ask })),
      request: createRequestTrail({ calls, lines, redacted, peers: store.peers, clock, node }),
      lines: async (query) => redacted(await linesOfAll(query, { own: lines, ask })),
      writtenLevel: (adapter) => writtenLevel(current.current(), settings.log, adapter),
      secrets: () => redacted(secretViewsOf(input, sampler.vaultSince())),
      testSecret: async (query) => redacted(await testSecret(query)),
      browseVault: createVaultBrowse({ current, browser: secrets.browser }),
      testAdapter: async (name) => redacted(await testAdapter(name)),
      impact: async (profile) => redacted(await impact(profile)),
      listen: hub.listen,
    },
    close() {
      cancelOnSwap();
      sampler.close();
      history.close();
      hub.close();
    },
    saveTraffic: history.save,
  };
}

/** Publishes changes of secrets, and the results of their tests. */
function publishSecrets(
  { secrets, reloader }: MonitoringInput,
  { timeline }: ReturnType<typeof createSampler>,
  publish: ReturnType<typeof createEventHub>['publish'],
): void {
  secrets.onChange(() => {
    publish(['secrets']);
  });
  reloader.proofs.onProof((adapter, proof) => {
    timeline.noteProof(adapter, proof);
    publish(['adapters', 'secrets']);
  });
}

function secretViewsOf(
  { settings, secrets, current, reloader, clock }: MonitoringInput,
  vaultSince: number,
): SecretsStatusView {
  const [snapshot, refusal] = [current.current(), reloader.refusal()];
  const now = clock.now();
  const { vault, secrets: stores } = settings;
  const terms = { settings: vault, files: stores.files, vaultSince, now };
  return secretStatusViews({ ...terms, secrets, proofs: reloader.proofs, snapshot, refusal });
}

function trafficNow({ all, adapters }: ReturnType<TrafficWindow['rates']>): object {
  return { ...all, adapters: Object.fromEntries(adapters) };
}

/**
 * Returns the least severe level that is written to any output, for the lines of an adapter or for the lines
 * without a separate level.
 */
function writtenLevel(
  { desired, logLevel }: ActiveSnapshot,
  settings: LogSettings,
  adapter?: string,
): LogLevel {
  const adapterConfig = desired.adapters.find(({ id }) => id === adapter);
  const levels = adapterConfig ? levelsOf(adapterConfig, logLevel) : everywhere(logLevel);
  const usedLevels = [...outputsOf(settings)].map((output) => levels[output]);
  return [...LOG_LEVELS].reverse().find((level) => usedLevels.includes(level)) ?? logLevel;
}

interface ImpactInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly platform: PlatformStore;
  readonly openProfile: ProfilesDeps['openProfile'];
  readonly combine: ConfigLoader['combine'];
}

/**
 * Creates a function that returns the effect of activating a profile. The function runs the steps of a reload
 * that precede the build of the snapshot.
 */
function createProfileImpact(input: ImpactInput): Monitoring['impact'] {
  const { current, platform, openProfile, combine } = input;
  return async (id) => {
    const profile = await platform.profiles.find(id);
    if (!profile) return undefined;
    const { desired } = current.current();
    const next = await combine(desired.files, { ...(await platform.read()), profile });
    const opened = openProfile(profile.document);
    const faults = 'faults' in opened ? opened.faults : next.faults;
    return { ...impactOf(desired, next.desired), faults };
  };
}

/** Minimum interval between two tests of the same adapter in milliseconds, because each test reaches its orchestrator. */
const ADAPTER_TEST_INTERVAL_MS = 2_000;

/**
 * Creates a function that probes the orchestrator of an adapter at once, as the periodic probe does. The result counts for the
 * state of the connection. An adapter that has not started is started first.
 */
function createAdapterTest(current: SnapshotHolder<ActiveSnapshot>, clock: Clock): Monitoring['testAdapter'] {
  const cooldown = createCooldown(clock, ADAPTER_TEST_INTERVAL_MS);
  return async (name): Promise<AdapterTest> => {
    const instance = current.current().adapters.get(name);
    if (!instance) return { untried: 'unknown' };
    const { name: state } = instance.state();
    if (state !== 'RUNNING' && state !== 'STARTING') return { untried: 'not running' };
    if (!instance.testConnection) return { untried: 'no probe' };
    const waitMs = cooldown(name);
    if (waitMs > 0) return { untried: 'too soon', waitMs };
    try {
      await instance.testConnection();
    } catch (error) {
      const connection = instance.connection().state;
      if (!(error instanceof Problem)) return { ok: false, connection, cause: 'the probe failed', fix: null };
      const cause = withTargetName(error.message, instance);
      return { ok: false, connection, cause, fix: operatorAdvice(error) ?? null };
    }
    const { state: connection, reason } = instance.connection();
    // A probe that only opens a connection does not disprove credentials that a call found refused.
    if (connection !== 'OFFLINE' && connection !== 'LOGIN_REFUSED') return { ok: true, connection };
    return { ok: false, connection, cause: reason ?? 'the latest call failed', fix: null };
  };
}
