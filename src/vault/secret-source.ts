import type { Scheduler } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import type { VaultSettings } from '../core/vault-settings.js';
import { failureAt, groupReferences, type ReferenceGroup } from './cached-secret.js';
import type { Connection, Traffic } from './connect.js';
import { extractField, type SecretValue } from './extract-field.js';
import type { LocatedReference } from './find-references.js';
import { createLeasesToRevoke } from './leases.js';
import { createRefusalReread } from './refresh-times.js';
import { SecretCache } from './secret-cache.js';
import { type ChangeListener, type ChangeNotifier, createChangeNotifier } from './secret-changes.js';
import type { SecretBrowser } from './secret-browser.js';
import { secretPath, type SecretPath } from './secret-path.js';
import type { SecretData } from './secret-reader.js';
import type { SecretInUse, SecretStatus } from './secret-status.js';
import type { SecretFields } from './secret-writer.js';
import type { VaultCertificates } from './vault-http.js';
import { failureOf, VaultError, type VaultFailure } from './vault-error.js';

/** Value of a reference, or the reason why it is unavailable. */
export type Resolution =
  | {
      readonly value: SecretValue;
      /** Version of the secret; absent if its engine keeps none. */
      readonly version?: number;
    }
  | VaultFailure;

/** `read` reads from Vault; `held` uses the last good read, and reads only values that are not cached. */
export type Freshness = 'read' | 'held';

/** Source of secrets. */
export interface SecretSource {
  /**
   * Returns the value of every reference, by pointer. Fields of one secret come from one read, so that a user
   * name and its password match. A valid lease is never replaced. Values are not searched for further
   * references. Rejects only on a bug.
   */
  resolve(
    references: readonly LocatedReference[],
    freshness?: Freshness,
  ): Promise<ReadonlyMap<string, Resolution>>;
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
   * Reads the credentials of an owner immediately after an orchestrator refused them; at most once in 30
   * seconds if they have not changed. Resolves to true if a credential changed, or if a change was read before
   * and not announced; change listeners are notified as well.
   */
  refreshAfterRefusal(owner: string): Promise<boolean>;
  /**
   * Reads everything in use now, and renews leases. Resolves after all attempts, when the listeners know every
   * change; `status` reports the failures.
   */
  refresh(): Promise<void>;
  /**
   * Writes fields of the secret at a path below the configured mount, and keeps its other fields. Then reads
   * the secret again for its current users. Throws a {@link VaultError} if Vault rejects the fields.
   */
  store(path: string, fields: SecretFields): Promise<void>;
  /** Lists the names below the configured mount for people. */
  readonly browser: SecretBrowser;
  /** Returns state, age and failures of the secrets in use. Contains no path and no value. */
  status(): SecretStatus;
  /** Returns every reference in use with its state. Contains paths, but no values. */
  inUse(): readonly SecretInUse[];
  /** Returns the request counts and the remaining lifetime of the token. */
  traffic(): Traffic;
  /** Returns the certificates of the connection; none before the first read. */
  certificates(): VaultCertificates;
  /**
   * Ends all leases, revokes the token if the gateway owns it, and closes the connections. A second call
   * waits for the first.
   */
  close(): Promise<void>;
}

interface SecretSourceDeps {
  readonly settings: VaultSettings;
  readonly scheduler: Scheduler;
  readonly random: () => number;
  /** Time that calls with old credentials may still run, in milliseconds. */
  readonly drainMs: number;
  readonly log: Log;
  /** Opens the connection; called before the first request. */
  open(): Promise<Connection>;
}

/** Creates a source that opens its connection before the first read. */
export function createSecretSource(deps: SecretSourceDeps): SecretSource {
  const { settings, scheduler, drainMs, log } = deps;
  const { refresh } = settings;
  const connection = openLazily(
    () => deps.open(),
    (opened) => {
      opened.onNewToken(() => void secrets.useNewToken());
    },
  );
  const notifier = createChangeNotifier(scheduler, log);
  const revoke = (id: string): Promise<void> => revokeLease(id, connection.get, log);
  const secrets = new SecretCache({
    vault: {
      read: async (path) => (await connection.get()).read(path),
      renewLease: async (lease) => (await connection.get()).renewLease(lease),
    },
    mount: settings.mount,
    schedule: { refresh, random: deps.random },
    maxStaleSeconds: refresh.maxStaleSeconds,
    scheduler,
    notifier,
    leasesToRevoke: createLeasesToRevoke(scheduler, { drainMs, revoke: (id) => void revoke(id) }),
    log,
  });
  const reread = createRefusalReread(secrets, scheduler);
  const afterRefusal = async (owner: string): Promise<boolean> => notifier.isPending(owner) || reread(owner);
  let closing: Promise<void> | undefined;
  return {
    resolve: async (references, freshness = 'read') => {
      const groups = groupReferences(references, settings.mount);
      const resolved = await Promise.all(
        groups.map((group) => resolveGroup(group, { secrets, freshness, log })),
      );
      return new Map(resolved.flat());
    },
    watch: (owners, outdatedOwners) => {
      secrets.watch(owners, outdatedOwners);
    },
    onChange: (listener) => {
      notifier.onChange(listener);
    },
    refreshAfterRefusal: (owner) => (refresh.onAuthFailure ? afterRefusal(owner) : Promise.resolve(false)),
    refresh: async () => {
      await connection.now()?.rereadCredential();
      await secrets.refresh();
      notifier.flush();
    },
    store: async (path, fields) => {
      const secret = pathOf(path, settings.mount);
      await writeAndRefresh(secret, fields, { connection: await connection.get(), secrets, log });
    },
    browser: lazyBrowser(connection.get),
    status: () => secrets.status(),
    inUse: () => secrets.inUse(),
    traffic: () => connection.now()?.traffic() ?? { requests: [] },
    certificates: () => connection.now()?.certificates() ?? { files: [] },
    close: () => (closing ??= closeAll({ notifier, secrets, connection, revoke })),
  };
}

