import { randomUUID } from 'node:crypto';
import { done, failure, ok, type DoubleReply } from './replies.js';
import type { DatabaseMount, DatabaseRole, Json, StaticRole, Token, VaultDoubleState } from './state.js';

/** A read of accounts and its caller. */
interface DatabaseRead {
  readonly vaultState: VaultDoubleState;
  readonly token: Token;
  readonly mount: DatabaseMount;
  readonly mountName: string;
}

/**
 * Handles `GET <mount>/creds/<role>`, which leases a new account, and `GET <mount>/static-creds/<role>`,
 * which returns an existing account.
 */
export function readDatabase(read: DatabaseRead, path: string): DoubleReply {
  const [kind, name = ''] = path.split('/');
  const role = read.mount.roles.get(name);
  const staticRole = read.mount.staticRoles.get(name);
  if (kind === 'creds' && role) return lendAccount(read, path, role);
  if (kind === 'static-creds' && staticRole) return showAccount(read.vaultState, staticRole);
  return failure(400, `unknown role: ${name}`);
}

function lendAccount(
  { vaultState, token, mountName }: DatabaseRead,
  path: string,
  role: DatabaseRole,
): DoubleReply {
  const id = `${mountName}/${path}/${randomUUID()}`;
  const username = `v-double-${vaultState.leases.size + 1}-${randomUUID().slice(0, 8)}`;
  const now = vaultState.now();
  vaultState.leases.set(id, {
    id,
    token: token.id,
    username,
    role,
    issued: now,
    expires: now + role.ttl * 1000,
  });
  const data = { username, password: `of-${username}` };
  return ok({ lease_id: id, renewable: role.renewable, lease_duration: role.ttl, data });
}

function showAccount(vaultState: VaultDoubleState, role: StaticRole): DoubleReply {
  const { username, password, period, rotated } = role;
  const ttl = Math.max(0, Math.ceil((rotated + period * 1000 - vaultState.now()) / 1000));
  const last = new Date(rotated).toISOString();
  return ok({ data: { username, password, ttl, rotation_period: period, last_vault_rotation: last } });
}

/** `POST sys/leases/renew` and `sys/leases/revoke`. */
export function leaseAnswer(vaultState: VaultDoubleState, path: string, body: Json): DoubleReply {
  const { lease_id: id, increment } = body as { readonly lease_id: string; readonly increment?: number };
  const lease = vaultState.leases.get(id);
  if (path === 'sys/leases/revoke') {
    vaultState.leases.delete(id);
    return done;
  }
  const now = vaultState.now();
  if (!lease || lease.expires <= now) return failure(400, 'lease not found');
  const { role } = lease;
  if (!role.renewable) return failure(400, 'lease is not renewable');
  const left = Math.floor((lease.issued + role.maxTtl * 1000 - now) / 1000);
  const seconds = Math.min(increment ?? role.ttl, left);
  lease.expires = now + seconds * 1000;
  return ok({ lease_id: id, renewable: true, lease_duration: seconds });
}

export interface DatabaseHooks {
  mountDatabase(name: string): void;
  /** Creates a role that leases accounts; the role may be changed later. Times in seconds. */
  createDatabaseRole(
    name: string,
    options?: Partial<DatabaseRole> & { readonly mount?: string },
  ): DatabaseRole;
  /** Creates an account with a rotation period in seconds; `rotate` changes its password. */
  createStaticRole(name: string, period: number): { rotate(): void };
  /** Usernames of the accounts that can be used now. */
  lentAccounts(): readonly string[];
  /** Revokes an account without a notice to gatehouse. */
  revokeAccount(username: string): void;
}

export function databaseHooks(vaultState: VaultDoubleState): DatabaseHooks {
  const databaseAt = (name: string): DatabaseMount => {
    const mount = vaultState.mounts.get(name);
    if (mount?.kind !== 'database') throw new Error(`the double has no database mount ${name}`);
    return mount;
  };
  return {
    mountDatabase: (name) => {
      vaultState.mounts.set(name, { kind: 'database', roles: new Map(), staticRoles: new Map() });
    },
    createDatabaseRole: (
      name,
      { mount = 'database', ttl = 3600, maxTtl = 86_400, renewable = true } = {},
    ) => {
      const role = { ttl, maxTtl, renewable };
      databaseAt(mount).roles.set(name, role);
      return role;
    },
    createStaticRole: (name, period) => {
      const role = { username: name, period, password: randomUUID(), rotated: vaultState.now() };
      databaseAt('database').staticRoles.set(name, role);
      return {
        rotate: () => {
          Object.assign(role, { password: randomUUID(), rotated: vaultState.now() });
        },
      };
    },
    lentAccounts: () =>
      [...vaultState.leases.values()]
        .filter(({ expires }) => expires > vaultState.now())
        .map(({ username }) => username),
    revokeAccount: (username) => {
      for (const [id, lease] of vaultState.leases)
        if (lease.username === username) vaultState.leases.delete(id);
    },
  };
}
