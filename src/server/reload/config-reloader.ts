import { FileWatch } from '../../config/file-watch.js';
import { type Scheduler, elapsedSince } from '../../core/lib/clock.js';
import type { Fault } from '../../core/fault.js';
import { withTimeout } from '../../core/lib/timeout.js';
import type { LogLevels } from '../../core/log-levels.js';
import type { ClusterSubscription, SubscribeClusterChanges } from '../../core/cluster-events.js';
import type { PlatformStore } from '../../core/platform-state.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import { type BuildDeps, createBuild } from './create-build.js';
import type { SnapshotHolder } from './snapshot-holder.js';
import type { ActiveSnapshot } from './active-snapshot.js';
import { LevelWatch, logLevelsOf } from './log-levels.js';
import { staleOwners, ownersOf, sectionOf } from './owners.js';
import { ClusterPoller } from './cluster-poller.js';
import type { ReloadCounts } from './reload-metrics.js';
import { Reloader } from './reloader.js';
import type { SecretSource } from '../../vault/open-secrets.js';
import { singleFlight } from '../../core/lib/single-flight.js';

/** Minimum time between two renewals of the same section, in milliseconds. */
const MIN_ROTATION_INTERVAL_MS = 30_000;

/** A debounce for the names of sections with rotated secrets. */
interface RotationDebounce {
  add(names: ReadonlySet<string>): void;
  close(): Promise<void>;
}

/** Creates a debounce that reports each name at once, and at most every half minute. An earlier repetition is delayed. */
export function createRotationDebounce(
  scheduler: Scheduler,
  onDue: (names: ReadonlySet<string>) => void,
): RotationDebounce {
  const latest = new Map<string, number>();
  const waiting = new Set<string>();
  let cancel = (): void => undefined;
  const dueIn = (name: string): number =>
    MIN_ROTATION_INTERVAL_MS - elapsedSince(scheduler, latest.get(name) ?? -Infinity);
  const notifyDue = (): void => {
    cancel();
    const due = [...waiting].filter((name) => dueIn(name) <= 0);
    for (const name of due) {
      waiting.delete(name);
      latest.set(name, scheduler.now());
    }
    if (due.length > 0) onDue(new Set(due));
    if (waiting.size > 0) cancel = scheduler.after(Math.min(...[...waiting].map(dueIn)), notifyDue);
  };
  return {
    add(names) {
      for (const name of names) waiting.add(name);
      notifyDue();
    },
    close() {
      cancel();
      return Promise.resolve();
    },
  };
}

interface ConfigReloaderDeps extends Omit<BuildDeps, 'secrets' | 'clock' | 'readState'> {
  /** The main file. */
  readonly configPath: string;
  /** State of the files when they were read. */
  readonly fileStates: string;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: SecretSource;
  readonly clock: Scheduler;
  /** State of the API, which all nodes share. */
  readonly platform: Pick<PlatformStore, 'read' | 'revision' | 'overrides'>;
  /** Absent if this node shares its store with no other node. */
  readonly subscribeClusterChanges: SubscribeClusterChanges | undefined;
  /** Reads the tokens that were revoked on other nodes. */
  readonly pollRevokedTokens: () => Promise<void>;
  /** Sets the log levels of each new snapshot. */
  readonly setLevels: (levels: LogLevels) => void;
}

/** Keeps a running server up to date. */
export interface ConfigReloader {
  /** Activates the configuration on disk with the current secrets. If it is invalid, returns its faults and changes nothing. */
  readonly reload: () => Promise<readonly Fault[]>;
  /** Activates the state of the API, with the files as they were read last. */
  readonly applyRecords: () => Promise<readonly Fault[]>;
  /**
   * Reads the credentials of an adapter again after its orchestrator refused them, at most every half minute. Returns true if
   * another instance is live.
   */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
  /** True when the configuration on disk is live; false when it was refused. */
  readonly isUpToDate: () => boolean;
  /** Returns the faults of the configuration on disk; empty while it is live. */
  readonly refusal: () => readonly Fault[];
  readonly counts: () => ReloadCounts;
  close(): Promise<void>;
}

/**
 * Maximum time to wait for Vault, in milliseconds. After it, a reload continues with the cached values, and a call returns the
 * refusal of the orchestrator.
 */