function lazyBrowser(connection: () => Promise<Connection>): SecretBrowser {
  return {
    listFolder: async (segments) => (await connection()).browser.listFolder(segments),
    listFields: async (segments) => (await connection()).browser.listFields(segments),
  };
}

interface CloseDeps {
  readonly notifier: ChangeNotifier;
  readonly secrets: SecretCache;
  readonly connection: LazyConnection;
  readonly revoke: (id: string) => Promise<void>;
}

async function closeAll({ notifier, secrets, connection, revoke }: CloseDeps): Promise<void> {
  notifier.close();
  const leases = secrets.close();
  const opened = await connection.opened();
  // The leases of a token end with the token.
  if (opened && !opened.ownsToken) await Promise.all(leases.map(revoke));
  await opened?.close();
}

function pathOf(path: string, mount: string): SecretPath {
  const segments = path.split('/');
  return secretPath({ absolute: false, segments, version: null, encoding: 'utf8', field: null }, mount);
}

interface StoreDeps {
  readonly connection: Connection;
  readonly secrets: SecretCache;
  readonly log: Log;
}

async function writeAndRefresh(
  secret: SecretPath,
  fields: SecretFields,
  { connection, secrets, log }: StoreDeps,
): Promise<void> {
  const version = await connection.write(secret, fields);
  log.info('secret written', { path: secret.key, version });
  // The write succeeded. A failure of this read is recorded at its source.
  await secrets.read(secret).catch(failureOf);
}

interface LazyConnection {
  readonly get: () => Promise<Connection>;
  /** Resolves to the connection, or to undefined if it was not opened. */
  readonly opened: () => Promise<Connection | undefined>;
  /** Returns the connection without waiting for a pending opening. */
  readonly now: () => Connection | undefined;
}

/** Opens the connection on first use, and again on the next use after a failure. */
function openLazily(open: () => Promise<Connection>, prepare: (opened: Connection) => void): LazyConnection {
  let opening: Promise<Connection> | undefined;
  let opened: Connection | undefined;
  const get = async (): Promise<Connection> => {
    opened = await open();
    prepare(opened);
    return opened;
  };
  return {
    get: () =>
      (opening ??= get().catch((error: unknown) => {
        opening = undefined;
        throw error;
      })),
    opened: async () => opening?.catch(() => undefined),
    now: () => opened,
  };
}

async function revokeLease(id: string, connection: () => Promise<Connection>, log: Log): Promise<void> {
  try {
    await (await connection()).revokeLease(id);
  } catch (error) {
    const fix =
      'The lease ends without a revocation; to revoke leases at once, allow "update" on sys/leases/revoke.';
    log.warn('lease not revoked', { code: error instanceof VaultError ? error.code : 'unknown', fix });
  }
}

type Entry = readonly [pointer: string, resolution: Resolution];

interface ResolveDeps {
  readonly secrets: SecretCache;
  readonly freshness: Freshness;
  readonly log: Log;
}

async function resolveGroup(group: ReferenceGroup, deps: ResolveDeps): Promise<readonly Entry[]> {
  const { secrets, freshness, log } = deps;
  const cached = secrets.find(group.path);
  const mayUseCached = cached && (freshness === 'held' || cached.isLeased);
  if (mayUseCached && !group.members.some((member) => failureAt(member, cached.data)))
    return resolveMembers(group, cached.data, log);
  try {
    const data = await secrets.read(group.path);
    const { shown: path, version, requestId: vaultRequestId } = data;
    log.info('secret read', { path, version, pointers: pointersOf(group), vaultRequestId });
    return resolveMembers(group, data, log);
  } catch (error) {
    const failure = secrets.hasEnded(group.path) ? leaseEndedFailure(error) : failureOf(error);
    if (mayUseCached) return resolveMembers(group, cached.data, log);
    return group.members.map(({ pointer }) => [pointer, failure]);
  }
}

/** Creates the failure for leased credentials. Unlike other values, they do not work after their lease. */
function leaseEndedFailure(error: unknown): VaultFailure {
  const { code, message, fix } = failureOf(error);
  return {
    code: 'VAULT_LEASE_ENDED',
    message: `The lease of the credentials has ended, and ${code}: ${message}`,
    fix,
  };
}

function resolveMembers(group: ReferenceGroup, data: SecretData, log: Log): readonly Entry[] {
  return group.members.map((member) => [member.pointer, resolveMember(member, data, log)]);
}

function resolveMember({ pointer, reference }: LocatedReference, data: SecretData, log: Log): Resolution {
  try {
    const value = extractField(data.fields, reference);
    if (typeof value === 'string' && value.endsWith('\n'))
      log.warn('secret ends in a line break', { pointer });
    return data.version === null ? { value } : { value, version: data.version };
  } catch (error) {
    return failureOf(error);
  }
}

function pointersOf({ members }: ReferenceGroup): readonly string[] {
  return members.map(({ pointer }) => pointer);
}
