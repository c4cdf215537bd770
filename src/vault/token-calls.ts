import { Secret } from '../core/secret.js';
import { ownMember } from '../core/json-object.js';
import { VaultError } from './vault-error.js';

/** How a request is sent, where it differs from the usual. */
export interface RequestOptions {
  readonly token?: Secret;
  /** Instead of the configured one; an empty text is the root, null the configured one. */
  readonly namespace?: string | null;
  readonly deadlineMs?: number;
  /** Sent once, whatever comes back. */
  readonly once?: true;
}

/** The two kinds of request that everything is made of. Paths are below `/v1/` and percent-encoded. */
export interface VaultRequests {
  get(path: string, options: RequestOptions): Promise<unknown>;
  post(path: string, body: Readonly<Record<string, unknown>>, options: RequestOptions): Promise<unknown>;
}

/** A token and what is known of its life. */
export interface VaultLogin {
  readonly token: Secret;
  /** Seconds that are left; 0 means for ever, null that someone else looks after it. */
  readonly leaseSeconds: number | null;
  /** Seconds that a renewal gives; less than that means that the end cannot be put off for much longer. */
  readonly grantedSeconds: number;
  readonly renewable: boolean;
}

/** Where a login method stands. */
export interface AuthMount {
  readonly mount: string;
  readonly namespace: string | null;
}

/** What Vault does for tokens. Everything throws a {@link VaultError} when Vault does not do it. */
export interface TokenCalls {
  /** `POST auth/<mount>/login`; throws `VAULT_LOGIN_FAILED` or `VAULT_LOCKED_OUT` when Vault refuses. */
  login(at: AuthMount, credentials: Readonly<Record<string, Secret>>): Promise<VaultLogin>;
  /** What Vault knows of a token that we were given. */
  lookUpSelf(token: Secret): Promise<VaultLogin>;
  /** Seconds that the token has left afterwards. Sent once: whoever keeps a token alive has a rhythm of its own. */
  renewSelf(token: Secret): Promise<number>;
  /** Ends a token, within `deadlineMs`. */
  revokeSelf(token: Secret, deadlineMs: number): Promise<void>;
  /** Path at which a wrapped reply was made; leaves it wrapped. */
  lookUpWrapping(wrapping: Secret, namespace: string | null): Promise<string>;
  /** The reply that is wrapped, which is gone afterwards. */
  unwrap(wrapping: Secret, namespace: string | null): Promise<unknown>;
}

/** The calls for tokens, made of plain requests. */
export function createTokenCalls(requests: VaultRequests): TokenCalls {
  return {
    login: async ({ mount, namespace }, credentials) => {
      const path = `auth/${mount.split('/').map(encodeURIComponent).join('/')}/login`;
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
      const made = ownMember(ownMember(reply, 'data'), 'creation_path');
      if (typeof made !== 'string') throw malformed(path, 'no path');
      return made;
    },
    unwrap: (wrapping, namespace) =>
      requests.post('sys/wrapping/unwrap', { token: wrapping.reveal() }, { namespace, once: true }),
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
  refuseCounted(ownMember(auth, 'num_uses'));
  const renewable = ownMember(auth, 'renewable') === true;
  return { token: new Secret(token), leaseSeconds, grantedSeconds: leaseSeconds, renewable };
}

function readLookup(token: Secret, data: unknown): VaultLogin {
  const seconds = (name: string): number => {
    const value = ownMember(data, name);
    return typeof value === 'number' ? value : 0;
  };
  if (typeof ownMember(data, 'ttl') !== 'number') throw malformed('auth/token/lookup-self', 'no time');
  refuseCounted(seconds('num_uses'));
  return {
    token,
    leaseSeconds: seconds('ttl'),
    grantedSeconds: seconds('period') || seconds('creation_ttl'),
    renewable: ownMember(data, 'renewable') === true,
  };
}

/** A token that is used up after some requests would fail in the middle of the work. */
function refuseCounted(uses: unknown): void {
  if (typeof uses !== 'number' || uses === 0) return;
  throw new VaultError(
    {
      code: 'VAULT_LOGIN_FAILED',
      message: `The token for Vault may be used ${uses} times only (num_uses)`,
      fix: 'Set token_num_uses to 0 in the role, or give a token without a number of uses.',
    },
    { refused: true },
  );
}

function malformed(path: string, lack: string): VaultError {
  return new VaultError({
    code: 'VAULT_BAD_RESPONSE',
    message: `The reply for "${path}" has ${lack} in it`,
    fix: 'Check that vault.address is Vault itself.',
  });
}
