import type { Scheduler, Clock } from '../core/lib/clock.js';
import type { OpenHttpClient } from '../core/http.js';
import type { Log } from '../core/log.js';
import type { VaultSettings, VaultAuthSettings } from '../core/settings.js';
import { countRequests, type CountedTransport, type RequestCount } from './request-counts.js';
import { withRetries, type Wait, mayRepeat } from './retry.js';
import { TokenProvider } from './token-provider.js';
import { createTransport, type VaultTransport, type VaultCall } from './transport.js';
import { openVaultHttp, type VaultHttp } from './vault-http.js';
import type { VaultClient } from './vault.js';
import { appRole } from './auth/approle.js';
import { readyToken } from './auth/token.js';
import { tokenFile } from './auth/token-file.js';
import type { Authentication, AuthenticationDeps } from './auth/method.js';
import { VaultError } from './vault-error.js';
import { Secret } from '../core/secret.js';
import { readCredential } from './credential-file.js';
import type { TokenCalls, VaultLogin } from './token-calls.js';

type CertSettings = Extract<VaultAuthSettings, { method: 'cert' }>;

const FIX =
  'Check vault.auth.mount and name, and that the role trusts the certificate in vault.tls.certFile, which may have expired.';

/**
 * Creates the login with the client certificate of the connection. It reads the certificate files again
 * before each login, so that it uses a renewed certificate.
 */
export function certificate(
  settings: CertSettings,
  { calls, rereadTls }: Pick<AuthenticationDeps, 'calls' | 'rereadTls'>,
): Authentication {
  const name = settings.name === null ? {} : { name: new Secret(settings.name) };
  return {
    ownsToken: true,
    logIn: async () => {
      await rereadTls();
      return explainRefusal(calls.login(settings, name), FIX);
    },
  };
}

type JwtSettings = Extract<VaultAuthSettings, { method: 'jwt' | 'kubernetes' }>;

const FIXES = {
  kubernetes:
    'Check vault.auth.mount and role, and that the role is bound to the service account and the namespace of this pod.',
  jwt: 'Check vault.auth.mount and role, and that the token in vault.auth.jwtFile is still valid and meant for Vault.',
} as const;

/**
 * Creates the login with a JSON Web Token from a file. Kubernetes and others renew the file in place, so each
 * login reads it.
 */
function jsonWebToken(settings: JwtSettings, calls: TokenCalls): Authentication {
  const role = settings.role === null ? {} : { role: new Secret(settings.role) };
  return {
    ownsToken: true,
    logIn: async () => {
      const jwt = await readCredential(settings.jwtFile, 'jwtFile');
      return explainRefusal(calls.login(settings, { ...role, jwt }), FIXES[settings.method]);
    },
  };
}

const FAILURES = 5;
const PROBE_EVERY_MS = 5000;

/**
 * Wraps a transport with a circuit breaker. After five consecutive requests without a reply, one request is
 * sent every 5 s and the others fail at once with `VAULT_UNAVAILABLE`. The first reply, whatever its status,
 * closes the circuit.
 */
function withCircuit(transport: VaultTransport, clock: Clock): VaultTransport {
  let failures = 0;
  let nextProbe = 0;
  return async (call) => {
    if (failures >= FAILURES) {
      if (clock.now() < nextProbe) throw heldBack();
      nextProbe = clock.now() + PROBE_EVERY_MS;
    }
    try {
      const answer = await transport(call);
      failures = 0;
      return answer;
    } catch (error) {
      failures = hadNoReply(error) ? failures + 1 : 0;
      if (failures === FAILURES) nextProbe = clock.now() + PROBE_EVERY_MS;
      throw error;
    }
  };
}

function hadNoReply(error: unknown): boolean {
  if (!(error instanceof VaultError) || error.facts.status !== undefined) return false;
  return ['VAULT_UNAVAILABLE', 'VAULT_TIMEOUT', 'VAULT_TLS'].includes(error.code);
}

function heldBack(): VaultError {
  const what = {
    code: 'VAULT_UNAVAILABLE',
    message: 'Vault did not answer the last requests, so this one was held back',
    fix: 'Check that Vault is up and that vault.address is right; it is tried again every 5 seconds.',
  } as const;
  return new VaultError(what, { unsent: true, heldBack: true });
}

// Statuses of a node that cannot serve now. Load balancers pass on 472 to 474 from sys/health.
const HEALTH_CODES = [472, 473, 474];

