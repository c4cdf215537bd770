import nodeVault from 'node-vault';
import type { Secret } from '../../core/secret.js';
import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { SecretError } from '../secret-error.js';
import type { Lease } from '../store.js';
import { createTokenCalls, type RequestOptions, type TokenCalls, type VaultRequests } from './token-calls.js';
import type { VaultTransport } from './transport.js';

/** Result of a read: the data as the engine wraps it, and the id of the request in Vault's audit log. */
export interface VaultReply {
  readonly data: JsonObject;
  readonly requestId: string;
  /** Present for leased data. */
  readonly lease?: Lease;
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
  /** Revokes a lease, and with it the leased account, within `deadlineMs`. */
  revokeLease(id: string, token: Secret, deadlineMs: number): Promise<void>;
}

/**
 * Creates a client for one address on our own transport. This makes `node-vault` safe to use, because its
 * built-in transport follows redirects with the token. Only `read` and `write` are called: the other helpers
 * keep the token in a printable property, escape mounts as HTML, or send a stale token along with a login.
 * What the library has no call for, or the wrong one, is a plain request here and in `token-calls.ts`: leases with
 * their increment, and unwrapping with the wrapping token in the header.
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
    revokeLease: async (id, token, deadlineMs) => {
      const body = { lease_id: id };
      await requests.post('sys/leases/revoke', body, { token, deadlineMs, once: true });
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

function malformed(path: string, missing: string): SecretError {
  return new SecretError({
    code: 'VAULT_BAD_RESPONSE',
    message: `The reply for "${path}" has ${missing} in it`,
    fix: 'Check that vault.address is Vault itself, and that the path is a secret.',
  });
}
