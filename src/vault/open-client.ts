import type { Scheduler } from '../core/lib/clock.js';
import type { OpenHttpClient } from '../core/http.js';
import type { Log } from '../core/log.js';
import type { VaultSettings } from '../core/settings.js';
import { authenticationFor } from './auth/authentication.js';
import { withCircuit } from './circuit.js';
import { withFailOver } from './fail-over.js';
import { countRequests, type CountedTransport, type RequestCount } from './request-counts.js';
import { withRetries, type Wait } from './retry.js';
import { TokenProvider } from './token-provider.js';
import { createTransport } from './transport.js';
import { openVaultHttp, type VaultHttp } from './vault-http.js';
import type { VaultClient } from './vault.js';

/** What talking to Vault needs from outside. */
export interface ClientDeps {
  readonly openHttpClient: OpenHttpClient;
  /** Holds the token where `vault.auth.tokenEnv` names one; nothing else is read from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly wait: Wait;
  readonly random: () => number;
}

/** A client and the tokens for it. */
export interface OpenClient {
  readonly client: VaultClient;
  readonly tokens: TokenProvider;
  readonly requests: () => readonly RequestCount[];
  /** Revokes what is ours, ends what runs; a second call waits for the first. */
  close(): Promise<void>;
}

const REVOKE_MS = 1000;

/** Puts the way to Vault together. No request is sent. Throws `VAULT_TLS` when a file of the TLS block is of no use. */
export async function openClient(settings: VaultSettings, deps: ClientDeps): Promise<OpenClient> {
  // Loaded here, because most of its start-up time is spent on parts that are never used.
  const { createVaultClient } = await import('./vault.js');
  const { scheduler, random, log, env } = deps;
  const http = await openVaultHttp(settings, deps.openHttpClient);
  const stop = new AbortController();
  const { transport, counts } = layeredTransport({ settings, deps, http, signal: stop.signal });
  const client = createVaultClient(settings.address[0] ?? '', transport);
  const rereadTls = (): Promise<void> => http.reread();
  const authentication = authenticationFor(settings.auth, { calls: client, env, scheduler, log, rereadTls });
  const tokens = new TokenProvider({ authentication, calls: client, scheduler, random, log });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // A Vault that does not answer must not hold up the end; its tokens expire by themselves.
    await tokens.close((token) => client.revokeSelf(token, REVOKE_MS).catch(() => undefined));
    stop.abort();
    await http.close();
  };
  return { client, tokens, requests: counts, close: () => (closing ??= close()) };
}

interface Layers {
  readonly settings: VaultSettings;
  readonly deps: ClientDeps;
  readonly http: VaultHttp;
  readonly signal: AbortSignal;
}

/** From the inside out: one request, every address, none at all while Vault is away, and all of it again. */
function layeredTransport({ settings, deps, http, signal }: Layers): CountedTransport {
  const { address: addresses, namespace, request } = settings;
  const { deadlineMs, attempts } = request;
  const { scheduler, wait, random } = deps;
  const single = createTransport({ http, addresses, namespace, deadlineMs, clock: scheduler, signal });
  const { transport: counted, counts } = countRequests(single);
  const guarded = withCircuit(withFailOver(counted, addresses), scheduler);
  return { transport: withRetries(guarded, { attempts, wait, random, signal }), counts };
}
