import { createHmac } from 'node:crypto';
import type { Account, NamedAccount } from '../core/login.js';
import type { Secret } from '../core/secret.js';
import type { LocalIssuerSettings } from '../settings/settings.js';

/** A user or a client, and the hash of its password. */
export interface KnownAccount {
  readonly account: Account;
  readonly hash: Secret;
}

/** The part of `auth.local` with the accounts. */
export type AccountSettings = Pick<LocalIssuerSettings, 'enabled' | 'users' | 'clients'>;

/**
 * Returns the users and clients of `auth.local` by name; an empty map if the built-in issuer is disabled.
 * `key` derives the fingerprints of their credentials.
 */
export function accountsOf(
  { enabled, users, clients }: AccountSettings,
  key: Buffer,
): ReadonlyMap<string, KnownAccount> {
  if (!enabled) return new Map();
  const entryOf = (account: NamedAccount, hash: Secret): [string, KnownAccount] => [
    account.name,
    { account: { ...account, mark: credentialFingerprint(account, hash, key) }, hash },
  ];
  return new Map([
    ...users.map(({ username: name, roles, passwordHash }) =>
      entryOf({ kind: 'user', name, roles }, passwordHash),
    ),
    ...clients.map(({ clientId: name, roles, clientSecretHash }) =>
      entryOf({ kind: 'client', name, roles }, clientSecretHash),
    ),
  ]);
}

/**
 * Returns the fingerprint of an account's name and password hash. A token contains this `mark` and is valid
 * while the account has the same mark. The mark excludes the roles, because a token has the current roles of
 * its account.
 */
function credentialFingerprint({ kind, name }: NamedAccount, hash: Secret, key: Buffer): string {
  const text = JSON.stringify([kind, name, hash.reveal()]);
  return createHmac('sha256', key).update(text).digest('base64url');
}
