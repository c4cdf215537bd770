import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, wallTimes } from '../lib/clock.js';
import { singleFlight } from '../lib/single-flight.js';
import type { SecretStoreSettings } from '../settings/secret-files.js';
import type { VaultSettings } from '../settings/vault.js';
import { openFileStore } from './files/file-store.js';
import type { LocatedReference } from './find-references.js';
import { createLeasesToRevoke } from './leases.js';
import {
  checkGroups,
  type Freshness,
  type ReferenceCheck,
  type Resolution,
  resolveGroups,
} from './resolve.js';
import { SecretCache } from './secret-cache.js';
import { type ChangeListener, type ChangeNotifier, createChangeNotifier } from './secret-changes.js';
import { failureOf } from './secret-error.js';
import { groupReferences, pathBelowMount } from './secret-path.js';
import type { SecretInUse, SecretStatus } from './secret-status.js';
import type { SecretStore } from './store.js';
import type { VaultCertificates } from './vault/http.js';
import type { ClientDeps } from './vault/open-client.js';
import type { SecretBrowser } from './vault/secret-browser.js';
import type { SecretFields } from './vault/secret-writer.js';
import { openVaultStore, type Traffic } from './vault/vault-store.js';

export type { Freshness, Resolution } from './resolve.js';
export type { SecretInUse, SecretStatus } from './secret-status.js';
export type { Traffic } from './vault/vault-store.js';

/** Reads secrets. */
export interface SecretResolver {
  /**
   * Returns the value of every reference, by pointer. Fields of one secret come from one read, so that a user
   * name and its password match. A valid lease is never replaced. Values are not searched for further
   * references. Rejects only on a bug.
   */
  resolve(
    references: readonly LocatedReference[],
    freshness?: Freshness,
  ): Promise<ReadonlyMap<string, Resolution>>;
}

/** Numbers about the secrets in use, and about the requests to Vault. */
export interface SecretCounts {
  /** Returns state, age and failures of the secrets in use. Contains no path and no value. */
  status(): SecretStatus;
  /** Returns the request counts of Vault, and the remaining lifetime of the token. */
  traffic(): Traffic;
}

/** All stores of secrets behind one cache: references are resolved, and their secrets kept fresh while they are in use. */
export interface SecretSource extends SecretResolver, SecretCounts {
  /**
   * Checks for every reference whether its store has a value. Reads no values of Vault if the engine can list fields
   * without them (KV version 2). Rejects only on a bug.
   */
  check(references: readonly LocatedReference[]): Promise<readonly ReferenceCheck[]>;
  /**
   * Sets the references in use, by owner, with the values that were resolved last; replaces the previous set.
   * The source keeps them fresh from then on. It forgets secrets that are no longer named, and revokes unused
   * leases after a delay. Leases of `outdatedOwners` stay, because these owners still use the previous
   * values.
   */
  watch(owners: ReadonlyMap<string, readonly LocatedReference[]>, outdatedOwners?: ReadonlySet<string>): void;
  /**
   * Calls back with the owners for whom a value changed, arrived for the first time, or ended with its lease.
   * Changes of one moment are combined. `resolve(..., 'held')` returns the new values.
   */
  onChange(listener: ChangeListener): void;
  /**
   * Reads the credentials of an owner immediately after an orchestrator refused them; each secret of Vault at most once a
   * second, leased credentials at most once in five seconds. Resolves to true if a credential changed, or if a change was read before
   * and not announced; change listeners are notified as well.
   */
  refreshAfterRefusal(owner: string): Promise<boolean>;
  /**
   * Reads everything in use now, and renews leases. Resolves after all attempts, when the listeners know every
   * change; `status` reports the failures.
   */
  refresh(): Promise<void>;
  /**
   * Writes fields of the secret at a path below the configured mount of Vault, and keeps its other fields. Then reads
   * the secret again for its current users. Throws a {@link SecretError} if Vault rejects the fields.
   */
  store(path: string, fields: SecretFields): Promise<void>;
  /** Lists the names below the configured mount of Vault for people. */
  readonly browser: SecretBrowser;
  vaultState(): SecretStatus['state'];
  /** Returns every reference in use with its state. Contains paths, but no values. */
  inUse(): readonly SecretInUse[];
  /** Returns the certificates of the connection to Vault; none before the first read. */
  certificates(): VaultCertificates;
  /** Stops all reads, and releases what the stores hold. A second call waits for the first. */
  close(): Promise<void>;
}

interface SecretSettings {
  readonly vault: VaultSettings | null;
  readonly secrets: SecretStoreSettings;
}

