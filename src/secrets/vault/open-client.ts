import { setMaxListeners } from 'node:events';
import type { OpenHttpClient } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import type { Scheduler } from '../../lib/clock.js';
import type { VaultAuthSettings, VaultSettings } from '../../settings/vault.js';
import { givenToken, tokenFile } from './auth/given-token.js';
import { appRoleLogin, certificateLogin, jwtLogin, userLogin } from './auth/login-methods.js';
import type { Authentication, AuthenticationDeps } from './auth/method.js';
import type { VaultClient } from './client.js';
import { openVaultHttp, type VaultHttp } from './http.js';
import { configuredMounts, detectMounts, type MountLookup } from './mount-info.js';
import { TokenProvider } from './token-provider.js';
import { createTransport, type RequestCount, type Wait } from './transport.js';

/** External dependencies of the Vault client. */
export interface ClientDeps {
  readonly openHttpClient: OpenHttpClient;
  /** Contains the token if `vault.auth.tokenEnv` names a variable; nothing else is read from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly wait: Wait;
  readonly random: () => number;
  /** True for a command beside the server: it unwraps nothing and removes no file, which the server needs. */
  readonly keepsCredentials?: boolean;
}

export interface OpenClient {
  readonly client: VaultClient;
  readonly tokens: TokenProvider;
  /** Engines that serve paths. */
  readonly mounts: MountLookup;
  readonly requests: () => readonly RequestCount[];
  readonly certificates: VaultHttp['certificates'];
  /** Revokes own tokens and ends running requests. A second call waits for the first. */
  close(): Promise<void>;
}

/**
 * Creates the client for Vault from its layers. Sends no request. Throws `VAULT_TLS` if a file of the TLS
 * block is unusable.
 */
export async function openClient(settings: VaultSettings, deps: ClientDeps): Promise<OpenClient> {
  // Loaded on demand, because most of its start-up time is spent on parts that are never used.
  const { createVaultClient } = await import('./client.js');
  const { scheduler, random, log, env, wait, keepsCredentials = false } = deps;
  const http = await openVaultHttp(settings, deps);
  const stop = new AbortController();
  // Each read listens; Node.js warns of more than ten listeners.
  setMaxListeners(0, stop.signal);
  const { transport, counts } = createTransport(settings, {
    http,
    scheduler,
    wait,
    random,
    signal: stop.signal,
  });
  const client = createVaultClient(settings.address[0] ?? '', transport);
  const authentication = authenticationFor(settings.auth, {
    calls: client,
    env,
    scheduler,
    log,
    tls: http,
    keepsCredentials,
  });
  const tokens = new TokenProvider({ authentication, calls: client, scheduler, random, log });
  const { kvVersion } = settings;
  const endWatch = watchTls(settings, http);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // An unresponsive Vault must not delay the shutdown; its tokens expire without a revocation.
    await tokens.close((token) => client.revokeSelf(token).catch(() => undefined));
    endWatch();
    stop.abort();
    await http.close();
  };
  return {
    client,
    tokens,
    mounts: kvVersion === 'auto' ? detectMounts(client, tokens) : configuredMounts(kvVersion),
    requests: counts,
    certificates: http.certificates,
    close: () => (closing ??= close()),
  };
}

/** Uses renewed certificate files in later requests. A login with a certificate watches its files itself. */
function watchTls({ auth }: VaultSettings, tls: VaultHttp): () => void {
  return auth.method === 'cert' ? () => undefined : tls.files.watch(() => tls.reread());
}

/** Creates the configured authentication. Reads nothing before the first login. */
function authenticationFor(settings: VaultAuthSettings, deps: AuthenticationDeps): Authentication {
  switch (settings.method) {
    case 'token':
      return givenToken(settings, deps);
    case 'token_file':
      return tokenFile(settings, deps);
    case 'approle':
      return appRoleLogin(settings, deps);
    case 'kubernetes':
    case 'jwt':
      return jwtLogin(settings, deps.calls);
    case 'cert':
      return certificateLogin(settings, deps);
    case 'userpass':
    case 'ldap':
      return userLogin(settings, deps.calls);
  }
}