const RELOAD_TIMEOUT_MS = 5_000;

/** Opens the reloader and connects the sources of changes to it: files, rotated secrets, and other nodes. */
export function openConfigReloader(input: ConfigReloaderDeps): ConfigReloader {
  const { current, secrets, clock, log, configPath, platform } = input;
  const apply = () => reloader.applyRecords();
  const levels = new LevelWatch({ platform, apply, scheduler: clock, log });
  const onActivated = (snapshot: ActiveSnapshot, unrenewed?: ReadonlySet<string>): void => {
    secrets.watch(ownersOf(snapshot), unrenewed && staleOwners(snapshot, unrenewed));
    input.setLevels(logLevelsOf(snapshot));
    levels.watch(snapshot.desired.state);
  };
  const build = createBuild({ ...input, readState: () => platform.read() });
  const reloader = new Reloader({ current, scheduler: clock, log, build, onActivated });
  // The reloader logs the result.
  const rotations = createRotationDebounce(
    clock,
    (names) => void reloader.renew(names).catch(() => undefined),
  );
  onActivated(current.current());
  secrets.onChange((owners) => {
    rotations.add(new Set([...owners].map(sectionOf)));
  });
  const files = new FileWatch({
    path: configPath,
    states: input.fileStates,
    scheduler: clock,
    onChange: () => void reloader.reload().catch(() => undefined),
  });
  const peers = watchPeers(input, () => void apply().catch(() => undefined));
  const renewOnce = singleFlight(
    async (adapterId: string) => {
      if (await secrets.refreshAfterRefusal(adapterId)) await reloader.renew([adapterId]);
    },
    (adapterId) => adapterId,
  );
  return {
    async reload() {
      await withinReloadTimeout(secrets.refresh(), clock);
      return reloader.reload();
    },
    applyRecords: apply,
    async renew(refused) {
      const isReplaced = (): boolean => current.current().adapters.get(refused.id) !== refused;
      // A failure is logged; the caller receives the refusal of the orchestrator.
      if (!isReplaced())
        await withinReloadTimeout(
          renewOnce(refused.id).catch(() => undefined),
          clock,
        );
      return isReplaced();
    },
    isUpToDate: () => reloader.isUpToDate(),
    refusal: () => reloader.refusal(),
    counts: () => reloader.counts(),
    async close() {
      levels.close();
      await Promise.all([files.close(), rotations.close(), peers?.close()]);
      await reloader.close();
    },
  };
}

/** Creates the poller for changes of other nodes: their state of the API, and their revoked tokens. */
function watchPeers(
  {
    current,
    platform,
    subscribeClusterChanges,
    pollRevokedTokens,
    clock: scheduler,
    log,
  }: ConfigReloaderDeps,
  onChange: () => void,
): ClusterPoller | undefined {
  if (!subscribeClusterChanges) return undefined;
  const live = (): number => current.current().desired.state.revision;
  const pollRecords = createRevisionPoll({ revision: () => platform.revision(), live, onChange });
  const subscribe = (onNotification: () => void): ClusterSubscription =>
    subscribeClusterChanges({ scheduler, log, onChange: onNotification });
  return new ClusterPoller({ polls: [pollRecords, pollRevokedTokens], subscribe, scheduler });
}

/** Resolves when the work has ended or the time limit has passed. The work is not canceled. */
function withinReloadTimeout(work: Promise<void>, scheduler: Scheduler): Promise<void> {
  return withTimeout(work, { ms: RELOAD_TIMEOUT_MS, scheduler, late: () => undefined });
}

interface RevisionPollOptions {
  /** Reads the revision of the state of the API. */
  readonly revision: () => Promise<number>;
  /** The revision that is live. */
  readonly live: () => number;
  /** Called once for each revision of another node. */
  readonly onChange: () => void;
}

/** Creates a poll for state of the API from other nodes. The poll throws the errors of `revision`. */
export function createRevisionPoll({ revision, live, onChange }: RevisionPollOptions): () => Promise<void> {
  let seen = live();
  return async () => {
    const found = await revision();
    // A change of this node is live already, or its request activates it.
    const isForeign = found !== seen && found !== live();
    seen = found;
    if (isForeign) onChange();
  };
}
