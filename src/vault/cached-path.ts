import { extractField } from './extract-field.js';
import type { LocatedReference } from './find-references.js';
import type { LeasedValue } from './leases.js';
import { fingerprintOf } from './secret-changes.js';
import { secretPath, type SecretPath } from './secret-path.js';
import type { SecretData } from './secret-reader.js';
import { failureOf, type VaultFailure } from './vault-error.js';

/** References that one read resolves. */
export interface ReferenceGroup {
  readonly path: SecretPath;
  readonly members: readonly LocatedReference[];
}

/** One owner's use of a secret. */
export interface SecretUser {
  readonly references: readonly LocatedReference[];
  /** Fingerprint of the values that the owner has or was notified of; undefined without values. */
  known: string | undefined;
}

/** One secret with all of its fields: the last good read, the result of the latest read, and the users. */
export interface CachedPath {
  readonly path: SecretPath;
  readonly madeAt: number;
  data: SecretData | undefined;
  loan: LeasedValue | undefined;
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
export function createGroup(path: SecretPath, madeAt: number): CachedPath {
  return {
    path,
    madeAt,
    data: undefined,
    loan: undefined,
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
  for (const placed of references) {
    const path = secretPath(placed.reference, mount);
    const group = groups.get(path.key) ?? { path, members: [] };
    group.members.push(placed);
    groups.set(path.key, group);
  }
  return [...groups.values()];
}

/** Creates a user whose values are those of the data. */
export function createUser(
  references: readonly LocatedReference[],
  data: SecretData | undefined,
): SecretUser {
  return { references, known: data && knownBy(references, data) };
}

/** Records that users get the data. Returns the owners for whom a value changed. */
export function applyRead(group: CachedPath, data: SecretData): readonly string[] {
  const concerned = [...group.users].filter(([, user]) => {
    const before = user.known;
    user.known = knownBy(user.references, data);
    return user.known !== before;
  });
  return concerned.map(([owner]) => owner);
}

/**
 * Returns the failure of a field that is in use and that a new read lacks. An incomplete read never replaces
 * a secret.
 */
export function lacking(group: CachedPath, data: SecretData): VaultFailure | undefined {
  const { data: before } = group;
  if (!before) return undefined;
  const used = [...group.users.values()].flatMap(({ references }) => references);
  return used
    .filter((placed) => !failureAt(placed, before))
    .map((placed) => failureAt(placed, data))
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

function knownBy(references: readonly LocatedReference[], data: SecretData): string {
  return fingerprintOf(
    data.fields,
    references.map(({ reference }) => reference),
  );
}
