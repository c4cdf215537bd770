import { ConfigError, type Fault } from '../../core/fault.js';
import type { Redactor } from '../../core/secret.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import { buildSnapshot, type SnapshotDeps } from './build.js';
import { type Desired, enabledSections } from './configuration.js';
import { loadConfiguration, type LoadDeps, type ReloadCause } from './load.js';
import { type NotifyDeps, notify } from './notify.js';
import { planSnapshot } from './plan.js';
import { redactedSecrets, type Resolved, resolveSections } from './resolve.js';
import type { SecretProofs } from './secret-proofs.js';
import type { ActiveSnapshot, BuildDeps } from './snapshot.js';
import { type SnapshotHolder, swap } from './swap.js';

/** What a reload needs from the queue that runs it. */
interface ReloadTerms {
  /** Fires when the server stops. */
  readonly stopping: AbortSignal;
  /** Called after the swap; returns the names of the sections whose renewal is pending or failed. */
  readonly noteSwap: () => ReadonlySet<string>;
}

/** Runs one reload. Resolves to the faults that refuse the configuration; it then changes nothing. */
export type Reload = (cause: ReloadCause, terms: ReloadTerms) => Promise<readonly Fault[]>;

export interface ReloadDeps extends Omit<LoadDeps, 'factories'>, BuildDeps, NotifyDeps {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: Pick<SecretSource, 'resolve' | 'watch'>;
  readonly redactor: Redactor;
  readonly proofs: SecretProofs;
}

/** Creates the reload: load, plan, build, swap, notify. Reloads must run one after the other. */
export function createReload(deps: ReloadDeps): Reload {
  const { current, log } = deps;
  return async (cause, { stopping, noteSwap }) => {
    const previous = current.current();
    // An operator reloads after an issuer has withdrawn a key.
    if (cause === 'files') previous.main.value.verifier.refreshKeys();

    // 1. Load: the files, the state of the API, or neither if only secrets have changed.
    const { desired, faults } = await loadConfiguration(previous.desired, cause, deps);
    if (faults.length > 0) return faults;

    const only = typeof cause === 'string' ? undefined : cause;
    const needed = enabledSections(desired).filter(({ name }) => !only || only.has(name));
    const secrets = redactedSecrets(deps.secrets, deps.redactor);
    try {
      // 2. Plan: with their secrets, which sections are as before, and which are to be built.
      const resolved = await resolveSections(needed, secrets, 'held');
      const generation = previous.generation + 1;
      const plan = await planSnapshot(previous, { desired, resolved, generation, only });

      // 3. Build: opens and starts what is new, and keeps the rest. Nothing new is visible to callers yet.
      const built = await buildSnapshot(previous, plan, { ...deps, stopping });
      if ('faults' in built) return built.faults;
      const next = built.snapshot;

      // 4. Swap: calls that began with the previous snapshot end with it.
      swap(current, next, log);

      // 5. Notify: log levels, the watch of secrets, the deadlines and the tests of rotated secrets follow the new snapshot.
      notify({ previous, next, cause, unrenewed: noteSwap() }, deps);
      deps.proofs.followSwap(next.adapters);
      return [];
    } finally {
      await secrets.close();
    }
  };
}

/**
 * Builds the first snapshot of a process from a configuration whose secrets have been read. Throws a ConfigError with the faults
 * that refuse it.
 */
export async function buildFirstSnapshot(
  { desired, resolved }: { readonly desired: Desired; readonly resolved: Resolved },
  deps: SnapshotDeps,
): Promise<ActiveSnapshot> {
  const plan = await planSnapshot(undefined, { desired, resolved, generation: 1 });
  const built = await buildSnapshot(undefined, plan, deps);
  if ('faults' in built) throw new ConfigError(built.faults);
  return built.snapshot;
}
