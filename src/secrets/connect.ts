import { readFile } from 'node:fs/promises';
import type { Clock } from '../domain/clock.js';
import type { HttpClient, OpenHttpClient } from '../domain/http.js';
import type { VaultSettings } from '../domain/settings.js';
import { authenticationFor } from './authentication.js';
import { withRetries, type Wait } from './retry.js';
import { createSecretReader, type ReadSecret } from './secret-reader.js';
import { shareWork } from './share-work.js';
import { TokenSource } from './token-source.js';
import { createTransport } from './transport.js';
import { VaultError } from './vault-error.js';

/** What reading from Vault needs from outside. */
export interface ConnectDeps {
  readonly openHttpClient: OpenHttpClient;
  /** Holds the token where `vault.auth.tokenEnv` names one; nothing else is read from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly random: () => number;
}

/** An open way to Vault. */
export interface Connection {
  readonly read: ReadSecret;
  close(): Promise<void>;
}

const READS_AT_A_TIME = 8;
const REVOKE_MS = 1000;

/** Puts the parts together. No request is sent before the first read. Throws `VAULT_TLS` when the CA cannot be used. */
export async function connect(settings: VaultSettings, deps: ConnectDeps): Promise<Connection> {
  // Loaded here, because most of its start-up time is spent on parts that are never used.
  const { createVaultClient } = await import('./vault.js');
  const http = await openHttp(settings.tls, deps.openHttpClient);
  const stop = new AbortController();
  const { deadlineMs, attempts } = settings.request;
  const { address, namespace, kvVersion } = settings;
  const { clock, wait, random, env } = deps;
  const { signal } = stop;
  const transport = createTransport({ http, addresses: [address], namespace, deadlineMs, signal });
  const client = createVaultClient(address, withRetries(transport, { attempts, wait, random, signal }));
  const tokens = new TokenSource(authenticationFor(settings.auth, { client, env }), clock);
  const readOne = createSecretReader({ client, tokens, kvVersion, clock });
  return {
    read: shareWork(readOne, { keyOf: (path) => path.key, limit: READS_AT_A_TIME }),
    close: async () => {
      // A Vault that does not answer must not hold up the end; its token expires by itself.
      await tokens.close((token) => client.revokeSelf(token, REVOKE_MS).catch(() => undefined));
      stop.abort();
      await http.close();
    },
  };
}

async function openHttp(
  { caFile, serverName }: VaultSettings['tls'],
  open: OpenHttpClient,
): Promise<HttpClient> {
  const name = serverName !== null && { serverName };
  if (caFile === null) return open({ tls: { ...name }, connections: READS_AT_A_TIME });
  try {
    return open({ tls: { ca: await readCertificates(caFile), ...name }, connections: READS_AT_A_TIME });
  } catch {
    throw new VaultError({
      code: 'VAULT_TLS',
      message: `The file ${caFile} cannot be read or holds no PEM certificate`,
      fix: 'Write the CA certificate of Vault to it, or correct vault.tls.caFile.',
    });
  }
}

/** Node takes a text without any certificate in silence, and then trusts nobody. */
async function readCertificates(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error('no certificate');
  return text;
}
