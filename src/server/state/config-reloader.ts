import { FileWatch } from '../../config/file-watch.js';
import type { ClusterSubscription, SubscribeClusterChanges } from '../../core/cluster-events.js';
import type { Fault } from '../../core/fault.js';
import type { PlatformStore } from '../../core/platform-state.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import type { Scheduler } from '../../lib/clock.js';
import { createCooldown } from '../../lib/cooldown.js';
import { singleFlight } from '../../lib/single-flight.js';
import { withTimeout } from '../../lib/timeout.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import { ClusterPoller, createRevisionPoll } from './cluster-poller.js';
import { DeadlineWatch, type DeadlineWatchDeps } from './deadline-watch.js';
import { reloadsPlugins } from './load.js';
import { followSnapshot } from './notify.js';
import { sectionOf } from './owners.js';
import { ReloadCounter, type ReloadCounts } from './reload-metrics.js';
import { ReloadQueue } from './reload-queue.js';
import { createReload, type ReloadDeps } from './reload.js';
import { SecretProofs } from './secret-proofs.js';
import type { ActiveSnapshot } from './snapshot.js';

/** Minimum time between two attempts to replace an adapter whose newer credentials failed, in milliseconds. */
const RETRY_COOLDOWN_MS = 1_000;

interface ConfigReloaderDeps extends Omit<ReloadDeps, 'readState' | 'counter' | 'deadlines' | 'proofs'> {
  /** The main file. */
  readonly configPath: string;
  /** State of the files when they were read. */
  readonly fileStates: string;
  readonly secrets: SecretSource;
  /** State of the API, which all nodes share. */
  readonly platform: Pick<PlatformStore, 'read' | 'revision' | 'overrides' | 'revert'>;
  /** Records the changes that this server undoes automatically. */
  readonly audit: DeadlineWatchDeps['audit'];
  /** Absent if this node shares its store with no other node. */
  readonly subscribeClusterChanges: SubscribeClusterChanges | undefined;
  /** Reads the tokens that were revoked on other nodes. */
  readonly pollRevokedTokens: () => Promise<void>;
}

/** Keeps a running server up to date. */
export interface ConfigReloader {
  /** Activates the configuration on disk with the current secrets. If it is invalid, returns its faults and changes nothing. */
  readonly reload: () => Promise<readonly Fault[]>;
  /** Activates the state of the API, with the files as they were read last. */
  readonly applyRecords: () => Promise<readonly Fault[]>;
  /** Reads every secret in use now. Resolves when changed secrets are live, or after five seconds. */
  readonly refreshSecrets: () => Promise<void>;
  /**
   * Looks for other credentials of an adapter after its orchestrator refused those of an instance: credentials that were read
   * and are not live yet, or those that Vault has now. Returns true if another instance is live.
   */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
  /** True when the configuration on disk is live; false when it was refused. */
  readonly isUpToDate: () => boolean;
  /** Returns the faults of the configuration on disk; empty while it is live. */
  readonly refusal: () => readonly Fault[];
  readonly counts: () => ReloadCounts;
  /** Results of the tests of rotated secrets. */
  readonly proofs: SecretProofs;
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
  const apply = () => queue.applyRecords();
  const deadlines = new DeadlineWatch({ platform, apply, audit: input.audit, scheduler: clock, log });
  const counter = new ReloadCounter();
  const proofs = new SecretProofs(clock, log);
  const deps = { ...input, readState: () => platform.read(), counter, deadlines, proofs };
  const queue = new ReloadQueue({ current, reload: createReload(deps), counter, scheduler: clock, log });
  const reloadFiles = async (): Promise<readonly Fault[]> => {
    const faults = await queue.reload();
    // A fault in the configuration on disk must not keep replaced certificates from being used.
    if (faults.length > 0) await queue.renew(['', ...current.current().parts.keys()]);
    return faults;
  };
  followSnapshot(current.current(), deps);
  secrets.onChange((owners) => {
    // The queue logs the result.
    queue.renew(new Set([...owners].map(sectionOf))).catch(() => undefined);
  });
  const files = new FileWatch({
    path: configPath,
    states: input.fileStates,
    namedFiles: () => namedFilesOf(current.current()),
    codeOnDisk: () => (reloadsPlugins(current.current().desired) ? input.plugins.codeOnDisk() : undefined),
    scheduler: clock,
    onChange: () => void reloadFiles().catch(() => undefined),
  });
  const removeListener = current.onSwap(() => void files.noteNamedFiles());
  const peers = watchPeers(input, () => void apply().catch(() => undefined));
  return {
    async reload() {
      await withinReloadTimeout(secrets.refresh(), clock);
      return reloadFiles();
    },
    applyRecords: apply,
    async refreshSecrets() {
      await secrets.refresh();
      await withinReloadTimeout(queue.renewed(), clock);
    },
    renew: createRenewal({ ...input, proofs }, queue),
    proofs,
    isUpToDate: () => queue.isUpToDate(),
    refusal: () => queue.refusal(),
    counts: () => counter.counts(),
    async close() {
      removeListener();
      const deadlinesClosed = deadlines.close();
      await Promise.all([files.close(), peers.close()]);
      await queue.close();
      await deadlinesClosed;
    },
  };
}

