import type { VaultSettings } from '../core/settings.js';
import { type ClientDeps, openClient } from './open-client.js';
import type { RequestCount } from './request-counts.js';
import type { Clock } from '../core/lib/clock.js';
import { askedMounts, fixedMounts } from './mount-info.js';
import { serializeByKey } from '../core/lib/serialize-by-key.js';
import { createSecretReader, type ReadSecret } from './secret-reader.js';
import { createSecretWriter, type WriteSecret } from './secret-writer.js';
import { singleFlight } from '../core/lib/single-flight.js';
import type { TokenProvider } from './token-provider.js';
import type { Lease, VaultClient } from './vault.js';
import { createWithToken } from './authenticated-request.js';

/** What is done with secrets at Vault; everything throws a {@link VaultError} when Vault does not do it. */
export interface SecretAccess {
  /** One at a time for a path, and so many for all. */
  readonly read: ReadSecret;
  /** One at a time for a path; the other fields of the secret stay. */
  readonly write: WriteSecret;
  /** Asks for the lease's time again; gives what it got. */
  renewLease(lease: Lease): Promise<Lease>;
  revokeLease(id: string): Promise<void>;
}

export interface SecretAccessParts {
  readonly client: Pick<VaultClient, 'read' | 'write' | 'renewLease' | 'revokeLease'>;
  readonly tokens: Pick<TokenProvider, 'current' | 'drop'>;
  readonly kvVersion: VaultSettings['kvVersion'];
  readonly clock: Clock;
  /** Most reads at a time. */
  readonly concurrency: number;
}

/** Nobody waits for a revocation for long: the lease ends by itself. */
const REVOKE_MS = 1000;

/** Access with the token of the moment. */
export function createSecretAccess(parts: SecretAccessParts): SecretAccess {
  const { client, tokens, kvVersion, clock, concurrency } = parts;
  const withToken = createWithToken(tokens, clock);
  const mounts = kvVersion === 'auto' ? askedMounts(client, withToken) : fixedMounts(kvVersion);
  const readOne = createSecretReader({ client, withToken, mounts });
  return {
    read: singleFlight(readOne, { keyOf: (path) => path.key, limit: concurrency }),
    write: serializeByKey(
      createSecretWriter({ client, withToken, mounts, read: readOne }),
      (path) => path.key,
    ),
    renewLease: (lease) => withToken('sys/leases/renew', (token) => client.renewLease(lease, token)),
    revokeLease: async (id) => {
      await client.revokeLease(id, await tokens.current(), REVOKE_MS);
    },
  };
}

/** What went on between us and Vault. */
export interface Traffic {
  readonly requests: readonly RequestCount[];
  /** What the token has left; Infinity for one that never ends; absent while there is none. */
  readonly tokenSeconds?: number;
}

/** An open way to Vault. */
export interface Connection extends SecretAccess {
  /** Calls back whenever a new token has taken the place of an earlier one; the result ends that. */
  onNewToken(listener: () => void): () => void;
  /** True when closing revokes the token, and with it all that Vault lent to it. */
  readonly ownsToken: boolean;
  readonly traffic: () => Traffic;
  close(): Promise<void>;
}

/** Puts the parts together. No request is sent before the first read. Throws `VAULT_TLS` when a file is of no use. */
export async function connect(settings: VaultSettings, deps: ClientDeps): Promise<Connection> {
  const opened = await openClient(settings, deps);
  const { client, tokens } = opened;
  const { kvVersion, request } = settings;
  const { concurrency } = request;
  return {
    ...createSecretAccess({ client, tokens, kvVersion, clock: deps.scheduler, concurrency }),
    onNewToken: (listener) => tokens.onNewToken(listener),
    ownsToken: tokens.ownsToken,
    traffic: () => {
      const tokenSeconds = tokens.secondsLeft();
      return { requests: opened.requests(), ...(tokenSeconds !== undefined && { tokenSeconds }) };
    },
    close: () => opened.close(),
  };
}
