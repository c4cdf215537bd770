import { setMaxListeners } from 'node:events';
import type { OpenHttpClient } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import { ownMember } from '../../json/json-object.js';
import type { Scheduler } from '../../lib/clock.js';
import type { VaultAuthSettings, VaultSettings } from '../../settings/vault.js';
import { SecretError } from '../secret-error.js';
import { encoded, type SecretPath } from '../secret-path.js';
import type { StoreBlock } from '../store.js';
import type { Engine, Mount } from './address.js';
import {
  appRoleLogin,
  certificateLogin,
  jwtLogin,
  userLogin,
  givenToken,
  tokenFile,
} from './auth/login-methods.js';
import type { Authentication, AuthenticationDeps } from './auth/method.js';
import type { VaultClient } from './client.js';
import { openVaultHttp, type VaultHttp } from './http.js';
import { TokenProvider } from './token-provider.js';
import { createTransport, type RequestCount, type Wait } from './transport.js';

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
  /** Returns true if the main file has a block by now, also if the start had none. */
  readonly isConfigured?: (block: StoreBlock) => boolean;
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

/** Lookup of the engines that serve paths. */
interface MountLookup {
  /**
   * Returns the engine of a path. Throws a {@link SecretError} with the advice to set `vault.kvVersion` if
   * Vault does not report the engine.
   */
  find(path: SecretPath): Promise<Mount>;
  /** Forgets the engine of a path. Its mount may have been created again with another engine. */
  forget(path: SecretPath): void;
}

interface KnownMount {
  readonly segments: readonly string[];
  readonly engine: Engine;
}

/**
 * Creates a lookup that returns the configured engine for every path. The mount is the configured mount or
 * the first segment.
 */
function configuredMounts(kvVersion: 1 | 2): MountLookup {
  const engine = kvVersion === 1 ? 'kv1' : 'kv2';
  return {
    find: ({ mountLength, isBelowMount }) =>
      Promise.resolve({ engine, length: mountLength, isKnown: isBelowMount }),
    forget: () => undefined,
  };
}

/**
 * Creates a lookup that requests each mount from Vault once (`sys/internal/ui/mounts`, like Vault's own
 * command line).
 */
function detectMounts(client: VaultClient, tokens: TokenProvider): MountLookup {
  const known = new Set<KnownMount>();
  const lookups = new Map<string, Promise<Mount>>();

  const find = async (path: SecretPath): Promise<Mount> => {
    const found = [...known].find(({ segments }) => startsWith(path.segments, segments));
    if (found) return { engine: found.engine, length: found.segments.length, isKnown: true };
    // Paths with the same first segment are probably in one mount: the first lookup sends a request, and the
    // other lookups use its result.
    const [name = ''] = path.segments;
    const running = lookups.get(name);
    if (running) {
      await running.catch(() => undefined);
      return find(path);
    }
    const lookup = detect(path).finally(() => lookups.delete(name));
    lookups.set(name, lookup);
    return lookup;
  };

  async function detect(path: SecretPath): Promise<Mount> {
    const mount = await detectMount(path, client, tokens);
    known.add(mount);
    return { engine: mount.engine, length: mount.segments.length, isKnown: true };
  }

  return {
    find,
    forget: (path) => {
      for (const mount of known) if (startsWith(path.segments, mount.segments)) known.delete(mount);
    },
  };
}

async function detectMount(
  path: SecretPath,
  client: VaultClient,
  tokens: TokenProvider,
): Promise<KnownMount> {
  const url = `sys/internal/ui/mounts/${encoded(path.segments)}`;
  try {
    const { data } = await tokens.use(url, (token) => client.read(url, token));
    const segments = mountSegments(ownMember(data, 'path'), path.segments);
    if (segments) return { segments, engine: engineOf(data) };
  } catch (error) {
    if (!(error instanceof SecretError) || !(error.facts.status === 403 || error.facts.status === 404))
      throw error;
    throw undetectedEngine(path, error.code);
  }
  throw undetectedEngine(path, 'VAULT_BAD_RESPONSE');
}

/**
 * Returns the segments of the mount. In a namespace, Vault may report the mount with the namespace before it,
 * which the requested path does not contain.
 */
function mountSegments(mount: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof mount !== 'string') return undefined;
  const parts = mount.replace(/\/$/, '').split('/');
  return parts
    .map((_, at) => parts.slice(at))
    .find((segments) => segments[0] !== '' && startsWith(path, segments));
}

function startsWith(path: readonly string[], mount: readonly string[]): boolean {
  return path.length > mount.length && mount.every((segment, at) => path[at] === segment);
}

/** Returns the engine of a reply. Old versions of Vault call KV version 1 `generic`. */
function engineOf(data: unknown): Engine {
  const type = ownMember(data, 'type');
  if (type !== 'kv' && type !== 'generic') return 'other';
  return ownMember(ownMember(data, 'options'), 'version') === '2' ? 'kv2' : 'kv1';
}

function undetectedEngine({ key }: SecretPath, code: SecretError['code']): SecretError {
  return new SecretError({
    code,
    message: `Vault does not report which engine serves "${key}"`,
    fix: 'Set vault.kvVersion to 1 or 2, or give the role a policy for the path; Vault gives the same reply for an unknown mount.',
  });
}
