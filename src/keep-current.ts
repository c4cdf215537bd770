import { FileWatch } from './config/file-watch.js';
import type { Scheduler } from './domain/clock.js';
import type { Fault } from './domain/fault.js';
import type { AdapterInstance } from './domain/snapshot.js';
import { type BuildDeps, createBuild } from './runtime/create-build.js';
import type { Current } from './runtime/current.js';
import type { LiveSnapshot } from './runtime/live-snapshot.js';
import { ownersOf, piecesOf } from './runtime/owners.js';
import type { ReloadCounts } from './runtime/reload-counts.js';
import { Reloader } from './runtime/reloader.js';
import { createRotationPace } from './runtime/rotation-pace.js';
import type { SecretSource } from './secrets/resolve.js';
import { shareWork } from './secrets/share-work.js';

export interface KeepCurrentInput extends Omit<BuildDeps, 'secrets' | 'clock'> {
  /** The main file. */
  readonly configPath: string;
  /** State of the files when they were read. */
  readonly fileStates: string;
  readonly current: Current<LiveSnapshot>;
  readonly secrets: SecretSource;
  readonly clock: Scheduler;
}

/** What keeps a running server up to date. */
export interface KeptCurrent {
  /** Makes the configuration on disk live, with the secrets of this moment; or changes nothing and tells why. */
  readonly reload: () => Promise<readonly Fault[]>;
  /**
   * After an orchestrator refused an adapter's credentials: reads them anew, at most once in half a minute. True when
   * another instance is live.
   */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
  /** True when the configuration on disk is live; false when it was refused. */
  readonly isUpToDate: () => boolean;
  readonly counts: () => ReloadCounts;
  close(): Promise<void>;
}

/**
 * How long a reload waits for Vault before it goes on with the values that are held, and a refused call for new
 * credentials before it tells its caller of the refusal, in milliseconds.
 */
const PATIENCE_MS = 5_000;

/** Connects what may change to the one way of changing: files, and secrets as Vault rotates them. */
export function keepCurrent(input: KeepCurrentInput): KeptCurrent {
  const { current, secrets, clock, log, configPath } = input;
  const reloader = new Reloader({
    ...{ current, scheduler: clock, log, build: createBuild(input) },
    wentLive: (snapshot) => {
      secrets.watch(ownersOf(snapshot));
    },
  });
  // What a change comes to stands in the log.
  const pace = createRotationPace(clock, (names) => void reloader.renew(names).catch(() => undefined));
  secrets.watch(ownersOf(current.peek()));
  secrets.onChange((owners) => {
    pace.add(piecesOf(owners));
  });
  const files = new FileWatch({
    ...{ path: configPath, states: input.fileStates, scheduler: clock },
    onChange: () => void reloader.reload().catch(() => undefined),
  });
  const renewOnce = shareWork(
    async (adapterId: string) => {
      if (await secrets.refreshAfterRefusal(adapterId)) await reloader.renew([adapterId]);
    },
    { keyOf: (adapterId) => adapterId, limit: Infinity },
  );
  return {
    async reload() {
      await withPatience(secrets.refresh(), clock);
      return reloader.reload();
    },
    async renew(refused) {
      const isReplaced = (): boolean => current.peek().adapters.get(refused.id) !== refused;
      // What goes wrong stands in the log; the caller has the refusal.
      if (!isReplaced())
        await withPatience(
          renewOnce(refused.id).catch(() => undefined),
          clock,
        );
      return isReplaced();
    },
    isUpToDate: () => reloader.isUpToDate(),
    counts: () => reloader.counts(),
    async close() {
      await Promise.all([files.close(), pace.close()]);
      await reloader.close();
    },
  };
}

/** Resolves when the work has ended, or when it takes too long; then it goes on by itself. */
async function withPatience(work: Promise<void>, scheduler: Scheduler): Promise<void> {
  let callOff = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    callOff = scheduler.after(PATIENCE_MS, resolve);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    callOff();
  }
}
