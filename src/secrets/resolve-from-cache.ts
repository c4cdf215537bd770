import type { Log } from '../core/log.js';
import { failureAt, type ReferenceGroup } from './cached-secret.js';
import type { LocatedReference } from './find-references.js';
import type { SecretCache } from './secret-cache.js';
import { failureOf, type SecretFailure } from './secret-error.js';
import type { Freshness, Resolution } from './secret-provider.js';
import { extractField } from './vault/extract-field.js';
import type { SecretData } from './vault/secret-reader.js';

type Entry = readonly [pointer: string, resolution: Resolution];

interface ResolveDeps {
  readonly secrets: Pick<SecretCache, 'find' | 'read' | 'hasEnded'>;
  readonly freshness: Freshness;
  readonly log: Log;
}

/** Returns the value of every reference, by pointer. Each group is read at most once. Rejects only on a bug. */
export async function resolveFromCache(
  groups: readonly ReferenceGroup[],
  deps: ResolveDeps,
): Promise<ReadonlyMap<string, Resolution>> {
  const resolved = await Promise.all(groups.map((group) => resolveGroup(group, deps)));
  return new Map(resolved.flat());
}

async function resolveGroup(group: ReferenceGroup, deps: ResolveDeps): Promise<readonly Entry[]> {
  const { secrets, freshness, log } = deps;
  const cached = secrets.find(group.path);
  const mayUseCached = cached && (freshness === 'held' || cached.isLeased);
  if (mayUseCached && !group.members.some((member) => failureAt(member, cached.data)))
    return resolveMembers(group, cached.data, log);
  try {
    const data = await secrets.read(group.path);
    const { shown: path, version, requestId } = data;
    log.info('secret read', {
      path,
      version,
      pointers: pointersOf(group),
      ...(requestId !== '' && { vaultRequestId: requestId }),
    });
    return resolveMembers(group, data, log);
  } catch (error) {
    const failure = secrets.hasEnded(group.path) ? leaseEndedFailure(error) : failureOf(error);
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
    const value = extractField(data.fields, reference);
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
