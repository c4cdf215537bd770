import type { MonitoringIssue } from '../../core/issue.js';
import type { EventType } from '../../core/operation.js';
import type { Scheduler } from '../../lib/clock.js';
import { type VaultView, vaultViewOf } from '../../secrets/condition.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import type { ConfigReloader } from '../../server/state/config-reloader.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { Settings } from '../../settings/settings.js';
import type { HealthDeps, ServiceProbe } from '../health/deps.js';
import { latestRotationOf } from '../secrets-page/secret-status.js';
import type { CallerWindow } from '../traffic/caller-window.js';
import { withHitCallers } from '../traffic/hit-callers.js';
import { createMainFailure } from '../traffic/main-failure.js';
import type { RecentCalls } from '../traffic/recent-calls.js';
import type { TrafficRecorder, UpstreamSample } from '../traffic/traffic-recorder.js';
import type { TrafficWindow } from '../traffic/traffic-window.js';
import {
  adapterStatusViews,
  type AdapterSignals,
  adapterSignals,
  pendingProfilesOf,
  type worstBreaker,
  worstOf,
} from './adapter-status.js';
import { createIssueHistory, type Outage, hasIssue, issuesOf, type ServerSignals } from './issues.js';
import type { Overview } from './monitoring.js';
import { createTimeline, type Timeline } from './timeline.js';

/** Periodic sampler of the states of the server and its adapters. It records when each state began. */
interface Sampler {
  /** Returns the state of all adapters, or of one with its issues alone. */
  readonly overview: (adapter?: string) => Promise<Overview>;
  /** Returns the current issues, also those that an overview does not list. */
  readonly issues: () => Promise<readonly MonitoringIssue[]>;
  readonly timeline: Timeline;
  /** Returns when Vault entered its current condition, in milliseconds since 1970. */
  readonly vaultSince: () => number;
  readonly sample: () => void;
  readonly close: () => void;
}

interface SamplerInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly settings: Settings;
  readonly secrets: Pick<SecretSource, 'status' | 'vaultState' | 'inUse'>;
  readonly reloader: ConfigReloader;
  readonly services: () => readonly ServiceProbe[];
  readonly health: HealthDeps;
  readonly window: TrafficWindow;
  readonly callers: CallerWindow;
  readonly calls: RecentCalls;
  readonly recorder: TrafficRecorder;
  readonly publish: (topics: readonly EventType[]) => void;
  readonly clock: Scheduler;
}

/** Interval of samples in milliseconds. The sampler may miss shorter states. */
const SAMPLE_INTERVAL_MS = 5_000;
/** Maximum number of callers in an overview. */
const MAX_CALLERS = 20;
/** Maximum number of issues in an overview. */
const MAX_PROBLEMS = 100;

export function createSampler(input: SamplerInput): Sampler {
  const { current, secrets, window, callers, publish, clock } = input;
  const timeline = createTimeline(current.current(), clock);
  const addStartTimes = createIssueHistory(clock);
  const vault = watchVault(input);
  let down: readonly Outage[] = [];
  const currentIssues = (adapters: readonly AdapterSignals[]) =>
    addStartTimes(issuesOf(adapters, serverSignalsOf(input, down)));

  function takeSample(): readonly UpstreamSample[] {
    const snapshot = current.current();
    // The status of each adapter is read once: there may be thousands.
    const samples = upstreamSamples(snapshot);
    const breakers = new Map(samples.map(({ adapter, breaker }) => [adapter, breaker ?? undefined]));
    const breakerOf: typeof worstBreaker = ({ id }) => breakers.get(id);
    const rotationOf = (name: string) => latestRotationOf(secrets.inUse(), name);
    const hasNewEvents = timeline.sample(snapshot, rotationOf, breakerOf);
    const signals = adapterSignals({ snapshot, rates: window.rates().adapters, breakerOf });
    if (currentIssues(signals).isChanged || hasNewEvents) publish(['adapters']);
    if (vault.isChanged()) publish(['secrets']);
    return samples;
  }

  let cancel = clock.after(SAMPLE_INTERVAL_MS, sampleAndRepeat);
  function sampleAndRepeat(): void {
    cancel = clock.after(SAMPLE_INTERVAL_MS, sampleAndRepeat);
    input.recorder.sample(takeSample(), SAMPLE_INTERVAL_MS);
  }

  return {
    async issues() {
      down = await probeServices(input);
      const signals = adapterSignals({ snapshot: current.current(), rates: window.rates().adapters });
      const { issues, isChanged } = currentIssues(signals);
      if (isChanged) publish(['adapters']);
      return issues;
    },
    async overview(adapter) {
      down = await probeServices(input);
      const { snapshot, rates, adapters, signals } = readStatus(input, adapter);
      const { issues, isChanged } = currentIssues(signals);
      // The next sample will find no difference to this sample, so the change must be published now.
      if (isChanged) publish(['adapters']);
      const { problems, problemsLeft } = listedIssues(issues, adapter);
      return {
        server: serverStatusOf(input, snapshot, rates.all),
        adapters,
        callers: callers.rates(MAX_CALLERS),
        problems: withHitCallers(problems, input.calls, clock.now()),
        problemsLeft,
      };
    },
    timeline,
    vaultSince: vault.since,
    sample: () => void takeSample(),
    close() {
      cancel();
    },
  };
}

