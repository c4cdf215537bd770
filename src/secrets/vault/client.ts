import nodeVault from 'node-vault';
import { Secret } from '../../core/secret.js';
import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { SecretError } from '../secret-error.js';
import type { Lease } from '../store.js';
import type { VaultTransport } from './transport.js';

/** Result of a read: the data as the engine wraps it, and the id of the request in Vault's audit log. */
export interface VaultReply {
  readonly data: JsonObject;
  readonly requestId: string;
  /** Present for leased data. */
  readonly lease?: Lease;
}

/** A token and its lifetime. */
export interface VaultLogin {
  readonly token: Secret;
  /**
   * Remaining seconds; 0 if the token never ends, null if another process maintains it or Vault does not
   * report it.
   */
  readonly leaseSeconds: number | null;
  /** Seconds that a renewal grants. A shorter grant means that the token is near its maximum TTL. */
  readonly grantedSeconds: number;
  readonly renewable: boolean;
}

/** Location of a login method. */
interface AuthMount {
  readonly mount: string;
  readonly namespace: string | null;
  /** User name at the end of the path, for the methods that have it there. */
  readonly username?: string;
}

/** Token operations of Vault. Each throws a {@link SecretError} if it fails. */
export interface TokenCalls {
  /**
   * Logs in with `POST auth/<mount>/login[/<username>]`. Throws `VAULT_LOGIN_FAILED` or `VAULT_LOCKED_OUT` if Vault
   * refuses.
   */
  login(at: AuthMount, credentials: Readonly<Record<string, Secret>>): Promise<VaultLogin>;
  lookUpSelf(token: Secret): Promise<VaultLogin>;
  /**
   * Renews a token and returns its remaining seconds. Sent once, because the caller has its own schedule for
   * retries.
   */
  renewSelf(token: Secret): Promise<number>;
  /** Revokes a token within a second. */
  revokeSelf(token: Secret): Promise<void>;
  /** Returns the path that created a wrapped reply; leaves the reply wrapped. Needs no other token. */
  lookUpWrapping(wrapping: Secret, namespace: string | null): Promise<string>;
  /** Returns the wrapped reply, which can be unwrapped only once, with the wrapping token as the only token. */
  unwrap(wrapping: Secret, namespace: string | null): Promise<unknown>;
}

/**
 * The part of Vault's API that the gateway uses, typed and checked. Paths are below `/v1/`; the caller
 * percent-encodes them.
 */
export interface VaultClient extends TokenCalls {
  /**
   * Reads a path. Throws a {@link SecretError} if the reply is unusable. With `once`, a failed request is not repeated.
   */
  read(path: string, token: Secret, options?: { readonly once: true }): Promise<VaultReply>;
  /**
   * Lists the names in a folder, whose path ends in a slash; names of folders end in one too. Returns no names for a
   * folder that does not exist. A failed request is not repeated.
   */
  list(path: string, token: Secret): Promise<readonly string[]>;
  /** Sends a body to a path (POST). Returns the data of the reply, or undefined without data. */
  write(path: string, body: JsonObject, token: Secret): Promise<unknown>;
  /** Extends a lease by its seconds, or by fewer if Vault allows no more. Returns the renewed lease. */
  renewLease(lease: Lease, token: Secret): Promise<Lease>;
  /** Revokes a lease, and with it the leased account, within a second. */
  revokeLease(id: string, token: Secret): Promise<void>;
}

/** Options of a request that differ from the defaults. */
interface RequestOptions {
  readonly token?: Secret;
  /** Overrides the configured namespace; an empty text selects the root, null the configured namespace. */
  readonly namespace?: string | null;
  readonly deadlineMs?: number;
  /** True for a request that is sent only once, whatever its result. */
  readonly once?: true;
}

/** A revocation has little time, because leases and tokens also end without one. */
const REVOCATION = { deadlineMs: 1000, once: true } as const;

