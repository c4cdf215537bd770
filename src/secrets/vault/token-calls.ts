import { Secret } from '../../core/secret.js';
import { ownMember } from '../../json/json-object.js';
import { SecretError } from '../secret-error.js';

/** Options of a request that differ from the defaults. */
export interface RequestOptions {
  readonly token?: Secret;
  /** Overrides the configured namespace; an empty text selects the root, null the configured namespace. */
  readonly namespace?: string | null;
  readonly deadlineMs?: number;
  /** True for a request that is sent only once, whatever its result. */
  readonly once?: true;
}

/** The two basic requests. Paths are below `/v1/` and percent-encoded. */
export interface VaultRequests {
  get(path: string, options: RequestOptions): Promise<unknown>;
  post(path: string, body: Readonly<Record<string, unknown>>, options: RequestOptions): Promise<unknown>;
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
  /** Returns Vault's data about a given token. */
  lookUpSelf(token: Secret): Promise<VaultLogin>;
  /**
   * Renews a token and returns its remaining seconds. Sent once, because the caller has its own schedule for
   * retries.
   */
  renewSelf(token: Secret): Promise<number>;
  /** Revokes a token within `deadlineMs`. */
  revokeSelf(token: Secret, deadlineMs: number): Promise<void>;
  /** Returns the path that created a wrapped reply; leaves the reply wrapped. Needs no other token. */
  lookUpWrapping(wrapping: Secret, namespace: string | null): Promise<string>;
  /** Returns the wrapped reply, which can be unwrapped only once, with the wrapping token as the only token. */
  unwrap(wrapping: Secret, namespace: string | null): Promise<unknown>;
}

/** Creates the token operations from plain requests. */
export function createTokenCalls(requests: VaultRequests): TokenCalls {
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
      if (typeof seconds !== 'number') throw malformed(path, 'no time');
      return seconds;
    },
    revokeSelf: async (token, deadlineMs) => {
      await requests.post('auth/token/revoke-self', {}, { token, deadlineMs, once: true });
    },
    lookUpWrapping: async (wrapping, namespace) => {
      const path = 'sys/wrapping/lookup';
      const reply = await requests.post(path, { token: wrapping.reveal() }, { namespace });
      const creationPath = ownMember(ownMember(reply, 'data'), 'creation_path');
      if (typeof creationPath !== 'string') throw malformed(path, 'no path');
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
    throw malformed(path, 'no token');
  rejectLimitedUses(ownMember(auth, 'num_uses'));
  const renewable = ownMember(auth, 'renewable') === true;
  return { token: new Secret(token), leaseSeconds, grantedSeconds: leaseSeconds, renewable };
}

function readLookup(token: Secret, data: unknown): VaultLogin {
  const seconds = (name: string): number => {
    const value = ownMember(data, name);
    return typeof value === 'number' ? value : 0;
  };
  if (typeof ownMember(data, 'ttl') !== 'number') throw malformed('auth/token/lookup-self', 'no time');
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

function malformed(path: string, missing: string): SecretError {
  return new SecretError({
    code: 'VAULT_BAD_RESPONSE',
    message: `The reply for "${path}" has ${missing} in it`,
    fix: 'Check that vault.address is Vault itself.',
  });
}
