import type { Log } from '../../core/log.js';
import { Semaphore } from '../../lib/semaphore.js';
import { serializeByKey } from '../../lib/serial-queue.js';
import { singleFlight } from '../../lib/single-flight.js';
import type { VaultSettings } from '../../settings/vault.js';
import { SecretError, type SecretFailure } from '../secret-error.js';
import type { SecretPath } from '../secret-path.js';
import { type Lease, refusedStore, type SecretStore, type StoreChange } from '../store.js';
import { checkVaultSettings } from './check-settings.js';
import type { VaultCertificates } from './http.js';
import { lookUpSecret } from './look-up.js';
import { type ClientDeps, type OpenClient, openClient } from './open-client.js';
import { readSecret } from './read-secret.js';
import { createSecretBrowser, type SecretBrowser } from './secret-browser.js';
import { type SecretFields, writeSecret } from './secret-writer.js';
import type { RequestCount } from './transport.js';

/** Vault, which also grants leases, is written to, and is browsed. Each operation throws a {@link SecretError} if it fails. */
interface VaultStore extends SecretStore {
  /** Requests the duration of the lease again; returns the renewed lease. */
  renewLease(lease: Lease): Promise<Lease>;
  /** Revokes a lease. Does not reject; logs a failure. */
  revokeLease(id: string): Promise<void>;
  /**
   * Sets fields of a secret and keeps its other fields; one write at a time for a path. Returns the version that has
   * them, or null if the engine keeps no versions.
   */
  write(path: SecretPath, fields: SecretFields): Promise<number | null>;
  readonly browser: SecretBrowser;
  traffic(): Traffic;
  /** Returns the certificates of the connection; none before the first request. */
  certificates(): VaultCertificates;
}

/** Request counts and token lifetime of the connection to Vault. */
export interface Traffic {
  readonly requests: readonly RequestCount[];
  /** Remaining seconds of the token; Infinity if it never ends, absent without a token. */
  readonly tokenSeconds?: number;
  /** Lifetime of the token at its latest grant, in seconds; Infinity if it never ends, absent without a token. */
  readonly tokenLifetimeSeconds?: number;
}

/** Failure of every reference without a block `vault`. */
export const VAULT_NOT_CONFIGURED: SecretFailure = {
  code: 'VAULT_NOT_CONFIGURED',
  message: 'The value is a reference to Vault, and no Vault is configured',
  fix: 'Add a "vault" block with address and auth to the configuration.',
};

/** A standby node answers reads itself, and may not have a value yet that was just written. */
const STANDBY_CONFIRM_MS = [1_000, 3_000];

/**
 * Opens Vault as a store of secrets. Connects before the first request. Without usable settings every operation fails.
 */
export function openVaultStore(settings: VaultSettings | null, deps: ClientDeps): VaultStore {
  const refusal = settings === null ? VAULT_NOT_CONFIGURED : checkVaultSettings(settings, deps.env)[0];
  if (settings === null || refusal) return refusedVault(refusal ?? VAULT_NOT_CONFIGURED);
  const { refresh, request, mount } = settings;
  const listeners: ((change: StoreChange) => void)[] = [];
  const connection = openLazily(async () => {
    const opened = await openClient(settings, deps);
    opened.tokens.onNewToken(() => {
      for (const listener of listeners) listener('token');
    });
    return opened;
  });
  const requests = new Semaphore(request.concurrency);
  const inTurn = <Result>(work: (opened: OpenClient) => Promise<Result>): Promise<Result> =>
    requests.run(async () => work(await connection.get()));
  const revokeLease = async (id: string): Promise<void> => {
    try {
      const { client, tokens } = await connection.get();
      await client.revokeLease(id, await tokens.current());
    } catch (error) {
      warnOfLease(deps.log, error);
    }
  };
  return {
    refresh: {
      ...refresh,
      afterRefusal: refresh.onAuthFailure ? 'limited' : 'never',
      confirmMs: STANDBY_CONFIRM_MS,
      announcesTogether: false,
    },
    // Concurrent reads of a path are one.
    read: singleFlight(
      (path) => inTurn((opened) => readSecret(path, opened)),
      ({ key }) => key,
    ),
    lookUp: (path) => inTurn((opened) => lookUpSecret(path, opened)),
    renewLease: async (lease) => {
      const { client, tokens } = await connection.get();
      return tokens.use('sys/leases/renew', (token) => client.renewLease(lease, token));
    },
    revokeLease,
    write: serializeByKey(
      async (path, fields) => writeSecret(path, fields, await connection.get()),
      (path) => path.key,
    ),
    browser: createSecretBrowser(connection.get, mount),
    onChange: (listener) => {
      listeners.push(listener);
    },
    rereadCredential: async () => connection.now()?.tokens.rereadCredential(),
    traffic: () => trafficOf(connection.now()),
    certificates: () => connection.now()?.certificates() ?? { files: [] },
    close: async (leases) => {
      const opened = await connection.opened();
      // The leases of a token end with the token.
      if (opened && !opened.tokens.ownsToken) await Promise.all(leases.map(revokeLease));
      await opened?.close();
    },
  };
}

function warnOfLease(log: Log, error: unknown): void {
  const fix =
    'The lease ends without a revocation; to revoke leases at once, allow "update" on sys/leases/revoke.';
  log.warn('lease not revoked', { code: error instanceof SecretError ? error.code : 'unknown', fix });
}

function refusedVault(failure: SecretFailure): VaultStore {
  const refuse = (): Promise<never> => Promise.reject(new SecretError(failure));
  return {
    ...refusedStore(failure),
    renewLease: refuse,
    revokeLease: () => Promise.resolve(),
    write: refuse,
    browser: { listFolder: refuse, listFields: refuse },
    traffic: () => ({ requests: [] }),
    certificates: () => ({ files: [] }),
  };
}

function trafficOf(opened: OpenClient | undefined): Traffic {
  if (!opened) return { requests: [] };
  const tokenSeconds = opened.tokens.secondsLeft();
  const tokenLifetimeSeconds = opened.tokens.lifetimeSeconds();
  return {
    requests: opened.requests(),
    ...(tokenSeconds !== undefined && { tokenSeconds }),
    ...(tokenLifetimeSeconds !== undefined && { tokenLifetimeSeconds }),
  };
}

interface LazyConnection {
  readonly get: () => Promise<OpenClient>;
  /** Resolves to the connection, or to undefined if it was not opened. */
  readonly opened: () => Promise<OpenClient | undefined>;
  /** Returns the connection without waiting for a pending opening. */
  readonly now: () => OpenClient | undefined;
}

/** Opens the connection on first use, and again on the next use after a failure. */
function openLazily(open: () => Promise<OpenClient>): LazyConnection {
  let opening: Promise<OpenClient> | undefined;
  let opened: OpenClient | undefined;
  const get = async (): Promise<OpenClient> => (opened = await open());
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
