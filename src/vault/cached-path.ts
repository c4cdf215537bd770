import { extractField } from './extract-field.js';
import type { LocatedReference } from './find-references.js';
import type { LeasedValue } from './leases.js';
import { fingerprintOf } from './secret-changes.js';
import { secretPath, type SecretPath } from './secret-path.js';
import type { SecretData } from './secret-reader.js';
import { failureOf, type VaultFailure } from './vault-error.js';

/** References that are served by one read. */
export interface ReferenceGroup {
  readonly path: SecretPath;
  readonly members: readonly LocatedReference[];
}

/** Who uses a secret, and which part of it. */
export interface SecretUser {
  readonly references: readonly LocatedReference[];
  /** Fingerprint of the values that the owner has, or has been told to fetch; undefined while it has none. */
  known: string | undefined;
}

/** One secret, all of its fields: the last good read, what came of the latest one, and who uses it. */
export interface CachedPath {
  readonly path: SecretPath;
  readonly madeAt: number;
  data: SecretData | undefined;
  loan: LeasedValue | undefined;
  /** When Vault last confirmed the data. */
  goodAt: number | undefined;
  /** Of the latest contact. */
  failure: VaultFailure | undefined;
  /** By owner; empty while nobody said that it is in use. */
  users: ReadonlyMap<string, SecretUser>;
  /** Calls off the next look. */
  cancel: (() => void) | undefined;
}

/** A secret of which nothing is known yet. */
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

/** The references by what is read for them. */
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

/** A user whose values are those of the data. */
export function createUser(
  references: readonly LocatedReference[],
  data: SecretData | undefined,
): SecretUser {
  return { references, known: data && knownBy(references, data) };
}

/** Notes that users learn of the data; gives those for whom a value has changed. */
export function applyRead(group: CachedPath, data: SecretData): readonly string[] {
  const concerned = [...group.users].filter(([, user]) => {
    const before = user.known;
    user.known = knownBy(user.references, data);
    return user.known !== before;
  });
  return concerned.map(([owner]) => owner);
}

/** What a new read lacks that somebody uses: half of a secret is never taken. */
export function lacking(group: CachedPath, data: SecretData): VaultFailure | undefined {
  const { data: before } = group;
  if (!before) return undefined;
  const used = [...group.users.values()].flatMap(({ references }) => references);
  return used
    .filter((placed) => !failureAt(placed, before))
    .map((placed) => failureAt(placed, data))
    .find((failure) => failure !== undefined);
}

/** Why a reference gets no value from the data; undefined when it gets one. */
export function failureAt({ reference }: LocatedReference, data: SecretData): VaultFailure | undefined {
  try {
    extractField(data.fields, reference);
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

/** Where the secret is used. */
export function pointersOf(group: CachedPath): readonly string[] {
  return [...group.users.values()].flatMap(({ references }) => references.map(({ pointer }) => pointer));
}

function knownBy(references: readonly LocatedReference[], data: SecretData): string {
  return fingerprintOf(
    data.fields,
    references.map(({ reference }) => reference),
  );
}