/** Returns the files whose content is part of a snapshot: certificates, their keys, and keys of issuers. */
function namedFilesOf({ listenerTls, main, parts }: ActiveSnapshot): readonly string[] {
  const handles = [main, ...parts.values()];
  return [...(listenerTls?.files ?? []), ...handles.flatMap(({ origin }) => origin.files)];
}

/** Creates the function that looks for other credentials of an adapter after a refusal; see {@link ConfigReloader.renew}. */
function createRenewal(
  { current, secrets, proofs, clock }: ConfigReloaderDeps & { readonly proofs: SecretProofs },
  queue: ReloadQueue,
): ConfigReloader['renew'] {
  const isLive = (instance: AdapterInstance): boolean =>
    current.current().adapters.get(instance.id) === instance;
  const retryWaitMs = createCooldown(clock, RETRY_COOLDOWN_MS);
  const renewOnce = singleFlight(
    async (refused: AdapterInstance) => {
      const { id } = refused;
      await queue.renewed(id);
      if (!isLive(refused)) return;
      const isChanged = await secrets.refreshAfterRefusal(id);
      // Newer credentials that failed before are tried again: the orchestrator no longer accepts the old ones.
      const mayRetry = current.current().outdated.has(id) && retryWaitMs(id) === 0;
      if (mayRetry) proofs.forget(id);
      if (isChanged || mayRetry) await queue.renew([id]);
    },
    (refused) => refused,
  );
  return async (refused) => {
    if (isLive(refused)) {
      // A failure is logged; the caller receives the refusal of the orchestrator.
      const renewal = renewOnce(refused).catch(() => undefined);
      await withinReloadTimeout(renewal, clock);
    }
    return !isLive(refused);
  };
}

/**
 * Creates the poller for changes of other processes. On a database of this node alone, these are changes of commands such as
 * `gatehouse profile --none`; on a shared database also the state of the API and the revoked tokens of other nodes.
 */
function watchPeers(
  { current, platform, subscribeClusterChanges, pollRevokedTokens, clock, log }: ConfigReloaderDeps,
  onChange: () => void,
): ClusterPoller {
  const pollRecords = createRevisionPoll({
    revision: () => platform.revision(),
    live: () => current.current().desired.state.revision,
    onChange,
    mustPersist: !subscribeClusterChanges,
  });
  const noSubscription = { close: () => Promise.resolve() };
  const subscribe = (onNotification: () => void): ClusterSubscription =>
    subscribeClusterChanges?.({ scheduler: clock, log, onChange: onNotification }) ?? noSubscription;
  const polls = subscribeClusterChanges ? [pollRecords, pollRevokedTokens] : [pollRecords];
  return new ClusterPoller({ polls, subscribe, scheduler: clock });
}

/** Resolves when the work has ended or the time limit has passed. The work is not canceled. */
function withinReloadTimeout(work: Promise<void>, scheduler: Scheduler): Promise<void> {
  return withTimeout(work, { ms: RELOAD_TIMEOUT_MS, scheduler, late: () => undefined });
}
