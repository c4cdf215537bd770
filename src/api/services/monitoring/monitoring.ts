import type { HealthDeps, ServiceProbe } from '../../health/deps.js';
import type { ProfilesDeps } from '../../profiles/deps.js';
import type { RevokedTokens } from '../../../auth/revoked-tokens.js';
import type { Scheduler } from '../../../core/lib/clock.js';
import type { FindLines } from '../../../core/log-lines.js';
import type { AnsweredRequest, MeasureRequest } from '../../../core/metric.js';
import type { Monitoring, EventType } from '../../../core/monitoring.js';
import type { Redact, Redactor } from '../../../core/redactor.js';
import type { Settings, LogSettings } from '../../../core/settings.js';
import type { ConfigReloader } from '../../../server/reload/config-reloader.js';
import { type CallerWindow, createCallerWindow } from '../../../telemetry/metrics/caller-window.js';
import { createRecentCalls, type RecentCalls } from '../../../telemetry/metrics/recent-calls.js';
import { createTrafficWindow, type TrafficWindow } from '../../../telemetry/metrics/traffic-window.js';
import type { ConfigLoader } from '../../../server/config-loader.js';
import type { SnapshotHolder } from '../../../server/reload/snapshot-holder.js';
import type { ActiveSnapshot } from '../../../server/reload/active-snapshot.js';
import type { SecretSource } from '../../../vault/open-secrets.js';
import type { Store } from '../../../storage/store.js';
import { createCooldown } from '../../../core/lib/cooldown.js';
import { createEventHub } from './event-hub.js';
import { secretStatusViews } from './secret-status.js';
import { createWatch } from './sampler.js';
import { everywhere } from '../../../core/component.js';
import { LOG_LEVELS, type LogLevel } from '../../../core/log.js';
import { outputsOf } from '../../../telemetry/log/outputs-of.js';
import { levelsOf } from '../../../server/reload/log-levels.js';
import type { PlatformStore } from '../../../core/platform-state.js';
import { impactOf } from '../../../server/reload/impact.js';
import { describeOperations } from '../../index.js';
import { redactedSecrets } from '../../../server/reload/redacted-secrets.js';
import { formatReference, parseReference } from '../../../vault/reference.js';

/** What the operations of an application change, by its name in the configuration. */
const CHANGED: Readonly<Record<string, EventType>> = {
  adapters: 'adapters',
  applications: 'adapters',
  profiles: 'profiles',
  'json-forms': 'forms',
  tasks: 'tasks',
  platform: 'secrets',
};

const NOTHING: readonly EventType[] = [];

/** Tells what an answered request has changed; nothing for most. Reading changes nothing, but calls of old operations are counted. */
export function createEventTypesOf(): (
  answered: Pick<AnsweredRequest, 'operation' | 'status'>,
) => readonly EventType[] {
  const written = new Map<string, readonly EventType[]>();
  const old = new Map<string, readonly EventType[]>();
  for (const { name, row } of describeOperations()) {
    const topic = CHANGED[name.split('.', 1)[0] ?? ''];
    if (topic && row.audited && row.method !== 'GET') written.set(name, [topic]);
    if (row.deprecation) old.set(name, ['deprecations']);
  }
  return ({ operation, status }) =>
    old.get(operation) ?? (status < 400 ? written.get(operation) : undefined) ?? NOTHING;
}

export interface MonitoringInput {
  readonly settings: Settings;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: Pick<SecretSource, 'status' | 'traffic' | 'inUse' | 'resolve' | 'onChange'>;
  readonly reloader: Pick<ConfigReloader, 'refusal'>;
  readonly store: Pick<Store, 'platform'>;
  readonly ended: Pick<RevokedTokens, 'onEnd'>;
  readonly services: readonly ServiceProbe[];
  readonly health: Pick<HealthDeps, 'describeAdapters' | 'product'>;
  readonly openProfile: ProfilesDeps['openProfile'];
  readonly combine: ConfigLoader['combine'];
  readonly clock: Scheduler;
  readonly redact: Redact;
  readonly redactor: Pick<Redactor, 'add'>;
  readonly lines: FindLines;
}

/** What there is to see, and what must be told so that there is. */
export interface OpenMonitoring {
  readonly monitoring: Monitoring;
  /** Is told every request that was answered. */
  readonly note: MeasureRequest;
  /** Ends what listeners hear, and all looking. */
  readonly close: () => void;
}

/** Pause between two tests of a reference, in milliseconds: each may be a read. */
const TEST_PAUSE_MS = 1_000;
const HOUR_MS = 3_600_000;