/** Returns the first issues: all of them, those of one adapter, or those of the server for an empty name. */
function listedIssues(
  issues: readonly MonitoringIssue[],
  adapter: string | undefined,
): Pick<Overview, 'problems' | 'problemsLeft'> {
  const wanted = issues.filter(({ adapters, about }) => {
    if (adapter === undefined) return true;
    return adapter === '' ? about.kind !== 'adapter' : adapters.includes(adapter);
  });
  const problems = wanted.slice(0, MAX_PROBLEMS);
  return { problems, problemsLeft: wanted.length - problems.length };
}

/** Returns the services that do not work, of those that have an issue. */
async function probeServices({ services }: SamplerInput): Promise<readonly Outage[]> {
  const found = await Promise.all(
    services().map(async ({ service, running, reason }) =>
      hasIssue(service) && !(await running()) ? [{ service, reason: reason?.() }] : [],
    ),
  );
  return found.flat();
}

/** Reads the present state of all adapters, or of one. */
function readStatus({ current, window, health, clock }: SamplerInput, adapter: string | undefined) {
  const snapshot = current.current();
  const rates = window.rates();
  const describe = health.describeAdapters();
  const modelOf = (instance: Parameters<typeof describe>[0]): string => describe(instance).packageId;
  const now = clock.now();
  const adapters = adapterStatusViews({ snapshot, now, rates: rates.adapters, modelOf, only: adapter });
  return { snapshot, rates, adapters, signals: adapterSignals({ snapshot, rates: rates.adapters }) };
}

/** Keeps the time since which Vault has its present condition. */
function watchVault(input: SamplerInput): {
  readonly isChanged: () => boolean;
  readonly since: () => number;
} {
  let condition = currentVault(input)?.condition;
  let since = Math.floor(input.clock.now());
  return {
    isChanged() {
      const before = condition;
      condition = currentVault(input)?.condition;
      if (condition !== before) since = Math.floor(input.clock.now());
      return condition !== before;
    },
    since: () => since,
  };
}

/** Returns the queue and the breaker of each adapter that uses the host's upstream. */
function upstreamSamples({ adapters }: ActiveSnapshot): readonly UpstreamSample[] {
  return [...adapters.values()].flatMap((instance) => {
    const status = instance.upstreamStatus?.();
    if (!status) return [];
    const { inFlight, waiting } = status;
    return [{ adapter: instance.id, inFlight, waiting, breaker: worstOf(status) ?? null }];
  });
}

/** Returns what the secrets in use say about Vault; undefined if no Vault is configured. */
function currentVault({ settings, secrets, clock }: SamplerInput): VaultView | undefined {
  if (!settings.vault) return undefined;
  const { maxStaleSeconds } = settings.vault.refresh;
  // While all reads succeed, the list of all references is not needed.
  const references = secrets.vaultState() === 'running' ? [] : secrets.inUse();
  return vaultViewOf(references, { now: clock.now(), maxStaleSeconds });
}

function serverSignalsOf(input: SamplerInput, down: readonly Outage[]): ServerSignals {
  const { reloader, current } = input;
  const outdatedMain = current.current().outdated.get('');
  const vault = currentVault(input);
  return {
    refusal: reloader.refusal(),
    ...(vault && { vault }),
    ...(outdatedMain !== undefined && { outdatedMain }),
    down,
    failureOf: createMainFailure(input.calls, () => input.clock.now()),
  };
}

function serverStatusOf(
  { secrets, reloader, health, clock }: SamplerInput,
  { desired, generation }: ActiveSnapshot,
  traffic: Overview['server']['traffic'],
): Overview['server'] {
  const { version, release, since } = health.product;
  const { profile, pending, revision } = desired.state;
  return {
    version,
    release,
    since: Math.floor(since),
    now: Math.floor(clock.now()),
    activeProfile: profile?.name ?? null,
    pendingProfiles: pendingProfilesOf(pending),
    revision,
    generation,
    ready: secrets.status().state !== 'failed',
    configurationUpToDate: reloader.refusal().length === 0,
    traffic,
  };
}
