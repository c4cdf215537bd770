import { openInBackground, replacementError } from '../../adapters/starter.js';
import { asAdapterSettings } from '../../config/adapter-schema.js';
import { type ApplicationInstance, NO_OVERRIDES } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import type { Redactor } from '../../core/secret.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import { accessPolicies, rolesByGrant } from './access-policies.js';
import { buildAdapter } from './build-adapter.js';
import { buildMain } from './build-main.js';
import { type AdapterConfig, locateFault } from './configuration.js';
import { type BuiltPart, createHandle, type Handle, keepPart, reasonOf } from './handle.js';
import { type Plan, withReferenced } from './plan.js';
import type { ResolvedSection } from './resolve.js';
import type { RotatedAdapter, SecretProofs } from './secret-proofs.js';
import type { ActiveSnapshot, BuildDeps, LiveListenerTls, MainParts } from './snapshot.js';

/** A snapshot that was built, or the faults that refuse the whole configuration. */
export type BuiltSnapshot = { readonly snapshot: ActiveSnapshot } | { readonly faults: readonly Fault[] };

export interface SnapshotDeps extends BuildDeps {
  /** Masks the values from Vault while a part that contains them is in use. */
  readonly redactor: Redactor;
  /** Tries rotated secrets; absent at the start. */
  readonly proofs?: SecretProofs;
  /** Fires when the server stops, and ends the wait for starts of adapters. */
  readonly stopping?: AbortSignal;
}

/**
 * Builds what the plan says, keeps the other parts of the previous snapshot, and starts new adapters. If the replacement of an
 * adapter does not work, the previous adapter continues to serve. A new adapter without its secret is `DEAD`. Any other fault
 * refuses the configuration, and the parts that were built are closed.
 */
