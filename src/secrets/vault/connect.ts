import type { VaultSettings } from '../../core/vault-settings.js';
import type { Clock } from '../../lib/clock.js';
import { Semaphore } from '../../lib/semaphore.js';
import { serializeByKey } from '../../lib/serial-queue.js';
import { singleFlight } from '../../lib/single-flight.js';
import type { Lease, VaultClient } from './client.js';
import type { VaultCertificates } from './http.js';
import { detectMounts, configuredMounts } from './mount-info.js';
import { type ClientDeps, openClient } from './open-client.js';
import { createSecretBrowser, type SecretBrowser } from './secret-browser.js';
import { createSecretReader, type ReadSecret } from './secret-reader.js';
import { createSecretWriter, type WriteSecret } from './secret-writer.js';
import { createWithToken, type TokenProvider } from './token-provider.js';
import type { RequestCount } from './transport-layers.js';

/** Operations on secrets in Vault. Each throws a {@link SecretError} if it fails. */
interface SecretAccess {
  /** Lists names for people. */
  readonly browser: SecretBrowser;
  /** Shares concurrent reads of a path, and limits the number of reads at a time. */
  readonly read: ReadSecret;
  /** Runs one write at a time for a path, and keeps the other fields of the secret. */
  readonly write: WriteSecret;
  /** Requests the duration of the lease again; returns the renewed lease. */
  renewLease(lease: Lease): Promise<Lease>;
  revokeLease(id: string): Promise<void>;
}

interface SecretAccessDeps {
  readonly client: Pick<VaultClient, 'read' | 'list' | 'write' | 'renewLease' | 'revokeLease'>;
  readonly tokens: Pick<TokenProvider, 'current' | 'drop'>;
  readonly settings: Pick<VaultSettings, 'kvVersion' | 'mount' | 'request'>;
  readonly clock: Clock;
}

/**
 * Time limit of a revocation, in milliseconds. It is short because a lease also ends without a revocation.
 */
const REVOKE_TIMEOUT_MS = 1000;

/** Creates the operations; each request uses the current token. */
function createSecretAccess(parts: SecretAccessDeps): SecretAccess {
  const { client, tokens, settings, clock } = parts;
  const { kvVersion, mount, request } = settings;
  const withToken = createWithToken(tokens, clock);
  const mounts = kvVersion === 'auto' ? detectMounts(client, withToken) : configuredMounts(kvVersion);
  const requests = new Semaphore(request.concurrency);
  const readSecret = createSecretReader({ client, withToken, mounts });
  const revokeLease = async (id: string): Promise<void> => {
    await client.revokeLease(id, await tokens.current(), REVOKE_TIMEOUT_MS);
  };
  return {
    browser: createSecretBrowser({ client, tokens, mounts, mount, revokeLease }),
    read: singleFlight(
      (path) => requests.run(() => readSecret(path)),
      ({ key }) => key,
    ),
    write: serializeByKey(
      createSecretWriter({ client, withToken, mounts, read: readSecret }),
      (path) => path.key,
    ),
    renewLease: (lease) => withToken('sys/leases/renew', (token) => client.renewLease(lease, token)),
    revokeLease,
  };
}

/** Request counts and token lifetime of the connection to Vault. */
export interface Traffic {
  readonly requests: readonly RequestCount[];
  /** Remaining seconds of the token; Infinity if it never ends, absent without a token. */
  readonly tokenSeconds?: number;
  /** Lifetime of the token at its latest grant, in seconds; Infinity if it never ends, absent without a token. */
  readonly tokenLifetimeSeconds?: number;
}

/** An open connection to Vault. */
export interface Connection extends SecretAccess {
  /** Calls back whenever a new token replaces an earlier one; returns the unsubscribe function. */
  onNewToken(listener: () => void): () => void;
  /** Logs in again if the file of the credential has changed. Does not reject. */
  rereadCredential(): Promise<void>;
  /** True if closing revokes the token, and with it all of its leases. */
  readonly ownsToken: boolean;
  readonly traffic: () => Traffic;
  readonly certificates: () => VaultCertificates;
  close(): Promise<void>;
}

/**
 * Creates the connection from its parts. Sends no request before the first read. Throws `VAULT_TLS` if a file
 * is unusable.
 */
export async function connect(settings: VaultSettings, deps: ClientDeps): Promise<Connection> {
  const opened = await openClient(settings, deps);
  const { client, tokens } = opened;
  return {
    ...createSecretAccess({ client, tokens, settings, clock: deps.scheduler }),
    onNewToken: (listener) => tokens.onNewToken(listener),
    rereadCredential: () => tokens.rereadCredential(),
    ownsToken: tokens.ownsToken,
    certificates: opened.certificates,
    traffic: () => {
      const tokenSeconds = tokens.secondsLeft();
      const tokenLifetimeSeconds = tokens.lifetimeSeconds();
      return {
        requests: opened.requests(),
        ...(tokenSeconds !== undefined && { tokenSeconds }),
        ...(tokenLifetimeSeconds !== undefined && { tokenLifetimeSeconds }),
      };
    },
    close: () => opened.close(),
  };
}