/**
 * Wraps a transport with failover. It sends every request to the address that worked last. If that address
 * does not answer or cannot serve, it continues with the next address. A request that a node may have
 * processed is not sent to another node.
 */
function withFailOver(transport: VaultTransport, addresses: readonly string[]): VaultTransport {
  const origins = addresses.map((address) => new URL(address).origin);
  let current = 0;
  return async (call) => {
    for (let tried = 1; ; tried += 1) {
      const at = current;
      try {
        return await transport({
          ...call,
          uri: call.uri.replace(new URL(call.uri).origin, origins[at] ?? ''),
        });
      } catch (error) {
        if (!isAway(error)) throw error;
        // A concurrent request may already have switched the address.
        if (current === at) current = (at + 1) % origins.length;
        if (tried >= origins.length || !mayTryElsewhere(call, error)) throw error;
      }
    }
  };
}

function isAway(error: unknown): error is VaultError {
  if (!(error instanceof VaultError)) return false;
  const { status } = error.facts;
  if (status !== undefined) return status >= 500 || HEALTH_CODES.includes(status);
  return ['VAULT_UNAVAILABLE', 'VAULT_TIMEOUT', 'VAULT_TLS'].includes(error.code);
}

/**
 * Returns true if another node may serve the call: for repeatable requests, and for failures of this node
 * alone.
 */
function mayTryElsewhere(call: VaultCall, error: VaultError): boolean {
  const { status, unsent = false } = error.facts;
  const unserved = unsent || status === 501 || HEALTH_CODES.includes(status ?? 0);
  return mayRepeat(call, error) || (unserved && call.once !== true);
}

/** External dependencies of the Vault client. */
export interface ClientDeps {
  readonly openHttpClient: OpenHttpClient;
  /** Contains the token if `vault.auth.tokenEnv` names a variable; nothing else is read from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly wait: Wait;
  readonly random: () => number;
}

/** A client and its tokens. */
export interface OpenClient {
  readonly client: VaultClient;
  readonly tokens: TokenProvider;
  readonly requests: () => readonly RequestCount[];
  /** Revokes own tokens and ends running requests. A second call waits for the first. */
  close(): Promise<void>;
}

const REVOKE_MS = 1000;

/**
 * Creates the client for Vault from its layers. Sends no request. Throws `VAULT_TLS` if a file of the TLS
 * block is unusable.
 */
export async function openClient(settings: VaultSettings, deps: ClientDeps): Promise<OpenClient> {
  // Loaded on demand, because most of its start-up time is spent on parts that are never used.
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
    // An unresponsive Vault must not delay the shutdown; its tokens expire without a revocation.
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

/** Builds the transport from the inside out: one request, counts, failover, circuit breaker, retries. */
function layeredTransport({ settings, deps, http, signal }: Layers): CountedTransport {
  const { address: addresses, namespace, request } = settings;
  const { deadlineMs, attempts } = request;
  const { scheduler, wait, random } = deps;
  const single = createTransport({ http, addresses, namespace, deadlineMs, clock: scheduler, signal });
  const { transport: counted, counts } = countRequests(single);
  const guarded = withCircuit(withFailOver(counted, addresses), scheduler);
  return { transport: withRetries(guarded, { attempts, wait, random, signal }), counts };
}

/** Creates the configured authentication. Reads nothing before the first login. */
function authenticationFor(settings: VaultAuthSettings, deps: AuthenticationDeps): Authentication {
  switch (settings.method) {
    case 'token':
      return readyToken(settings, deps);
    case 'token_file':
      return tokenFile(settings, deps);
    case 'approle':
      return appRole(settings, deps);
    case 'kubernetes':
    case 'jwt':
      return jsonWebToken(settings, deps.calls);
    case 'cert':
      return certificate(settings, deps);
  }
}

/**
 * Awaits a login and replaces the fix of a refusal. The default fix describes AppRole and does not fit the
 * methods that Vault never locks.
 */
async function explainRefusal(login: Promise<VaultLogin>, fix: string): Promise<VaultLogin> {
  try {
    return await login;
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    if (error.code !== 'VAULT_LOCKED_OUT' && error.code !== 'VAULT_LOGIN_FAILED') throw error;
    if (error.facts.status === undefined) throw error;
    throw new VaultError({ code: 'VAULT_LOGIN_FAILED', message: error.message, fix }, error.facts);
  }
}
