import { randomUUID, X509Certificate } from 'node:crypto';
import { databaseHooks, type DatabaseHooks } from './vault-double/database.js';
import { createFaultQueue, type FaultQueue } from './vault-double/faults.js';
import { lasting } from './vault-double/logins.js';
import { serve, type DoubleTls, type LoggedRequest } from './vault-double/server.js';
import type { Json, KvVersion, LoginRole, TokenTerms, VaultDoubleState } from './vault-double/state.js';
import { issueToken, liveToken, revokeToken } from './vault-double/tokens.js';

export interface VaultDoubleOptions {
  /** Wall time. */
  readonly clock?: { now(): number };
  readonly tls?: DoubleTls;
  /** Selects requests by path that are answered without a log entry and without faults. */
  readonly aside?: (path: string) => boolean;
}

/** Location of a secret; the default mount is `secret`. */
export interface StoredSecret {
  readonly mount?: string;
  readonly path: string;
}

interface AppRoleCredentials {
  readonly roleId: string;
  readonly secretId: string;
}

/**
 * The part of Vault that gatehouse calls, in this process, on a free port of 127.0.0.1. A new double is unsealed
 * and has a KV version 2 engine at `secret`, a KV version 1 engine at `kv`, and AppRole at `approle`. The contract
 * `test/contracts/vault-contract.ts` compares its replies with those of a real server.
 */
export interface VaultDouble extends DatabaseHooks {
  /** Origin, for `vault.address`. */
  readonly address: string;
  /** A token with all rights. */
  readonly rootToken: string;
  readonly log: LoggedRequest[];
  readonly faults: Pick<FaultQueue, 'next' | 'clear'>;
  readonly vaultState: VaultDoubleState;
  seal(): void;
  unseal(): void;
  /** Mounts an empty KV engine; replaces an engine of this name. */
  mountKv(name: string, version: 1 | 2): void;
  putPolicy(name: string, paths: Readonly<Record<string, readonly string[]>>): void;
  /** Writes a secret and returns its version; 0 on KV version 1. */
  putSecret(place: StoredSecret, data: Json): number;
  /** Deletes a version, now or at a time (milliseconds since 1970). */
  deleteVersion(place: StoredSecret, version: number, at?: number): void;
  destroyVersion(place: StoredSecret, version: number): void;
  createToken(terms: TokenTerms): string;
  revokeToken(token: string): void;
  knowsToken(token: string): boolean;
  /** Creates a role of the method `approle`; the default lifetime of its tokens is 1200 seconds. */
  createAppRole(name: string, terms: TokenTerms): AppRoleCredentials;
  /** Returns another secret id of an AppRole. */
  createSecretId(role: string): string;
  /** Creates or replaces a role of another method that accepts this JSON Web Token, or this certificate in PEM. */
  createLoginRole(
    name: string,
    options: TokenTerms & Pick<LoginRole, 'kind' | 'credential'> & { readonly mount?: string },
  ): void;
  /** Wraps the members of a reply to the path; returns the wrapping token. */
  wrap(creationPath: string, parts: Json): string;
  close(): Promise<void>;
}

export async function createVaultDouble(options: VaultDoubleOptions = {}): Promise<VaultDouble> {
  const { clock = Date, aside = () => false } = options;
  const vaultState: VaultDoubleState = {
    now: () => clock.now(),
    sealed: false,
    mounts: new Map(),
    policies: new Map(),
    logins: new Map(),
    tokens: new Map(),
    wrappings: new Map(),
    leases: new Map(),
  };
  const faults = createFaultQueue();
  const log: LoggedRequest[] = [];
  const server = await serve({ vaultState, faults, log, aside }, options.tls);
  const double: VaultDouble = {
    ...server,
    rootToken: issueToken(vaultState, { policies: ['root'] }).id,
    log,
    faults,
    vaultState,
    seal: () => {
      vaultState.sealed = true;
    },
    unseal: () => {
      vaultState.sealed = false;
    },
    mountKv: (name, version) => {
      vaultState.mounts.set(name, { kind: version === 1 ? 'kv1' : 'kv2', secrets: new Map() });
    },
    putPolicy: (name, paths) => {
      vaultState.policies.set(name, paths);
    },
    ...secretHooks(vaultState),
    ...loginHooks(vaultState),
    ...databaseHooks(vaultState),
  };
  double.mountKv('secret', 2);
  double.mountKv('kv', 1);
  return double;
}

function secretHooks(
  vaultState: VaultDoubleState,
): Pick<VaultDouble, 'putSecret' | 'deleteVersion' | 'destroyVersion'> {
  const mountOf = ({ mount = 'secret' }: StoredSecret) => {
    const found = vaultState.mounts.get(mount);
    if (!found || found.kind === 'database') throw new Error(`the double has no KV engine at ${mount}`);
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
      const versions = mount.secrets.get(place.path) ?? [];
      mount.secrets.set(place.path, versions);
      return versions.push({ data, created: vaultState.now(), deletedAt: null, destroyed: false });
    },
    deleteVersion: (place, version, at) => {
      versionOf(place, version).deletedAt = at ?? vaultState.now();
    },
    destroyVersion: (place, version) => {
      versionOf(place, version).destroyed = true;
    },
  };
}

function loginHooks(
  vaultState: VaultDoubleState,
): Pick<
  VaultDouble,
  | 'createToken'
  | 'revokeToken'
  | 'knowsToken'
  | 'createAppRole'
  | 'createSecretId'
  | 'createLoginRole'
  | 'wrap'
> {
  const { logins, wrappings } = vaultState;
  const putRole = (mount: string, name: string, role: LoginRole): void => {
    logins.set(mount, (logins.get(mount) ?? new Map<string, LoginRole>()).set(name, role));
  };
  const createSecretId = (name: string): string => {
    const secretId = randomUUID();
    logins.get('approle')?.get(name)?.secretIds.add(secretId);
    return secretId;
  };
  return {
    createToken: (terms) => issueToken(vaultState, terms).id,
    revokeToken: (token) => {
      revokeToken(vaultState, token);
    },
    knowsToken: (token) => liveToken(vaultState, token) !== undefined,
    createAppRole: (name, terms) => {
      const roleId = randomUUID();
      putRole('approle', name, {
        kind: 'approle',
        credential: roleId,
        secretIds: new Set(),
        terms: lasting(terms),
      });
      return { roleId, secretId: createSecretId(name) };
    },
    createSecretId,
    createLoginRole: (name, { kind, credential, mount = kind, ...terms }) => {
      const known = kind === 'cert' ? new X509Certificate(credential).fingerprint256 : credential;
      putRole(mount, name, { kind, credential: known, secretIds: new Set(), terms: lasting(terms) });
    },
    wrap: (creationPath, body) => {
      const token = `hvs.${randomUUID()}`;
      wrappings.set(token, { creationPath, body });
      return token;
    },
  };
}
