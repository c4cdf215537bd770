import nodeVault from 'node-vault';
import { Secret } from '../domain/secret.js';
import { isPlainObject, ownMember, type PlainObject } from './plain-object.js';
import type { VaultCall, VaultTransport } from './transport.js';
import { VaultError } from './vault-error.js';

/** What a read gives: the secret's data as the engine wraps it, and the id under which Vault's audit log has the request. */
export interface VaultReply {
  readonly data: PlainObject;
  readonly requestId: string;
}

/** A token that Vault gave us. */
export interface VaultLogin {
  readonly token: Secret;
  /** Seconds; 0 means for ever. */
  readonly leaseSeconds: number;
}

/** The part of Vault's API that is used, typed and checked. Paths are below `/v1/` and percent-encoded by the caller. */
export interface VaultClient {
  /** Throws a {@link VaultError} when there is nothing usable at the path. */
  read(path: string, token: Secret): Promise<VaultReply>;
  /** `POST auth/<mount>/login`; throws `VAULT_LOGIN_FAILED` or `VAULT_LOCKED_OUT` when Vault refuses. */
  login(mount: string, credentials: Readonly<Record<string, Secret>>): Promise<VaultLogin>;
  /** Ends a token, within `deadlineMs`. */
  revokeSelf(token: Secret, deadlineMs: number): Promise<void>;
}

/**
 * A client at one address on a transport of our own, which is what makes `node-vault` safe to use: its built-in one
 * follows redirects with the token. Only `read` and `write` are called: the other helpers keep the token in a printable
 * property, escape mounts as HTML, or send a stale token along with a login.
 */
export function createVaultClient(address: string, transport: VaultTransport): VaultClient {
  const client = openNodeVault(address, transport);
  return {
    read: async (path, token) => readReply(path, await client.read(path, { headers: tokenHeader(token) })),
    login: async (mount, credentials) => {
      const path = `auth/${mount.split('/').map(encodeURIComponent).join('/')}/login`;
      const fields = Object.entries(credentials).map(([name, secret]) => [name, secret.reveal()]);
      return readLogin(path, await client.write(path, Object.fromEntries(fields)));
    },
    revokeSelf: async (token, deadlineMs) => {
      await client.write('auth/token/revoke-self', {}, { headers: tokenHeader(token), deadlineMs });
    },
  };
}

function openNodeVault(address: string, transport: VaultTransport): nodeVault.client {
  const client = nodeVault({
    endpoint: address,
    apiVersion: 'v1',
    // Its own prints requests with their credentials when DEBUG is set.
    debug: () => undefined,
    'request-promise': { defaults: () => (call: VaultCall) => carry(transport, call) },
  });
  // These three it takes from VAULT_TOKEN, VAULT_PREFIX and VAULT_NAMESPACE where the options have none.
  return Object.assign(client, { token: '', pathPrefix: '', namespace: '' });
}

/** Gives `node-vault` the reply in the form it expects. */
async function carry(transport: VaultTransport, call: VaultCall): Promise<object> {
  const { statusCode, body } = await transport(call);
  return { statusCode, body, request: { path: new URL(call.uri).pathname } };
}

/** A new object for each call: `node-vault` writes into it. */
function tokenHeader(token: Secret): Record<string, string> {
  return { 'X-Vault-Token': token.reveal() };
}

function readReply(path: string, reply: unknown): VaultReply {
  const data = ownMember(reply, 'data');
  const requestId = ownMember(reply, 'request_id');
  if (!isPlainObject(data)) throw malformed(path, 'no data');
  return { data, requestId: typeof requestId === 'string' ? requestId : '' };
}

function readLogin(path: string, reply: unknown): VaultLogin {
  const auth = ownMember(reply, 'auth');
  const token = ownMember(auth, 'client_token');
  const leaseSeconds = ownMember(auth, 'lease_duration');
  if (typeof token !== 'string' || token === '' || typeof leaseSeconds !== 'number')
    throw malformed(path, 'no token');
  return { token: new Secret(token), leaseSeconds };
}

function malformed(path: string, lack: string): VaultError {
  return new VaultError({
    code: 'VAULT_BAD_RESPONSE',
    message: `The reply for "${path}" has ${lack} in it`,
    fix: 'Check that vault.address is Vault itself, and that the path is a secret.',
  });
}
