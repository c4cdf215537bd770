import type { Log } from '../core/log.js';
import { extractField } from './extract-field.js';
import type { LocatedReference } from './find-references.js';
import type { HeldLease } from './leases.js';
import { fingerprintOf } from './secret-changes.js';
import { secretPath, type SecretPath } from './secret-path.js';
import type { SecretData } from './secret-reader.js';
import { failureClass, failureOf, type VaultFailure } from './vault-error.js';

/** References that one read resolves. */
export interface ReferenceGroup {
  readonly path: SecretPath;
  readonly members: readonly LocatedReference[];
}

/** One owner's use of a secret. */
export interface SecretUser {
  readonly references: readonly LocatedReference[];
  /** Fingerprint of the values that the owner has or was notified of; undefined without values. */
  fingerprint: string | undefined;
}

/** One secret with all of its fields: the last good read, the result of the latest read, and the users. */
export interface CachedPath {
  readonly path: SecretPath;
  readonly createdAt: number;
  data: SecretData | undefined;
  heldLease: HeldLease | undefined;
  /** Time of the last confirmation by Vault. */
  goodAt: number | undefined;
  /** Failure of the latest contact. */
  failure: VaultFailure | undefined;
  /** Users by owner; empty while no owner declares a use. */
  users: ReadonlyMap<string, SecretUser>;
  /** Cancels the next read. */
  cancel: (() => void) | undefined;
}

/** Creates a secret without data. */
export function createCachedPath(path: SecretPath, createdAt: number): CachedPath {
  return {
    path,
    createdAt,
    data: undefined,
    heldLease: undefined,
    goodAt: undefined,
    failure: undefined,
    users: new Map(),
    cancel: undefined,
  };
}

/** Groups references by the read that resolves them. */
export function groupReferences(
  references: readonly LocatedReference[],
  mount: string,
): readonly ReferenceGroup[] {
  const groups = new Map<string, { path: SecretPath; members: LocatedReference[] }>();
  for (const located of references) {
    const path = secretPath(located.reference, mount);
    const group = groups.get(path.key) ?? { path, members: [] };
    group.members.push(located);
    groups.set(path.key, group);
  }
  return [...groups.values()];
}

/** Creates a user whose values are those of the data. */
export function createUser(
  references: readonly LocatedReference[],
  data: SecretData | undefined,
): SecretUser {
  return { references, fingerprint: data && valuesFingerprint(references, data) };
}

/** Records that users get the data. Returns the owners for whom a value changed. */
export function applyRead(group: CachedPath, data: SecretData): readonly string[] {
  const affected = [...group.users].filter(([, user]) => {
    const before = user.fingerprint;
    user.fingerprint = valuesFingerprint(user.references, data);
    return user.fingerprint !== before;
  });
  return affected.map(([owner]) => owner);
}

/**
 * Returns the failure of a field that is in use and that a new read lacks. An incomplete read never replaces
 * a secret.
 */
export function missingFieldFailure(group: CachedPath, data: SecretData): VaultFailure | undefined {
  const { data: before } = group;
  if (!before) return undefined;
  const used = [...group.users.values()].flatMap(({ references }) => references);
  return used
    .filter((located) => !failureAt(located, before))
    .map((located) => failureAt(located, data))
    .find((failure) => failure !== undefined);
}

/** Returns why a reference gets no value from the data; undefined if it gets a value. */
export function failureAt({ reference }: LocatedReference, data: SecretData): VaultFailure | undefined {
  try {
    extractField(data.fields, reference);
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

/** Returns the pointers of all uses of the secret. */
export function pointersOf(group: CachedPath): readonly string[] {
  return [...group.users.values()].flatMap(({ references }) => references.map(({ pointer }) => pointer));
}

function valuesFingerprint(references: readonly LocatedReference[], data: SecretData): string {
  return fingerprintOf(
    data.fields,
    references.map(({ reference }) => reference),
  );
}

/** Log of the changes of a secret. It contains the path and the pointers of the secret, never its value. */
export interface CacheLog {
  /** Logs that a read returned another version, or another value for an owner. */
  changed(group: CachedPath, data: SecretData, owners: readonly string[]): void;
  /** Logs that a contact failed in a different way than the previous contact. */
  failing(group: CachedPath, failure: VaultFailure): void;
  recovered(group: CachedPath): void;
  /** Logs that the lease ended and Vault gave no other credentials. */
  ended(group: CachedPath): void;
}

export function createCacheLog(log: Log): CacheLog {
  return {
    changed: (group, data, owners) => {
      log.info(owners.length > 0 ? 'secret rotated' : 'secret has a new version with the same values', {
        path: data.shown,
        oldVersion: group.data?.version ?? null,
        version: data.version,
        pointers: pointersOf(group),
        owners,
        vaultRequestId: data.requestId,
      });
    },
    failing: (group, failure) => {
      log.error(group.data ? 'secret not confirmed, the last good one stays in use' : 'secret not read', {
        ...locationOf(group),
        ...failure,
        class: failureClass(failure.code),
      });
    },
    recovered: (group) => {
      log.info('secret confirmed again', locationOf(group));
    },
    ended: (group) => {
      log.error('lease ended, so the credentials are of no use any more', locationOf(group));
    },
  };
}

function locationOf(group: CachedPath): { readonly path: string; readonly pointers: readonly string[] } {
  return { path: group.data?.shown ?? group.path.key, pointers: pointersOf(group) };
}
