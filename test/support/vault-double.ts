import { randomUUID } from 'node:crypto';
import { createFaultQueue, type FaultQueue } from './vault-double/faults.js';
import { databaseHooks, type DatabaseHooks } from './vault-double/database.js';
import { lasting, roleHooks, type RoleHooks } from './vault-double/logins.js';
import { serve, type DoubleTls, type LoggedRequest } from './vault-double/server.js';
import {
  issueToken,
  namespaceOf,
  type AppRole,
  type Flavour,
  type Json,
  type KvVersion,
  type TokenOptions,
  type TokenTerms,
  type VaultDoubleState,
} from './vault-double/state.js';

export interface VaultDoubleOptions {
  readonly flavour?: Flavour;
  /** Wall time. */
  readonly clock?: { now(): number };
  readonly tls?: DoubleTls;
  /** Selects requests by path that are answered without a log entry and without faults. */
  readonly aside?: (path: string) => boolean;
}

/** Location of a secret; an absent namespace is the root. */
export interface StoredSecret {
  readonly mount?: string;
  readonly path: string;
  readonly namespace?: string;
}

/** Location of a role and the terms of its tokens; their default lifetime is 1200 seconds. */
export interface AppRoleOptions extends TokenTerms {
  readonly mount?: string;
  readonly namespace?: string;
}

/**
 * A Vault (or OpenBao) in this process, on a free port of 127.0.0.1, implemented from the published HTTP API.
 * A new double is unsealed and has a KV version 2 engine at `secret`, a KV version 1 engine at `kv`, and
 * AppRole at `approle`.
 */
export interface VaultDouble extends DatabaseHooks, RoleHooks {
  /** Origin, for `vault.address`. */
  readonly address: string;
  /** A token with all rights. */
  readonly rootToken: string;
  /** Every request so far. */
  readonly log: LoggedRequest[];
  readonly faults: Pick<FaultQueue, 'next'>;
  /** State that tests read and change: sealed, standby... */
  readonly vaultState: VaultDoubleState;
  seal(): void;
  unseal(): void;
  mountKv(name: string, version: 1 | 2, namespace?: string): void;
  putPolicy(name: string, paths: Readonly<Record<string, readonly string[]>>, namespace?: string): void;
  /** Writes a secret and returns its version; 0 on KV version 1. */
  putSecret(place: StoredSecret, data: Json): number;
  /** Deletes a version, now or at a time (milliseconds since 1970). */
  deleteVersion(place: StoredSecret, version: number, at?: number): void;
  createToken(options: TokenOptions): string;
  createAppRole(
    name: string,
    options: AppRoleOptions,
  ): { readonly roleId: string; readonly secretId: string };
  /**
   * Opens another origin of the same Vault, for an administrator whose requests are not logged and not
   * subject to faults.
   */
  openSecondListener(): Promise<string>;
  close(): Promise<void>;
}

export async function createVaultDouble(options: VaultDoubleOptions = {}): Promise<VaultDouble> {
  const vaultState = createVaultDoubleState(options);
  const faults = createFaultQueue();
  const log: LoggedRequest[] = [];
  const { aside = () => false } = options;
  const server = await serve({ vaultState, faults, log, aside }, options.tls);
  const listeners = [server];
  const double: VaultDouble = {
    address: server.address,
    openSecondListener: async () => {
      const listener = await serve({ vaultState, faults: createFaultQueue(), log: [], aside }, undefined);
      listeners.push(listener);
      return listener.address;
    },
    close: async () => {
      await Promise.all(listeners.map((listener) => listener.close()));
    },
    rootToken: issueToken(vaultState, { policies: ['root'] }).id,
    log,
    faults,
    vaultState,
    ...stateHooks(vaultState),
    ...secretHooks(vaultState),
    ...loginHooks(vaultState),
    ...roleHooks(vaultState),
    ...databaseHooks(vaultState),
  };
  double.mountKv('secret', 2);
  double.mountKv('kv', 1);
  namespaceOf(vaultState, '').appRoles.set('approle', new Map());
  return double;
}

function createVaultDoubleState({ flavour = 'vault', clock = Date }: VaultDoubleOptions): VaultDoubleState {
  return {
    flavour,
    now: () => clock.now(),
    initialized: true,
    sealed: false,
    standby: null,
    namespaces: new Map(),
    tokens: new Map(),
    wrappings: new Map(),
    leases: new Map(),
  };
}

function stateHooks(
  vaultState: VaultDoubleState,
): Pick<VaultDouble, 'seal' | 'unseal' | 'mountKv' | 'putPolicy'> {
  return {
    seal: () => {
      vaultState.sealed = true;
    },
    unseal: () => {
      vaultState.sealed = false;
    },
    mountKv: (name, version, namespace = '') => {
      const mount =
        version === 1
          ? { kind: 'kv1' as const, secrets: new Map() }
          : { kind: 'kv2' as const, secrets: new Map(), deleteAfter: new Map() };
      namespaceOf(vaultState, namespace).mounts.set(name, mount);
    },
    putPolicy: (name, paths, namespace = '') => {
      namespaceOf(vaultState, namespace).policies.set(name, paths);
    },
  };
}

function secretHooks(vaultState: VaultDoubleState): Pick<VaultDouble, 'putSecret' | 'deleteVersion'> {
  const mountOf = ({ mount = 'secret', namespace = '' }: StoredSecret) => {
    const found = namespaceOf(vaultState, namespace).mounts.get(mount);
    if (!found) throw new Error(`the double has no mount ${mount}`);
    return found;
  };
  const versionOf = (place: StoredSecret, version: number): KvVersion => {
    const mount = mountOf(place);
    const found = mount.kind === 'kv2' ? mount.secrets.get(place.path)?.[version - 1] : undefined;
    if (!found) throw new Error(`the double has no version ${version} of ${place.path}`);
    return found;
  };
  return {
    putSecret: (place, data) => {
      const mount = mountOf(place);
      if (mount.kind === 'kv1') {
        mount.secrets.set(place.path, data);
        return 0;
      }
      if (mount.kind !== 'kv2') throw new Error('the double keeps secrets in KV engines only');
      const versions = mount.secrets.get(place.path) ?? [];
      mount.secrets.set(place.path, versions);
      return versions.push({ data, created: vaultState.now(), deletedAt: null, destroyed: false });
    },
    deleteVersion: (place, version, at) => {
      versionOf(place, version).deletedAt = at ?? vaultState.now();
    },
  };
}

function loginHooks(vaultState: VaultDoubleState): Pick<VaultDouble, 'createToken' | 'createAppRole'> {
  return {
    createToken: (options) => issueToken(vaultState, options).id,
    createAppRole: (name, { mount = 'approle', namespace = '', ...terms }) => {
      const { appRoles } = namespaceOf(vaultState, namespace);
      const roles = appRoles.get(mount) ?? new Map<string, AppRole>();
      appRoles.set(mount, roles);
      const [roleId, secretId] = [randomUUID(), randomUUID()];
      const secretIds = new Set([secretId]);
      roles.set(name, { roleId, secretIds, terms: lasting(terms), failures: 0, lockedUntil: 0 });
      return { roleId, secretId };
    },
  };
}
