import type { HealthDeps, ServiceProbe } from '../../health/deps.js';
import type { Scheduler } from '../../../core/lib/clock.js';
import type { TimelineEvent, Overview, EventType } from '../../../core/monitoring.js';
import type { ConfigReloader } from '../../../server/reload/config-reloader.js';
import type { CallerWindow } from '../../../telemetry/metrics/caller-window.js';
import type { TrafficWindow } from '../../../telemetry/metrics/traffic-window.js';
import type { SnapshotHolder } from '../../../server/reload/snapshot-holder.js';
import type { ActiveSnapshot } from '../../../server/reload/active-snapshot.js';
import type { SecretSource } from '../../../vault/open-secrets.js';
import { adapterPictures, type AdapterSignals, adapterSigns } from './adapter-status.js';
import { createMarks } from './timeline.js';
import { createTroubleMemory, type ServerSignals, issuesOf } from './issues.js';

/** Periodic sampler of the server and its adapters, which records since when each state applies. */
export interface Watch {
  readonly overview: () => Promise<Overview>;
  readonly marksSince: (from: number) => readonly TimelineEvent[];
  /** Returns when Vault entered its current state, in milliseconds since 1970. */
  readonly vaultSince: () => number;
  /** Takes a sample now. */
  readonly sample: () => void;
  readonly close: () => void;
}

interface WatchInput {
  readonly current: Pick<SnapshotHolder<ActiveSnapshot>, 'current'>;
  readonly secrets: Pick<SecretSource, 'status' | 'inUse'>;
  readonly reloader: Pick<ConfigReloader, 'refusal'>;
  readonly services: readonly ServiceProbe[];
  readonly health: Pick<HealthDeps, 'describeAdapters' | 'product'>;
  readonly window: Pick<TrafficWindow, 'rates'>;
  readonly callers: Pick<CallerWindow, 'rates'>;
  readonly publish: (topics: readonly EventType[]) => void;
  readonly clock: Scheduler;
}

/** Interval of samples in milliseconds; shorter states may not be noticed. */
const SAMPLE_INTERVAL_MS = 5_000;
/** Maximum numbers of callers and of problems in an overview. */
const CALLERS = 20;
const PROBLEMS = 5;

/** Starts the sampler. */
export function createWatch(input: WatchInput): Watch {
  const { current, secrets, window, callers, publish, clock, health } = input;
  const marks = createMarks(current.current(), clock);
  const remember = createTroubleMemory(clock);
  let vault = { state: secrets.status().state, since: Math.floor(clock.now()) };
  let isStoreUp: boolean | undefined;

  const rememberTroubles = (adapters: readonly AdapterSignals[]) =>
    remember(issuesOf(adapters, signsOf(input, isStoreUp)));

  function picture() {
    const snapshot = current.current();
    const rates = window.rates();
    const describe = health.describeAdapters();
    const modelOf = (instance: Parameters<typeof describe>[0]): string => describe(instance).packageId;
    const adapters = adapterPictures({ snapshot, rates: rates.adapters, modelOf });
    return { snapshot, rates, adapters, ...rememberTroubles(adapters) };
  }

  function look(): void {
    const { state } = secrets.status();
    const isOtherVault = state !== vault.state;
    if (isOtherVault) vault = { state, since: Math.floor(clock.now()) };
    const isMarked = marks.sample(current.current());
    const signs = adapterSigns({ snapshot: current.current(), rates: window.rates().adapters });
    const { isOther } = rememberTroubles(signs);
    if (isMarked || isOther) publish(['adapters']);
    if (isOtherVault) publish(['secrets']);
  }

  let cancel = clock.after(SAMPLE_INTERVAL_MS, again);
  function again(): void {
    cancel = clock.after(SAMPLE_INTERVAL_MS, again);
    look();
  }

  return {
    async overview() {
      const probe = input.services.find(({ service }) => service === 'store');
      isStoreUp = await probe?.running();
      const { snapshot, rates, adapters, troubles, isOther } = picture();
      // This caller gets the change in the reply. The next sample finds no difference, so publish it now.
      if (isOther) publish(['adapters']);
      return {
        server: serverOf(input, snapshot, rates.all),
        adapters,
        callers: callers.rates(CALLERS),
        problems: troubles.slice(0, PROBLEMS),
        problemsLeft: Math.max(0, troubles.length - PROBLEMS),
      };
    },
    marksSince: marks.since,
    vaultSince: () => vault.since,
    sample: look,
    close() {
      cancel();
    },
  };
}

function signsOf({ secrets, reloader, current }: WatchInput, isStoreUp: boolean | undefined): ServerSignals {
  const outdatedMain = current.current().outdated.get('');
  const { state: vault } = secrets.status();
  return {
    refusal: reloader.refusal(),
    vault,
    references: vault === 'running' ? [] : secrets.inUse(),
    ...(outdatedMain !== undefined && { outdatedMain }),
    ...(isStoreUp !== undefined && { isStoreUp }),
  };
}

function serverOf(
  { secrets, reloader, health, clock }: WatchInput,
  { desired, generation }: ActiveSnapshot,
  traffic: Overview['server']['traffic'],
): Overview['server'] {
  const { version, release, since } = health.product;
  const { profile, revision } = desired.state;
  return {
    version,
    release,
    since: Math.floor(since),
    now: Math.floor(clock.now()),
    activeProfile: profile?.name ?? null,
    revision,
    generation,
    ready: secrets.status().state !== 'failed',
    configurationUpToDate: reloader.refusal().length === 0,
    traffic,
  };
}
