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

/** Login with the client certificate of the connection; its files are read anew, so that a renewed one is used. */
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

/** Login with a JSON Web Token from a file, which Kubernetes and others renew in place: it is read for every login. */
export function jsonWebToken(settings: JwtSettings, calls: TokenCalls): Authentication {
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
 * Spares a Vault that does not answer: after five requests in a row without any reply, one goes through every 5 s and
 * the others fail at once with `VAULT_UNAVAILABLE`. The first reply, whatever it says, opens the way again.
 */
export function withCircuit(transport: VaultTransport, clock: Clock): VaultTransport {
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

// A node that is no use for now: of these, 472 to 474 are what load balancers pass on from sys/health.
const HEALTH_CODES = [472, 473, 474];

/**
 * Sends every request to the address that last worked, and goes on to the next one when it does not answer or answers
 * that it cannot serve. A request that this node may have carried out is not sent to another.
 */
export function withFailOver(transport: VaultTransport, addresses: readonly string[]): VaultTransport {
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
        // Others may have moved on already.
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

/** Beside what may be repeated at the same node: what only this node cannot do. */
function mayTryElsewhere(call: VaultCall, error: VaultError): boolean {
  const { status, unsent = false } = error.facts;
  const unserved = unsent || status === 501 || HEALTH_CODES.includes(status ?? 0);
  return mayRepeat(call, error) || (unserved && call.once !== true);
}

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

/** The authentication that the settings ask for. Nothing is read before the first login. */
export function authenticationFor(settings: VaultAuthSettings, deps: AuthenticationDeps): Authentication {
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
 * The login, or what to look at where Vault refuses it: what is said of AppRole does not fit the methods that Vault
 * never locks.
 */
export async function explainRefusal(login: Promise<VaultLogin>, fix: string): Promise<VaultLogin> {
  try {
    return await login;
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    if (error.code !== 'VAULT_LOCKED_OUT' && error.code !== 'VAULT_LOGIN_FAILED') throw error;
    if (error.facts.status === undefined) throw error;
    throw new VaultError({ code: 'VAULT_LOGIN_FAILED', message: error.message, fix }, error.facts);
  }
}
