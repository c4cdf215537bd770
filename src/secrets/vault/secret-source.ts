import type { Log } from '../../core/log.js';
import type { VaultSettings } from '../../core/vault-settings.js';
import type { Scheduler } from '../../lib/clock.js';
import { groupReferences } from '../cached-secret.js';
import { createLeasesToRevoke } from '../leases.js';
import { createRefusalReread } from '../refresh-times.js';
import { resolveFromCache } from '../resolve-from-cache.js';
import { SecretCache } from '../secret-cache.js';
import { type ChangeNotifier, createChangeNotifier } from '../secret-changes.js';
import { failureOf, SecretError } from '../secret-error.js';
import { secretPath, type SecretPath } from '../secret-path.js';
import type { SecretProvider } from '../secret-provider.js';
import type { SecretStatus } from '../secret-status.js';
import type { Connection, Traffic } from './connect.js';
import type { VaultCertificates } from './http.js';
import type { SecretBrowser } from './secret-browser.js';
import type { SecretFields } from './secret-writer.js';

/** Vault, or Vault together with other stores: Vault is also written to and browsed. */
export interface SecretSource extends SecretProvider {
  /**
   * Writes fields of the secret at a path below the configured mount, and keeps its other fields. Then reads
   * the secret again for its current users. Throws a {@link SecretError} if Vault rejects the fields.
   */
  store(path: string, fields: SecretFields): Promise<void>;
  /** Lists the names below the configured mount for people. */
  readonly browser: SecretBrowser;
  /** Returns the state of the secrets that are in Vault. */
  vaultState(): SecretStatus['state'];
  /** Returns the request counts and the remaining lifetime of the token. */
  traffic(): Traffic;
  /** Returns the certificates of the connection; none before the first read. */
  certificates(): VaultCertificates;
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
    resolve: (references, freshness = 'read') =>
      resolveFromCache(groupReferences(references, settings.mount), { secrets, freshness, log }),
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
    vaultState: () => secrets.status().state,
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
    log.warn('lease not revoked', { code: error instanceof SecretError ? error.code : 'unknown', fix });
  }
}
