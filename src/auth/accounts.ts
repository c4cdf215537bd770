import { createHmac } from 'node:crypto';
import type { Account } from '../core/login.js';
import type { Secret } from '../core/secret.js';
import type { LocalIssuerSettings } from '../core/settings.js';

/** A user or a client, and the hash of its password. */
export interface KnownAccount {
  readonly account: Account;
  readonly hash: Secret;
}

/** The part of `auth.local` with the accounts. */
export type AccountSettings = Pick<LocalIssuerSettings, 'enabled' | 'users' | 'clients'>;

/**
 * Returns the users and clients of `auth.local` by name; none while the built-in issuer is off. `key` derives
 * their marks.
 */
export function accountsOf(
  { enabled, users, clients }: AccountSettings,
  key: Buffer,
): ReadonlyMap<string, KnownAccount> {
  if (!enabled) return new Map();
  const known = (account: Omit<Account, 'mark'>, hash: Secret): [string, KnownAccount] => [
    account.name,
    { account: { ...account, mark: credentialFingerprint(account, hash, key) }, hash },
  ];
  return new Map([
    ...users.map(({ username: name, roles, passwordHash }) =>
      known({ kind: 'user', name, roles }, passwordHash),
    ),
    ...clients.map(({ clientId: name, roles, clientSecretHash }) =>
      known({ kind: 'client', name, roles }, clientSecretHash),
    ),
  ]);
}

/**
 * Returns the mark of an account. It excludes the roles, because a token has the current roles of its
 * account.
 */
function credentialFingerprint({ kind, name }: Omit<Account, 'mark'>, hash: Secret, key: Buffer): string {
  const said = JSON.stringify([kind, name, hash.reveal()]);
  return createHmac('sha256', key).update(said).digest('base64url');
}
