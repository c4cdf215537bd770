import { isDeepStrictEqual } from 'node:util';
import { writtenDocument } from '../../core/adapter-document.js';
import type { PlatformStore } from '../../core/platform-state.js';
import type { Principal } from '../../core/principal.js';
import { type RecordKind, type StoredVersion, versionOf } from '../../core/record-history.js';
import { isJsonObject, memberOf } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import { mapConcurrently } from '../../lib/map-concurrently.js';
import type { AdapterDirectory } from '../adapters/require-adapter.js';
import { count, listOf, text } from '../lib/reply-schemas.js';
import type { AuditEntry } from './audit-trail.js';

/** What a recorded change did, by the stored versions before and after it. */
interface RecordChange {
  readonly seq: number;
  readonly differences: readonly ShownDifference[];
  /** Number of differences that are not listed. */
  readonly left: number;
}

/** A difference. A long value, and a value that was absent, has no member. */
interface ShownDifference {
  readonly pointer: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Reads the stored versions of records. */
export interface RecordVersions {
  /** Returns true if the caller may call the operation that returns the version. */
  readonly mayRead: (version: StoredVersion, principal: Principal | undefined) => boolean;
  /** Returns the document of a version as clients see it; undefined if the version is not stored any more. */
  readonly find: (version: StoredVersion) => Promise<unknown>;
}

/** The operation that returns a version, by the kind of its record. */
export const VERSION_OPERATIONS = {
  adapter: 'adapters.getAdapterVersion',
  profile: 'profiles.getProfileVersion',
  'access-rule': 'access-rules.getAccessRuleVersion',
  limit: 'limits.getLimitRuleVersion',
} as const satisfies Readonly<Record<RecordKind, string>>;

export const recordChangesSchema = {
  ...listOf({
    seq: { ...count, description: 'Position of the record in the chain' },
    differences: listOf({
      pointer: { ...text, description: 'JSON pointer in the document of the record' },
      kind: { enum: ['added', 'removed', 'changed'] },
    }),
    left: { ...count, description: 'Number of differences that are not listed' },
  }),
  description:
    'With `changes`: what the newest changes of adapters, profiles, access rules and limits did, by their stored versions. Each difference has `before` and `after`, unless the value is long or absent. Changes of records whose versions the caller may not read are left out',
} as const;

/** Maximum number of records whose changes are read for one page. */
const MAX_CHANGES = 100;

/** Maximum number of differences of one record. */
const MAX_DIFFERENCES = 5;

/** Maximum length of a value as JSON, in characters. */
const MAX_VALUE_LENGTH = 100;

/** Number of versions that are read at a time. */
const CONCURRENCY = 8;

/** Creates the function that reads versions, from the stores of the records. */
export function findVersions(
  platform: PlatformStore,
  { storedDocument }: AdapterDirectory,
): RecordVersions['find'] {
  const { adapters: adapter, profiles: profile, accessRules, limits: limit } = platform;
  const stores = { adapter, profile, 'access-rule': accessRules, limit };
  return async ({ kind, name, revision }) => {
    const found = await stores[kind].version(name, revision);
    return found && kind === 'adapter'
      ? writtenDocument(storedDocument(name, found.document))
      : found?.document;
  };
}

/**
 * Returns what the changes among records did. Those without stored versions, creations, and those with versions that the caller
 * may not read are left out.
 */
export async function changesOf(
  records: readonly AuditEntry[],
  principal: Principal | undefined,
  { mayRead, find }: RecordVersions,
): Promise<readonly RecordChange[]> {
  const changes = records.flatMap(({ seq, outcome, before }) => {
    const version = before === '' ? undefined : versionOf(outcome);
    return version && seq !== undefined && mayRead(version, principal) ? [{ seq, version }] : [];
  });
  const read = await mapConcurrently(
    changes.slice(0, MAX_CHANGES),
    CONCURRENCY,
    async ({ seq, version }): Promise<readonly RecordChange[]> => {
      const [before, after] = await Promise.all([
        find({ ...version, revision: version.revision - 1 }),
        find(version),
      ]);
      if (before === undefined || after === undefined) return [];
      const all = differencesBetween(before, after);
      const differences = all.slice(0, MAX_DIFFERENCES).map(shownDifference);
      return [{ seq, differences, left: all.length - differences.length }];
    },
  );
  return read.flat();
}

/** A value that differs between two documents; an absent value is undefined. */
interface JsonDifference {
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the values that differ between two documents, in the order of `after`. Lists are compared as a whole. */
function differencesBetween(before: unknown, after: unknown, pointer = ''): readonly JsonDifference[] {
  if (!isJsonObject(before) || !isJsonObject(after))
    return isDeepStrictEqual(before, after) ? [] : [{ pointer, before, after }];
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].flatMap((name) =>
    differencesBetween(memberOf(before, name), memberOf(after, name), pointerTo(pointer, name)),
  );
}

function shownDifference({ pointer, before, after }: JsonDifference): ShownDifference {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  const isShort = [before, after].every(
    (value) => value === undefined || JSON.stringify(value).length <= MAX_VALUE_LENGTH,
  );
  return { pointer, kind, ...(isShort && { before, after }) };
}
