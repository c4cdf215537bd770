import { type ApplicationInstance, NO_OVERRIDES } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import { accessPolicies } from './access-policies.js';
import type { ActiveSnapshot, SnapshotInput } from './active-snapshot.js';
import { rebuildSettings } from './build-settings.js';
import type { DesiredAdapter } from './desired-state.js';
import type { BuildResult, Handle } from './handle.js';
import { rebuildAdapter } from './rebuild-adapter.js';
import { rebuildListenerTls } from './rebuild-listener-tls.js';

/** A snapshot that was built, or the faults that refuse the whole configuration. */
export type Built = { readonly snapshot: ActiveSnapshot } | { readonly faults: readonly Fault[] };

/**
 * Builds a snapshot from a configuration that is valid as written. Reuses unchanged parts of the previous snapshot, and
 * starts new adapters. If the replacement of an adapter does not work, the previous adapter continues to serve. A new adapter
 * without its secret is `DEAD`. Any other fault refuses the configuration, and the parts that were built are closed.
 */
export async function buildSnapshot(input: SnapshotInput): Promise<Built> {
  const { desired, generation } = input;
  const main = await rebuildSettings(input);
  const listener = await rebuildListenerTls(input);
  const building = await Promise.allSettled(
    desired.adapters.map((adapter) => rebuildAdapter(adapter, input)),
  );
  const adapters = building.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const broken = building.find((result) => result.status === 'rejected');
  const faults = [listener, main, ...adapters].flatMap((next) => ('faults' in next ? next.faults : []));
  const held = [main, ...adapters].flatMap((next) => ('part' in next ? [next.part] : []));
  const close = releaserOf(held);
  if ('faults' in main || 'faults' in listener || faults.length > 0 || broken) {
    await close();
    if (broken) throw broken.reason;
    return { faults };
  }
  const named = desired.adapters.map(({ id }, at) => [id, adapters[at]] as const);
  const parts = new Map(named.flatMap(([id, next]) => (next && 'part' in next ? [[id, next.part]] : [])));
  const instances = new Map([...parts].map(([id, { value }]) => [id, value]));
  const outdated = new Map([...named, ['', main] as const].flatMap(outdatedEntry));
  const { verifier, logins, clientCertificates, egress, roles, limits, forms, notifications, logLevel } =
    main.part.value;
  return {
    snapshot: {
      generation,
      desired,
      access: accessPolicies(desired),
      verifier,
      logins,
      clientCertificates,
      egress,
      roles,
      limits,
      forms,
      notifications,
      logLevel,
      outdated,
      close,
      main: main.part,
      listenerTls: listener.listenerTls,
      parts,
      adapters: instances,
      signIns: verifier.signIns,
      issuerChecks: verifier.issuerChecks,
      shellProviders: verifier.shellProviders,
      written: new Map(desired.adapters.map(({ id, written }) => [id, written.value])),
      applications: nextApplications(input),
      suspended: new Map(desired.adapters.flatMap(suspendedEntry)),
    },
  };
}

/** Returns the entry of a suspended adapter. An adapter that does not run has none; its instance rejects calls. */
function suspendedEntry({ id, runs, overrides }: DesiredAdapter): [string, 'paused' | 'refusing'][] {
  const { wanted } = overrides;
  return runs && (wanted === 'paused' || wanted === 'refusing') ? [[id, wanted]] : [];
}

function outdatedEntry([id, next]: readonly [string, BuildResult<unknown> | undefined]): [string, string][] {
  return next && 'part' in next && next.outdated !== undefined ? [[id, next.outdated]] : [];
}

/**
 * Returns the function that releases the parts. It is created outside `buildSnapshot` so that its closure does not retain the
 * previous snapshot, and with it all earlier ones.
 */
function releaserOf(parts: readonly Handle<unknown>[]): () => Promise<void> {
  return async () => {
    await Promise.allSettled(parts.map((part) => part.release()));
  };
}

/** Returns the applications of this process. An unchanged application keeps its `since`. */
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
      const isUnchanged = before?.state === next.state && before.restarts === restarts;
      return [name, isUnchanged ? before : next];
    }),
  );
}
