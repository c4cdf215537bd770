import type { Log } from '../core/log.js';
import { failureAt } from './cached-secret.js';
import type { LocatedReference } from './find-references.js';
import type { SecretCache } from './secret-cache.js';
import { failureOf, type SecretFailure } from './secret-error.js';
import { encoded, type ReferenceGroup, type SecretPath } from './secret-path.js';
import type { SecretValue } from './secret-value.js';
import type { SecretData, SecretOutline, SecretStores } from './store.js';

/** Value of a reference, or the reason why it is unavailable. */
export type Resolution =
  | {
      readonly value: SecretValue;
      /** Version of the secret; absent if its store keeps none. */
      readonly version?: number;
    }
  | SecretFailure;

/** `read` reads from the store; `held` uses the last good read, and reads only values that are not cached. */
export type Freshness = 'read' | 'held';

type Entry = readonly [pointer: string, resolution: Resolution];

interface ResolveDeps {
  readonly cache: SecretCache;
  readonly freshness: Freshness;
  readonly log: Log;
}

/** Returns the value of every reference, by pointer. Each group is read at most once. Rejects only on a bug. */
export async function resolveGroups(
  groups: readonly ReferenceGroup[],
  deps: ResolveDeps,
): Promise<ReadonlyMap<string, Resolution>> {
  const resolved = await Promise.all(groups.map((group) => resolveGroup(group, deps)));
  return new Map(resolved.flat());
}

async function resolveGroup(group: ReferenceGroup, deps: ResolveDeps): Promise<readonly Entry[]> {
  const { cache, freshness, log } = deps;
  const cached = cache.find(group.path);
  const mayUseCached = cached && (freshness === 'held' || cached.isLeased);
  if (mayUseCached && !group.members.some((member) => failureAt(member, cached.data)))
    return resolveMembers(group, cached.data, log);
  try {
    const data = await cache.read(group.path);
    const { shown: path, version, requestId } = data;
    log.info('secret read', {
      path,
      version,
      pointers: pointersOf(group),
      ...(requestId !== '' && { vaultRequestId: requestId }),
    });
    return resolveMembers(group, data, log);
  } catch (error) {
    const failure = cache.hasEnded(group.path) ? leaseEndedFailure(error) : failureOf(error);
    if (mayUseCached) return resolveMembers(group, cached.data, log);
    return group.members.map(({ pointer }) => [pointer, failure]);
  }
}

/** Creates the failure for leased credentials. Unlike other values, they do not work after their lease. */
function leaseEndedFailure(error: unknown): SecretFailure {
  const { code, message, fix } = failureOf(error);
  return {
    code: 'VAULT_LEASE_ENDED',
    message: `The lease of the credentials has ended, and ${code}: ${message}`,
    fix,
  };
}

function resolveMembers(group: ReferenceGroup, data: SecretData, log: Log): readonly Entry[] {
  return group.members.map((member) => [member.pointer, resolveMember(member, data, log)]);
}

function resolveMember({ pointer, reference }: LocatedReference, data: SecretData, log: Log): Resolution {
  try {
    const value = data.select(reference);
    if (typeof value === 'string' && value.endsWith('\n'))
      log.warn('secret ends in a line break', { pointer });
    return data.version === null ? { value } : { value, version: data.version };
  } catch (error) {
    return failureOf(error);
  }
}

function pointersOf({ members }: ReferenceGroup): readonly string[] {
  return members.map(({ pointer }) => pointer);
}

/** Result of the check of one reference. It contains no value. */
export interface ReferenceCheck extends Pick<
  SecretOutline,
  'names' | 'asked' | 'hasValues' | 'isWorldReadable'
> {
  readonly pointer: string;
  /** Requested path, with the mount. */
  readonly path: string;
  readonly version: number | null;
  readonly field: string | null;
  /** Why the reference cannot be resolved. */
  readonly failure?: SecretFailure;
}

/**
 * Checks for every reference whether its store has a value. Each group is looked up once, without values where the store
 * can list fields without them. Rejects only on a bug.
 */
export async function checkGroups(
  groups: readonly ReferenceGroup[],
  stores: SecretStores,
): Promise<readonly ReferenceCheck[]> {
  const checked = await Promise.all(groups.map((group) => checkGroup(group, stores)));
  return checked.flat();
}

async function checkGroup(
  { path, members }: ReferenceGroup,
  stores: SecretStores,
): Promise<readonly ReferenceCheck[]> {
  try {
    const outline = await stores[path.store].lookUp(path);
    return members.map((member) => checkMember(member, outline));
  } catch (error) {
    const failure = failureOf(error);
    const unread = {
      path: shownPath(path),
      version: path.version,
      names: [],
      asked: true,
      hasValues: false,
      failure,
    };
    return members.map(({ pointer, reference: { field } }) => ({ pointer, field, ...unread }));
  }
}

function checkMember(member: LocatedReference, outline: SecretOutline): ReferenceCheck {
  const { shown: path, version, names, asked, hasValues, isWorldReadable = false } = outline;
  const failure = failureAt(member, outline);
  const { pointer, reference } = member;
  return {
    pointer,
    path,
    version,
    field: reference.field,
    names,
    asked,
    hasValues,
    ...(failure ? { failure } : isWorldReadable && { isWorldReadable }),
  };
}

function shownPath({ store, segments }: SecretPath): string {
  return store === 'file' ? segments.join('/') : encoded(segments);
}
