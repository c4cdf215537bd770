import type { RecordKind } from '../../../../src/core/record-history.js';
import { pathOf } from '../../api/api-request.js';
import { textOf } from '../../text/text.js';

const text = textOf('history');

export type { RecordKind };

/** A record whose versions a page shows. */
export interface VersionedRecord {
  readonly kind: RecordKind;
  readonly name: string;
}

/** A version of an adapter or a profile, as `GET /adapters/:name/history` lists it. */
export interface Version {
  readonly revision: number;
  readonly action: 'stored' | 'created' | 'updated' | 'rolled-back' | 'reverted' | 'removed';
  /** RFC 3339; null if unknown. */
  readonly time: string | null;
  readonly author: { readonly name: string } | null;
  readonly comment: string | null;
  /** Revision whose document a rollback restored. */
  readonly restores: number | null;
}

/** Reply of `GET /adapters/:name/history`, newest version first. */
export interface VersionList {
  readonly results: readonly Version[];
  readonly total: number;
}

/** Reply of `GET /adapters/:name/history/:revision`. */
export interface VersionDocument extends Version {
  readonly document: Readonly<Record<string, unknown>>;
}

/** A deleted record that a rollback creates again. */
export interface RemovedRecord extends Omit<Version, 'action' | 'restores'> {
  readonly name: string;
}

/** A change that is undone at `until` unless it is confirmed. Times are in milliseconds since 1970. */
export interface PendingChange {
  readonly by: string | null;
  readonly at: number;
  readonly reason: string | null;
  readonly until: number;
}

/** Ids of the operations on the history of each kind of record. */
export const OPERATIONS = {
  adapter: {
    history: 'getAdapterHistory',
    removed: 'getRemovedAdapters',
    rollBack: 'rollbackAdapter',
    confirm: 'confirmAdapterChange',
  },
  profile: {
    history: 'getProfileHistory',
    removed: 'getRemovedProfiles',
    rollBack: 'rollbackProfile',
    confirm: 'confirmProfileChange',
  },
  'access-rule': {
    history: 'getAccessRuleHistory',
    removed: 'getRemovedAccessRules',
    rollBack: 'rollbackAccessRule',
    confirm: null,
  },
  limit: {
    history: 'getLimitRuleHistory',
    removed: 'getRemovedLimitRules',
    rollBack: 'rollbackLimitRule',
    confirm: null,
  },
} as const;

const FOLDERS: Readonly<Record<RecordKind, readonly string[]>> = {
  adapter: ['adapters'],
  profile: ['profiles'],
  'access-rule': ['access', 'rules'],
  limit: ['limits'],
};

/** The server keeps this many versions of a record. */
const MAX_VERSIONS = 100;

/** Returns the path of a record, of its page, or of an operation on it. */
export function recordPath({ kind, name }: VersionedRecord, ...names: readonly string[]): string {
  return pathOf([...FOLDERS[kind], name, ...names]);
}

/** Returns the path of the deleted records of a kind. */
export function removedPath(kind: RecordKind): string {
  return pathOf([...FOLDERS[kind], 'history', 'removed'], { limit: 500 });
}

/** Returns the path of all versions of a record, without their documents. */
export function versionsPath({ kind, name }: VersionedRecord): string {
  return pathOf([...FOLDERS[kind], name, 'history'], { limit: MAX_VERSIONS });
}

/** Paths that are read again after a change of a record. */
export const CHANGED_PATHS = [
  '/adapters',
  '/profiles',
  '/access',
  '/limits',
  '/console',
  '/whoami',
  '/health',
] as const;

/** Returns what made a version: "Changed", "Rolled back to version 3". */
export function actionText({ action, restores }: Version): string {
  if (action === 'rolled-back' && restores !== null) return text('action.rolledBackTo', { restores });
  return text(`action.${action}`);
}
