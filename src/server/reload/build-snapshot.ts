import type { Fault } from '../../core/fault.js';
import type { DesiredAdapter } from './desired-state.js';
import type { ActiveSnapshot } from './active-snapshot.js';
import { rebuildAdapter } from './rebuild-adapter.js';
import { rebuildSettings } from './rebuild-settings.js';
import type { BuildResult } from './build-result.js';
import type { Handle } from './handle.js';
import type { SnapshotInput } from './snapshot-input.js';
import { type ApplicationInstance, NO_OVERRIDES } from '../../core/component.js';

/** A snapshot that was built, or the faults that refuse the configuration as a whole. */
export type Built = { readonly snapshot: ActiveSnapshot } | { readonly faults: readonly Fault[] };

/**
 * Builds what changed, from a configuration that is valid as written, and takes the rest from the former snapshot. What
 * is new has been started. An adapter that cannot be replaced by a working one serves on as it was; one that is new and
 * lacks a secret is `DEAD` while the others serve. Any other fault refuses the configuration, and what was built is closed.
 */
export async function buildSnapshot(input: SnapshotInput): Promise<Built> {
  const { desired, generation } = input;
  const main = await rebuildSettings(input);
  const building = await Promise.allSettled(
    desired.adapters.map((adapter) => rebuildAdapter(adapter, input)),
  );
  const adapters = building.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const broken = building.find((one) => one.status === 'rejected');
  const faults = [main, ...adapters].flatMap((next) => ('faults' in next ? next.faults : []));
  const held = [main, ...adapters].flatMap((next) => ('part' in next ? [next.part] : []));
  const close = releaserOf(held);
  if ('faults' in main || faults.length > 0 || broken) {
    await close();
    if (broken) throw broken.reason;
    return { faults };
  }
  const named = desired.adapters.map(({ id }, at) => [id, adapters[at]] as const);
  const parts = new Map(named.flatMap(([id, next]) => (next && 'part' in next ? [[id, next.part]] : [])));
  const instances = new Map([...parts].map(([id, { value }]) => [id, value]));
  const outdated = new Map([...named, ['', main] as const].flatMap(outdatedEntry));
  const { verifier, logins, egress, roles, forms, logLevel } = main.part.value;
  return {
    snapshot: {
      generation,
      desired,
      verifier,
      logins,
      egress,
      roles,
      forms,
      logLevel,
      outdated,
      close,
      main: main.part,
      parts,
      adapters: instances,
      signIns: verifier.signIns,
      written: new Map(desired.adapters.map(({ id, written }) => [id, written.value])),
      applications: nextApplications(input),
      suspended: new Map(desired.adapters.flatMap(suspendedEntry)),
    },
  };
}

/** One that does not run has a better answer. */
function suspendedEntry({ id, runs, overrides }: DesiredAdapter): [string, 'paused' | 'refusing'][] {
  const { wanted } = overrides;
  return runs && (wanted === 'paused' || wanted === 'refusing') ? [[id, wanted]] : [];
}

function outdatedEntry([id, next]: readonly [string, BuildResult<unknown> | undefined]): [string, string][] {
  return next && 'part' in next && next.outdated !== undefined ? [[id, next.outdated]] : [];
}

/** Made here, where nothing else is in sight: a snapshot that held on to its former one would keep all before it. */
function releaserOf(parts: readonly Handle<unknown>[]): () => Promise<void> {
  return async () => {
    await Promise.allSettled(parts.map((part) => part.release()));
  };
}

/** The applications of this process; one that is as it was before keeps its time. */
function nextApplications({
  previous,
  desired,
  factories,
  clock,
}: SnapshotInput): ReadonlyMap<string, ApplicationInstance> {
  const now = clock.now();
  return new Map(
    factories.applicationNames.map((name) => {
      const { wanted, restarts } = desired.state.overrides.application.get(name) ?? NO_OVERRIDES;
      const next = {
        name,
        state: wanted === 'running' ? 'RUNNING' : 'STOPPED',
        restarts,
        since: now,
      } as const;
      const before = previous?.applications.get(name);
      const isAsBefore = before?.state === next.state && before.restarts === restarts;
      return [name, isAsBefore ? before : next];
    }),
  );
}