export async function buildSnapshot(
  previous: ActiveSnapshot | undefined,
  plan: Plan,
  deps: SnapshotDeps,
): Promise<BuiltSnapshot> {
  const { desired, generation } = plan;
  const main = await buildMainPart(previous, plan, deps);
  const listener = await readListenerTls(previous, plan, deps);
  const building = await Promise.allSettled(
    plan.adapters.map((adapter) => buildAdapterPart(previous, adapter, deps)),
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
  return {
    snapshot: {
      ...main.part.value,
      generation,
      desired,
      access: accessPolicies(desired, deps.factories.callRoles),
      grantedRoles: rolesByGrant(desired.state),
      outdated: new Map([...named, ['', main] as const].flatMap(outdatedEntry)),
      close,
      main: main.part,
      listenerTls: listener.listenerTls,
      parts,
      adapters: new Map([...parts].map(([id, { value }]) => [id, value])),
      written: new Map(desired.adapters.map(({ id, written }) => [id, written.value])),
      applications: nextApplications(previous, plan, deps),
      suspended: new Map(desired.adapters.flatMap(suspendedEntry)),
    },
  };
}

/** Builds the parts of the main file. If a rotated secret or certificate makes that fail, the parts in use stay. */
async function buildMainPart(
  snapshot: ActiveSnapshot | undefined,
  { main, desired }: Plan,
  deps: SnapshotDeps,
): Promise<BuiltPart<MainParts>> {
  if ('kept' in main) return keepPart(main.kept, main.outdated);
  const { config, origin, previous, isAsBefore } = main;
  const built = await buildMain(desired, config.resolved, deps);
  if ('value' in built) {
    const { value } = built;
    return { part: createHandle({ value, config, origin, close: closeMain }, deps.redactor) };
  }
  // A fault of a secret or of the file of an issuer must not prevent changes to adapters.
  if (!previous || !isAsBefore) return built;
  const reason = reasonOf(built.faults);
  if (snapshot?.outdated.get(config.name) !== reason)
    deps.log.error('rotated secret or certificate is not usable; keeping the previous one', {
      faults: built.faults,
    });
  return keepPart(previous, reason);
}

function closeMain({ verifier }: MainParts): Promise<void> {
  return verifier.close();
}

/**
 * Reads the certificates of the listener. At the start, a file that cannot be used is a fault. Later, the certificates in use
 * stay, and the rest of the configuration is not affected.
 */
async function readListenerTls(
  previous: ActiveSnapshot | undefined,
  { listenerTls: tls, desired }: Plan,
  { factories, log }: SnapshotDeps,
): Promise<{ readonly listenerTls: LiveListenerTls | null } | { readonly faults: readonly Fault[] }> {
  const live = previous?.listenerTls ?? null;
  if (tls === null) return { listenerTls: live };
  const opened = await factories.openListenerTls(tls);
  if (opened.value) return { listenerTls: opened.value };
  const faults = opened.faults.map((fault) => locateFault(desired.main.written, fault));
  if (!live) return { faults };
  const refusal = reasonOf(faults);
  if (refusal !== live.refusal)
    log.error('certificate of the listener not replaced; keeping the certificate in use', { faults });
  return { listenerTls: { ...live, refusal } };
}

/**
 * Builds an adapter, and starts it. If it does not work, the running adapter stays in use, unless the operator changed one of
 * its binding settings.
 */
async function buildAdapterPart(
  snapshot: ActiveSnapshot | undefined,
  adapter: Plan['adapters'][number],
  deps: SnapshotDeps,
): Promise<BuiltPart<AdapterInstance>> {
  if ('kept' in adapter) return keepPart(adapter.kept, adapter.outdated);
  const { config, previous, isAsBefore, mayStay } = adapter;
  const built = await buildAdapter(config, deps);
  if ('faults' in built) {
    // If the file is unchanged, its faults must not prevent changes to other adapters.
    return previous && isAsBefore
      ? keepRunning(previous, reasonOf(built.faults), [snapshot, deps.log])
      : built;
  }
  const { instance } = built;
  const origin = await withReferenced(config, adapter.origin, built.referenced);
  const part = createHandle({ value: instance, config, origin, close: closeInstance }, deps.redactor);
  const rotated = rotationOf(adapter, instance);
  if (!previous || !mayStay || !canKeepServing(previous, config.resolved)) {
    await openUnconditionally(instance, rotated, deps);
    return { part };
  }
  const reason = await replacementRefusal(instance, rotated, deps);
  if (reason === undefined) return { part };
  await part.release();
  return keepRunning(previous, reason, [snapshot, deps.log]);
}

/** Starts an adapter that is used even if it does not work, so that its rotated secrets are tried after the swap. */
async function openUnconditionally(
  instance: AdapterInstance,
  rotated: RotatedAdapter | undefined,
  { proofs, stopping }: SnapshotDeps,
): Promise<void> {
  await openInBackground(instance, stopping);
  if (!rotated) proofs?.forget(instance.id);
  else await proofs?.refusalOf({ ...rotated, mode: rotated.mode === 'test-first' ? 'switch' : rotated.mode });
}

/** Starts an adapter, and tries its rotated secrets. Returns why it must not replace the running adapter; undefined if it may. */
async function replacementRefusal(
  instance: AdapterInstance,
  rotated: RotatedAdapter | undefined,
  { proofs, stopping }: SnapshotDeps,
): Promise<string | undefined> {
  if (!rotated || !proofs) {
    proofs?.forget(instance.id);
    return (await replacementError(instance, stopping))?.reason;
  }
  const known = proofs.knownRefusalOf(rotated);
  if (known !== undefined) return known;
  const failure = await replacementError(instance, stopping);
  if (failure?.isRefusal) proofs.noteRefusedStart(rotated, failure.reason);
  return failure?.reason ?? proofs.refusalOf(rotated);
}

/** Returns the adapter if it differs from the one in use by the values of its secrets alone. */
function rotationOf(
  { config, origin, previous, isAsBefore }: Exclude<Plan['adapters'][number], { readonly kept: unknown }>,
  instance: AdapterInstance,
): RotatedAdapter | undefined {
  const { resolved, references, runs } = config;
  if (!previous || !isAsBefore || !runs || references.length === 0 || resolved.failures.length > 0)
    return undefined;
  if (previous.origin.secrets?.fingerprint === origin.secrets?.fingerprint) return undefined;
  return { instance, mode: asAdapterSettings(resolved.value).secretRotation, origin, previous };
}

function closeInstance(instance: AdapterInstance): Promise<void> {
  return instance.close();
}

/** Returns true if the adapter runs and its credentials are valid. Credentials of an expired lease are not. */
function canKeepServing({ value }: Handle<AdapterInstance>, { failures }: ResolvedSection): boolean {
  return value.state().name === 'RUNNING' && !failures.some(({ code }) => code === 'VAULT_LEASE_ENDED');
}

function keepRunning(
  previous: Handle<AdapterInstance>,
  reason: string,
  [snapshot, log]: readonly [ActiveSnapshot | undefined, Log],
): BuiltPart<AdapterInstance> {
  const { id } = previous.value;
  if (reason !== snapshot?.outdated.get(id))
    log.error('adapter not replaced: its replacement does not work; keeping the running adapter', {
      adapter: id,
      reason,
    });
  return keepPart(previous, reason);
}

/** Returns the entry of a suspended adapter. An adapter that does not run has none; its instance rejects calls. */
function suspendedEntry({ id, runs, overrides }: AdapterConfig): [string, 'paused' | 'refusing'][] {
  const { wanted } = overrides;
  return runs && (wanted === 'paused' || wanted === 'refusing') ? [[id, wanted]] : [];
}

function outdatedEntry([id, next]: readonly [string, BuiltPart<unknown> | undefined]): [string, string][] {
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
function nextApplications(
  previous: ActiveSnapshot | undefined,
  { desired }: Plan,
  { factories, clock }: SnapshotDeps,
): ReadonlyMap<string, ApplicationInstance> {
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