/** External dependencies of the secret source; tests supply the optional members. */
export type SecretDeps = Omit<ClientDeps, 'wait' | 'random'> &
  Partial<Pick<ClientDeps, 'wait' | 'random'>> & {
    /** Time that calls with old credentials may still run before these are revoked, in milliseconds. */
    readonly drainMs?: number;
    /** Wall clock for the times that people see; absent: the one that belongs to the scheduler. */
    readonly clock?: Clock;
  };

const DRAIN_MS = 30_000;

/**
 * Opens the configured stores as one source. Reads nothing and sends no request before the first `resolve`. Missing
 * credentials make references fail, not the start. Without usable settings of a store its references fail.
 */
export function openSecrets({ vault, secrets }: SecretSettings, options: SecretDeps): SecretSource {
  const deps = { wait, random: Math.random, ...options };
  const { scheduler, log, random, drainMs = DRAIN_MS } = deps;
  const wallTimeOf = wallTimes(scheduler, deps.clock);
  const mount = vault?.mount ?? '';
  const stores = { vault: openVaultStore(vault, deps), file: openFileStore(secrets.files, deps) };
  const notifier = createChangeNotifier(scheduler, log);
  const cache = new SecretCache({
    stores,
    renewLease: (lease) => stores.vault.renewLease(lease),
    mount,
    random,
    scheduler,
    notifier,
    leasesToRevoke: createLeasesToRevoke(scheduler, {
      drainMs,
      revoke: (id) => void stores.vault.revokeLease(id),
    }),
    log,
  });
  const refreshStore = createRefresh({ cache, notifier });
  const all: readonly SecretStore[] = Object.values(stores);
  for (const store of all)
    store.onChange((change) => void (change === 'token' ? cache.useNewToken(store) : refreshStore(store)));
  let closing: Promise<void> | undefined;
  return {
    resolve: (references, freshness = 'read') =>
      resolveGroups(groupReferences(references, mount), { cache, freshness, log }),
    check: (references) => checkGroups(groupReferences(references, mount), stores),
    watch: (owners, outdatedOwners) => {
      cache.watch(owners, outdatedOwners);
    },
    onChange: (listener) => {
      notifier.onChange(listener);
    },
    refreshAfterRefusal: createRefusalReads(all, { cache, notifier }),
    refresh: async () => {
      await Promise.all(all.map(refreshStore));
      notifier.flush();
    },
    store: async (path, fields) => {
      const secret = pathBelowMount(path.split('/'), mount);
      const version = await stores.vault.write(secret, fields);
      log.info('secret written', { path: secret.key, version });
      // The write succeeded. A failure of this read is recorded at its source.
      await cache.read(secret).catch(failureOf);
    },
    browser: stores.vault.browser,
    status: () => cache.status(),
    vaultState: () => cache.status(stores.vault).state,
    inUse: () => cache.inUse().map((secret) => inWallTime(secret, wallTimeOf)),
    traffic: () => stores.vault.traffic(),
    certificates: () => stores.vault.certificates(),
    close: () => (closing ??= closeAll(all, { cache, notifier })),
  };
}

function inWallTime(secret: SecretInUse, wallTimeOf: (time: number) => number): SecretInUse {
  const { goodAt, rotated } = secret;
  return {
    ...secret,
    ...(goodAt !== undefined && { goodAt: wallTimeOf(goodAt) }),
    ...(rotated && { rotated: { ...rotated, at: wallTimeOf(rotated.at) } }),
  };
}

interface CacheParts {
  readonly cache: SecretCache;
  readonly notifier: ChangeNotifier;
}

/** Creates the function that reads everything in use of a store. */
function createRefresh({ cache, notifier }: CacheParts): (store: SecretStore) => Promise<void> {
  return async (store) => {
    await store.rereadCredential?.();
    const reads = (): Promise<void> => cache.refresh(store);
    await (store.refresh.announcesTogether ? notifier.round(store, reads) : reads());
  };
}

async function closeAll(stores: readonly SecretStore[], { cache, notifier }: CacheParts): Promise<void> {
  notifier.close();
  const leases = cache.close();
  await Promise.all(stores.map((store) => store.close(leases)));
}

/** Creates the function that reads the secrets of an owner after a refusal, in each store on its terms. */
function createRefusalReads(
  stores: readonly SecretStore[],
  { cache, notifier }: CacheParts,
): SecretSource['refreshAfterRefusal'] {
  // Concurrent refusals of an owner share one read.
  const rereads = stores
    .filter(({ refresh }) => refresh.afterRefusal !== 'never')
    .map((store) =>
      singleFlight(
        (owner: string) => cache.refreshOwner(owner, store),
        (owner) => owner,
      ),
    );
  return async (owner) => {
    if (notifier.isPending(owner)) return true;
    const changed = await Promise.all(rereads.map((reread) => reread(owner)));
    return changed.includes(true);
  };
}

/** Waits for a number of milliseconds; resolves early when the signal fires. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
