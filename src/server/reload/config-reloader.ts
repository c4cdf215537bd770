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
import { LevelWatch } from './temporary-levels.js';
import { logLevelsOf } from './log-levels.js';
import { staleOwners, ownersOf, sectionOf } from './owners.js';
import { ClusterPoller } from './cluster-poller.js';
import type { ReloadCounts } from './reload-counts.js';
import { Reloader } from './reloader.js';
import type { SecretSource } from '../../vault/open-secrets.js';
import { singleFlight } from '../../core/lib/single-flight.js';

/** One piece takes up rotated secrets no more often than this. */
const EVERY_MS = 30_000;

/** Passes on which pieces have other secrets. */
interface RotationDebounce {
  add(names: ReadonlySet<string>): void;
  close(): Promise<void>;
}

/** Passes each name on at once, and again no sooner than half a minute later: what comes sooner waits for its time. */
export function createRotationDebounce(
  scheduler: Scheduler,
  pass: (names: ReadonlySet<string>) => void,
): RotationDebounce {
  const latest = new Map<string, number>();
  const waiting = new Set<string>();
  let cancel = (): void => undefined;
  const dueIn = (name: string): number => EVERY_MS - elapsedSince(scheduler, latest.get(name) ?? -Infinity);
  const passDue = (): void => {
    cancel();
    const due = [...waiting].filter((name) => dueIn(name) <= 0);
    for (const name of due) {
      waiting.delete(name);
      latest.set(name, scheduler.now());
    }
    if (due.length > 0) pass(new Set(due));
    if (waiting.size > 0) cancel = scheduler.after(Math.min(...[...waiting].map(dueIn)), passDue);
  };
  return {
    add(names) {
      for (const name of names) waiting.add(name);
      passDue();
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
  const apply = () => reloader.applyRecords();
  const levels = new LevelWatch({ platform, apply, scheduler: clock, log });
  const onActivated = (snapshot: ActiveSnapshot, unrenewed?: ReadonlySet<string>): void => {
    secrets.watch(ownersOf(snapshot), unrenewed && staleOwners(snapshot, unrenewed));
    input.setLevels(logLevelsOf(snapshot));
    levels.watch(snapshot.desired.state);
  };
  const build = createBuild({ ...input, readState: () => platform.read() });
  const reloader = new Reloader({ current, scheduler: clock, log, build, onActivated });
  // What a change comes to stands in the log.
  const pace = createRotationDebounce(clock, (names) => void reloader.renew(names).catch(() => undefined));
  onActivated(current.current());
  secrets.onChange((owners) => {
    pace.add(new Set([...owners].map(sectionOf)));
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
    { keyOf: (adapterId) => adapterId, limit: Infinity },
  );
  return {
    async reload() {
      await withinReloadTimeout(secrets.refresh(), clock);
      return reloader.reload();
    },
    applyRecords: apply,
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
    subscribeClusterChanges,
    pollRevokedTokens: lookForEnded,
    clock: scheduler,
    log,
  }: ConfigReloaderDeps,
  onChange: () => void,
): ClusterPoller | undefined {
  if (!subscribeClusterChanges) return undefined;
  const live = (): number => current.current().desired.state.revision;
  const lookForRecords = createRevisionPoll({ revision: () => platform.revision(), live, onChange });
  const hear = (onNews: () => void): ClusterSubscription =>
    subscribeClusterChanges({ scheduler, log, onChange: onNews });
  return new ClusterPoller({ polls: [lookForRecords, lookForEnded], hear, scheduler });
}

/** Resolves when the work has ended, or when it takes too long; then it goes on by itself. */
function withinReloadTimeout(work: Promise<void>, scheduler: Scheduler): Promise<void> {
  return withTimeout(work, { ms: RELOAD_TIMEOUT_MS, scheduler, late: () => undefined });
}

interface RevisionPollOptions {
  /** Reads the revision of what was asked for through the API. */
  readonly revision: () => Promise<number>;
  /** The revision that is live. */
  readonly live: () => number;
  /** Called once for each revision that others made. */
  readonly onChange: () => void;
}

/** Makes a look for what was asked for on another node. It throws what reading throws. */
export function createRevisionPoll({ revision, live, onChange }: RevisionPollOptions): () => Promise<void> {
  let seen = live();
  return async () => {
    const found = await revision();
    // Our own changes are taken up by whoever made them.
    const isNews = found !== seen && found !== live();
    seen = found;
    if (isNews) onChange();
  };
}
