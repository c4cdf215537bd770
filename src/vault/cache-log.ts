import type { Log } from '../core/log.js';
import { failureClass } from './failure-class.js';
import { pointersOf, type CachedPath } from './cached-path.js';
import type { SecretData } from './secret-reader.js';
import type { VaultFailure } from './vault-error.js';

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
        ...placeOf(group),
        ...failure,
        class: failureClass(failure.code),
      });
    },
    recovered: (group) => {
      log.info('secret confirmed again', placeOf(group));
    },
    ended: (group) => {
      log.error('lease ended, so the credentials are of no use any more', placeOf(group));
    },
  };
}

function placeOf(group: CachedPath): { readonly path: string; readonly pointers: readonly string[] } {
  return { path: group.data?.shown ?? group.path.key, pointers: pointersOf(group) };
}
