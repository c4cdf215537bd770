import { FileWatch } from './config/file-watch.js';
import type { Scheduler } from './domain/clock.js';
import type { Fault } from './domain/fault.js';
import { withTimeout } from './domain/in-time.js';
import type { LogLevels } from './domain/log-levels.js';
import type { ClusterSubscription, SubscribeClusterChanges } from './domain/peer-news.js';
import type { PlatformStore } from './domain/platform-state.js';
import type { AdapterInstance } from './domain/snapshot.js';
import { type BuildDeps, createBuild } from './runtime/create-build.js';
import type { SnapshotHolder } from './runtime/current.js';
import type { ActiveSnapshot } from './runtime/live-snapshot.js';
import { LevelWatch } from './runtime/level-watch.js';
import { logLevelsOf } from './runtime/log-levels.js';
import { staleOwners, ownersOf, sectionOf } from './runtime/owners.js';
import { ClusterPoller } from './runtime/peer-watch.js';
import type { ReloadCounts } from './runtime/reload-counts.js';
import { Reloader } from './runtime/reloader.js';
import { createRevisionPoll } from './runtime/revision-look.js';
import { createRotationDebounce } from './runtime/rotation-pace.js';
import type { SecretSource } from './secrets/resolve.js';
import { singleFlight } from './secrets/share-work.js';

export interface ConfigReloaderDeps extends Omit<BuildDeps, 'secrets' | 'clock' | 'readState'> {
  /** The main file. */
  readonly configPath: string;
  /** State of the files when they were read. */
  readonly fileStates: string;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: SecretSource;
  readonly clock: Scheduler;
  /** What was asked for through the API, on this node or on others. */
  readonly platform: Pick<PlatformStore, 'read' | 'revision' | 'overrides'>;
  /** Present where other nodes may be asked for something. */
  readonly subscribeClusterChanges: SubscribeClusterChanges | undefined;
  /** Looks for tokens that were ended on other nodes. */
  readonly pollRevokedTokens: () => Promise<void>;
  /** Levels of the log: told those of each snapshot that is live. */
  readonly setLevels: (levels: LogLevels) => void;
}

/** What keeps a running server up to date. */
export interface ConfigReloader {
  /** Makes the configuration on disk live, with the secrets of this moment; or changes nothing and tells why. */
  readonly reload: () => Promise<readonly Fault[]>;
  /** Makes what was asked for through the API live, with the files as they were read last. */
  readonly applyRecords: () => Promise<readonly Fault[]>;
  /**
   * After an orchestrator refused an adapter's credentials: reads them anew, at most once in half a minute. True when
   * another instance is live.
   */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
  /** True when the configuration on disk is live; false when it was refused. */
  readonly isUpToDate: () => boolean;
  /** What refused the configuration on disk; nothing while it is live. */
  readonly refusal: () => readonly Fault[];
  readonly counts: () => ReloadCounts;
  close(): Promise<void>;
}

/**
 * How long a reload waits for Vault before it goes on with the values that are held, and a refused call for new
 * credentials before it tells its caller of the refusal, in milliseconds.
 */
const RELOAD_TIMEOUT_MS = 5_000;

/** Connects what may change to the one way of changing: files, secrets as Vault rotates them, and what other nodes are asked for. */
export function openConfigReloader(input: ConfigReloaderDeps): ConfigReloader {
  const { current, secrets, clock, log, configPath, platform } = input;
  const takeUp = () => reloader.applyRecords();
  const levels = new LevelWatch({ platform, apply: takeUp, scheduler: clock, log });
  const wentLive = (snapshot: ActiveSnapshot, unrenewed?: ReadonlySet<string>): void => {
    secrets.watch(ownersOf(snapshot), unrenewed && staleOwners(snapshot, unrenewed));
    input.setLevels(logLevelsOf(snapshot));
    levels.watch(snapshot.desired.state);
  };
  const build = createBuild({ ...input, readState: () => platform.read() });
  const reloader = new Reloader({ current, scheduler: clock, log, build, wentLive });
  // What a change comes to stands in the log.
  const pace = createRotationDebounce(clock, (names) => void reloader.renew(names).catch(() => undefined));
  wentLive(current.current());
  secrets.onChange((owners) => {
    pace.add(new Set([...owners].map(sectionOf)));
  });
  const files = new FileWatch({
    path: configPath,
    states: input.fileStates,
    scheduler: clock,
    onChange: () => void reloader.reload().catch(() => undefined),
  });
  const peers = watchPeers(input, () => void takeUp().catch(() => undefined));
  const renewOnce = singleFlight(
    async (adapterId: string) => {
      if (await secrets.refreshAfterRefusal(adapterId)) await reloader.renew([adapterId]);
    },
    { keyOf: (adapterId) => adapterId, limit: Infinity },
  );
  return {
    async reload() {
      await withinReloadTimeout(secrets.refresh(), clock);
      return reloader.reload();
    },
    applyRecords: takeUp,
    async renew(refused) {
      const isReplaced = (): boolean => current.current().adapters.get(refused.id) !== refused;
      // What goes wrong stands in the log; the caller has the refusal.
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
      await Promise.all([files.close(), pace.close(), peers?.close()]);
      await reloader.close();
    },
  };
}

/** Looks for what other nodes were asked for, and for the tokens that ended there. */
function watchPeers(
  {
    current,
    platform,
    subscribeClusterChanges: hearPeers,
    pollRevokedTokens: lookForEnded,
    clock: scheduler,
    log,
  }: ConfigReloaderDeps,
  onChange: () => void,
): ClusterPoller | undefined {
  if (!hearPeers) return undefined;
  const live = (): number => current.current().desired.state.revision;
  const lookForRecords = createRevisionPoll({ revision: () => platform.revision(), live, onChange });
  const hear = (onNews: () => void): ClusterSubscription => hearPeers({ scheduler, log, onChange: onNews });
  return new ClusterPoller({ polls: [lookForRecords, lookForEnded], hear, scheduler });
}

/** Resolves when the work has ended, or when it takes too long; then it goes on by itself. */
function withinReloadTimeout(work: Promise<void>, scheduler: Scheduler): Promise<void> {
  return withTimeout(work, { ms: RELOAD_TIMEOUT_MS, scheduler, late: () => undefined });
}