/** Begins to watch. */
export function openMonitoring(input: MonitoringInput): OpenMonitoring {
  const { current, settings, secrets, reloader, store, ended, clock, redact, lines } = input;
  const window = createTrafficWindow(clock);
  const callers = createCallerWindow(clock);
  const calls = createRecentCalls();
  const desk = createEventHub({ scheduler: clock, traffic: () => trafficNow(window.rates()) });
  const watch = createWatch({ ...input, window, callers, publish: desk.publish });
  const topicsOf = createEventTypesOf();
  const callOffEnds = ended.onEnd(desk.disconnectAll);
  const cancel = current.onSwap(() => {
    const { adapters } = current.current();
    window.keepOnly(adapters);
    calls.keepOnly(adapters);
    watch.sample();
    desk.publish(['adapters', 'profiles']);
  });
  secrets.onChange(() => {
    desk.publish(['secrets']);
  });
  const clean = <T>(value: T): T => withoutSecrets(value, redact);
  const testSecret = createSecretTest({ ...input, mayGo: createCooldown(clock, TEST_PAUSE_MS) });
  const impact = createProfileImpact({ ...input, platform: store.platform });
  const windows = { window, callers, calls };
  return {
    note: (answered) => {
      if (isOfAdapter(answered, current)) noteCall(answered, windows);
      else desk.publish(topicsOf(answered));
    },
    monitoring: {
      overview: async () => clean(await watch.overview()),
      traffic(hours) {
        const to = Math.floor(clock.now());
        const from = to - hours * HOUR_MS;
        return { from, to, adapters: window.cells(from), marks: clean(watch.marksSince(from)) };
      },
      calls: (most, adapter) => clean(calls.latest(most, adapter)),
      lines: (query) => clean(lines(query)),
      writtenLevel: (adapter) => writtenLevel(current.current(), settings.log, adapter),
      secrets() {
        const [snapshot, refusal, vaultSince] = [current.current(), reloader.refusal(), watch.vaultSince()];
        return clean(secretStatusViews({ settings: settings.vault, secrets, snapshot, refusal, vaultSince }));
      },
      testSecret: async (reference) => clean(await testSecret(reference)),
      impact: async (profile) => clean(await impact(profile)),
      listen: desk.listen,
    },
    close() {
      cancel();
      callOffEnds();
      watch.close();
      desk.close();
    },
  };
}

/** Callers can write any adapterId, and strangers could push out what others called. */
function isOfAdapter({ adapter, caller }: AnsweredRequest, current: MonitoringInput['current']): boolean {
  return adapter !== '' && caller !== '' && current.current().adapters.has(adapter);
}

interface Windows {
  readonly window: TrafficWindow;
  readonly callers: CallerWindow;
  readonly calls: RecentCalls;
}

/** On the way of every call: makes nothing. */
function noteCall(answered: AnsweredRequest, { window, callers, calls }: Windows): void {
  const { adapter, status, seconds, caller } = answered;
  const failed = status >= 500;
  // A WebSocket lasts as long as somebody wants it to.
  window.note(adapter, status === 101 ? -1 : seconds * 1000, failed);
  callers.note(caller, failed);
  calls.note(answered);
}

function trafficNow({ all, adapters }: ReturnType<TrafficWindow['rates']>): object {
  return { ...all, adapters: Object.fromEntries(adapters) };
}

/**
 * The plain value with every known secret taken out of its texts: an orchestrator, a plugin or a caller may have put one
 * there, and it may be known as one only since.
 */
export function withoutSecrets<T>(value: T, redact: Redact): T {
  const clean = (one: unknown): unknown => {
    if (typeof one === 'string') return redact(one);
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return one.map(clean);
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, clean(member)]));
  };
  return clean(value) as T;
}

/** The quietest level that is written to any output: of an adapter's lines, or of those that have no level of their own. */
export function writtenLevel(
  { desired, logLevel }: Pick<ActiveSnapshot, 'desired' | 'logLevel'>,
  settings: Pick<LogSettings, 'file' | 'syslog'>,
  adapter?: string,
): LogLevel {
  const found = desired.adapters.find(({ id }) => id === adapter);
  const levels = found ? levelsOf(found, logLevel) : everywhere(logLevel);
  const used = [...outputsOf(settings)].map((output) => levels[output]);
  return [...LOG_LEVELS].reverse().find((level) => used.includes(level)) ?? logLevel;
}

interface ImpactInput {
  readonly current: Pick<SnapshotHolder<ActiveSnapshot>, 'current'>;
  readonly platform: Pick<PlatformStore, 'read' | 'profiles'>;
  readonly openProfile: ProfilesDeps['openProfile'];
  readonly combine: ConfigLoader['combine'];
}

/** Tells what making a profile active would do, by going the way of a reload up to where it would begin to build. */
export function createProfileImpact(input: ImpactInput): Monitoring['impact'] {
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

interface TestInput {
  readonly secrets: Pick<SecretSource, 'inUse' | 'resolve'>;
  readonly redactor: Pick<Redactor, 'add'>;
  /** Milliseconds until another test may be made; 0 makes it. */
  readonly mayGo: () => number;
}

/**
 * Asks for a reference that is in use, and tells no more than whether there is a value. The read is that of every look at a
 * secret: what it finds new is taken up, and what is lent is not asked for again.
 */
export function createSecretTest({ secrets, redactor, mayGo }: TestInput): Monitoring['testSecret'] {
  return async (text) => {
    const parsed = parseReference(text);
    if (parsed.kind !== 'reference') return { untried: 'unknown' };
    const { reference } = parsed;
    const wanted = formatReference(reference);
    // Whatever else is in Vault is nobody's business here.
    if (!secrets.inUse().some((one) => one.reference === wanted)) return { untried: 'unknown' };
    const waitMs = mayGo();
    if (waitMs > 0) return { untried: 'too soon', waitMs };
    const masked = redactedSecrets(secrets, redactor);
    try {
      const found = (await masked.resolve([{ pointer: '', reference }])).get('');
      if (!found) throw new Error('the secret source gave no answer');
      if ('value' in found) return { ok: true };
      return { ok: false, cause: found.message, fix: found.fix };
    } finally {
      await masked.close();
    }
  };
}
