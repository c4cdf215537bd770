import type { HealthDeps, ServiceProbe } from '../../health/deps.js';
import type { ProfilesDeps } from '../../profiles/deps.js';
import type { RevokedTokens } from '../../../auth/revoked-tokens.js';
import type { Scheduler } from '../../../core/lib/clock.js';
import type { FindLines } from '../../../core/log-lines.js';
import type { AnsweredRequest, MeasureRequest } from '../../../core/metric.js';
import type { Monitoring } from '../../../core/monitoring.js';
import type { Redact, Redactor } from '../../../core/redactor.js';
import type { Settings } from '../../../core/settings.js';
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
import { createProfileImpact } from './profile-impact.js';
import { secretPictures } from './secret-status.js';
import { createSecretTest } from './test-secret.js';
import { createTopicsOf } from './event-types.js';
import { createWatch } from './sampler.js';
import { withoutSecrets } from './redact-references.js';
import { writtenLevel } from './configured-level.js';

export interface ObservationInput {
  readonly settings: Settings;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: Pick<SecretSource, 'status' | 'traffic' | 'inUse' | 'resolve' | 'onChange'>;
  readonly reloading: Pick<ConfigReloader, 'refusal'>;
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
  readonly observation: Monitoring;
  /** Is told every request that was answered. */
  readonly note: MeasureRequest;
  /** Ends what listeners hear, and all looking. */
  readonly close: () => void;
}

/** Pause between two tests of a reference, in milliseconds: each may be a read. */
const TEST_PAUSE_MS = 1_000;
const HOUR_MS = 3_600_000;

/** Begins to watch. */
export function openMonitoring(input: ObservationInput): OpenMonitoring {
  const { current, settings, secrets, reloading, store, ended, clock, redact, lines } = input;
  const window = createTrafficWindow(clock);
  const callers = createCallerWindow(clock);
  const calls = createRecentCalls();
  const desk = createEventHub({ scheduler: clock, traffic: () => trafficNow(window.rates()) });
  const watch = createWatch({ ...input, window, callers, publish: desk.publish });
  const topicsOf = createTopicsOf();
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
    observation: {
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
        const [snapshot, refusal, vaultSince] = [current.current(), reloading.refusal(), watch.vaultSince()];
        return clean(secretPictures({ settings: settings.vault, secrets, snapshot, refusal, vaultSince }));
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
function isOfAdapter({ adapter, caller }: AnsweredRequest, current: ObservationInput['current']): boolean {
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