/** The two basic requests. Paths are below `/v1/` and percent-encoded. */
interface VaultRequests {
  get(path: string, options: RequestOptions): Promise<unknown>;
  post(path: string, body: Readonly<Record<string, unknown>>, options: RequestOptions): Promise<unknown>;
}

/**
 * Creates a client for one address on our own transport. This makes `node-vault` safe to use, because its
 * built-in transport follows redirects with the token. Only `read` and `write` are called: the other helpers
 * keep the token in a printable property, escape mounts as HTML, or send a stale token along with a login.
 * What the library has no call for, or the wrong one, is a plain request: leases with their increment, and
 * unwrapping with the wrapping token in the header.
 */
export function createVaultClient(address: string, transport: VaultTransport): VaultClient {
  const client = openNodeVault(address, transport);
  const requests: VaultRequests = {
    get: (path, options) => client.read(path, wireOptions(options)),
    post: (path, body, options) => client.write(path, body, wireOptions(options)),
  };
  return {
    ...createTokenCalls(requests),
    read: async (path, token, options) => readReply(path, await requests.get(path, { token, ...options })),
    list: async (path, token) => {
      try {
        return namesOf(path, await requests.get(`${path}?list=true`, { token, once: true }));
      } catch (error) {
        // Vault has no folders of their own: it answers an empty one like one that never existed.
        if (error instanceof SecretError && error.facts.isNothing) return [];
        throw error;
      }
    },
    write: async (path, body, token) => ownMember(await requests.post(path, body, { token }), 'data'),
    renewLease: async ({ id, seconds }, token) => {
      const path = 'sys/leases/renew';
      const lease = leaseOf(await requests.post(path, { lease_id: id, increment: seconds }, { token }));
      if (!lease) throw malformed(path, 'no lease');
      return lease;
    },
    revokeLease: async (id, token) => {
      await requests.post('sys/leases/revoke', { lease_id: id }, { token, ...REVOCATION });
    },
  };
}

function openNodeVault(address: string, transport: VaultTransport): nodeVault.client {
  const client = nodeVault({
    endpoint: address,
    apiVersion: 'v1',
    // The built-in function prints requests with their credentials if DEBUG is set.
    debug: () => undefined,
    'request-promise': { defaults: () => transport },
  });
  // Without these values, node-vault uses VAULT_TOKEN, VAULT_PREFIX and VAULT_NAMESPACE.
  return Object.assign(client, { token: '', pathPrefix: '', namespace: '' });
}

/** Returns a new object for each call, because `node-vault` writes into it. */
function wireOptions({ token, namespace, ...others }: RequestOptions): Record<string, unknown> {
  return {
    ...others,
    ...(typeof namespace === 'string' && { namespace }),
    headers: token ? { 'X-Vault-Token': token.reveal() } : {},
  };
}

function createTokenCalls(requests: VaultRequests): TokenCalls {
  return {
    login: async ({ mount, namespace, username }, credentials) => {
      const segments = ['auth', ...mount.split('/'), 'login', ...(username === undefined ? [] : [username])];
      const path = segments.map(encodeURIComponent).join('/');
      return readLogin(path, await requests.post(path, revealed(credentials), { namespace }));
    },
    lookUpSelf: async (token) => {
      const path = 'auth/token/lookup-self';
      return readLookup(token, ownMember(await requests.get(path, { token }), 'data'));
    },
    renewSelf: async (token) => {
      const path = 'auth/token/renew-self';
      const reply = await requests.post(path, {}, { token, once: true });
      const seconds = ownMember(ownMember(reply, 'auth'), 'lease_duration');
      if (typeof seconds !== 'number') throw malformed(path, 'no time', CHECK_ADDRESS);
      return seconds;
    },
    revokeSelf: async (token) => {
      await requests.post('auth/token/revoke-self', {}, { token, ...REVOCATION });
    },
    lookUpWrapping: async (wrapping, namespace) => {
      const path = 'sys/wrapping/lookup';
      const reply = await requests.post(path, { token: wrapping.reveal() }, { namespace });
      const creationPath = ownMember(ownMember(reply, 'data'), 'creation_path');
      if (typeof creationPath !== 'string') throw malformed(path, 'no path', CHECK_ADDRESS);
      return creationPath;
    },
    // The token goes in the header. In the body, as node-vault sends it, Vault accepts it only beside another token.
    unwrap: (wrapping, namespace) =>
      requests.post('sys/wrapping/unwrap', {}, { token: wrapping, namespace, once: true }),
  };
}

function revealed(credentials: Readonly<Record<string, Secret>>): Record<string, string> {
  const fields = Object.entries(credentials).map(([name, secret]) => [name, secret.reveal()] as const);
  return Object.fromEntries(fields);
}

function readLogin(path: string, reply: unknown): VaultLogin {
  const auth = ownMember(reply, 'auth');
  const token = ownMember(auth, 'client_token');
  const leaseSeconds = ownMember(auth, 'lease_duration');
  if (typeof token !== 'string' || token === '' || typeof leaseSeconds !== 'number')
    throw malformed(path, 'no token', CHECK_ADDRESS);
  rejectLimitedUses(ownMember(auth, 'num_uses'));
  const renewable = ownMember(auth, 'renewable') === true;
  return { token: new Secret(token), leaseSeconds, grantedSeconds: leaseSeconds, renewable };
}

function readLookup(token: Secret, data: unknown): VaultLogin {
  const seconds = (name: string): number => {
    const value = ownMember(data, name);
    return typeof value === 'number' ? value : 0;
  };
  if (typeof ownMember(data, 'ttl') !== 'number')
    throw malformed('auth/token/lookup-self', 'no time', CHECK_ADDRESS);
  rejectLimitedUses(seconds('num_uses'));
  return {
    token,
    leaseSeconds: seconds('ttl'),
    grantedSeconds: seconds('period') || seconds('creation_ttl'),
    renewable: ownMember(data, 'renewable') === true,
  };
}

/** Throws for a token with a limited number of uses, because it would fail after these uses. */
function rejectLimitedUses(uses: unknown): void {
  if (typeof uses !== 'number' || uses === 0) return;
  throw new SecretError(
    {
      code: 'VAULT_LOGIN_FAILED',
      message: 'The token for Vault may be used only a limited number of times (num_uses)',
      fix: 'Set token_num_uses to 0 in the role, or provide a token without a limit of uses.',
    },
    { refused: true },
  );
}

function readReply(path: string, reply: unknown): VaultReply {
  const data = ownMember(reply, 'data');
  const requestId = ownMember(reply, 'request_id');
  if (!isJsonObject(data)) throw malformed(path, 'no data');
  const lease = leaseOf(reply);
  return { data, requestId: typeof requestId === 'string' ? requestId : '', ...(lease && { lease }) };
}

function namesOf(path: string, reply: unknown): readonly string[] {
  const keys = ownMember(ownMember(reply, 'data'), 'keys');
  if (!Array.isArray(keys)) throw malformed(path, 'no names');
  return keys.filter((name) => typeof name === 'string');
}

function leaseOf(reply: unknown): Lease | undefined {
  const id = ownMember(reply, 'lease_id');
  const seconds = ownMember(reply, 'lease_duration');
  if (typeof id !== 'string' || id === '' || typeof seconds !== 'number') return undefined;
  return { id, seconds, renewable: ownMember(reply, 'renewable') === true };
}

const CHECK_ADDRESS = 'Check that vault.address is Vault itself.';
const CHECK_PATH = 'Check that vault.address is Vault itself, and that the path is a secret.';

function malformed(path: string, missing: string, fix = CHECK_PATH): SecretError {
  const message = `The reply for "${path}" has ${missing} in it`;
  return new SecretError({ code: 'VAULT_BAD_RESPONSE', message, fix });
}
