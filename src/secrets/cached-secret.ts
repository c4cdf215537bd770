import type { Log } from '../core/log.js';
import type { Clock } from '../lib/clock.js';
import type { LocatedReference } from './find-references.js';
import { type HeldLease, renewalDelayMs, renewalRetryMs } from './leases.js';
import { isRotationDue, rereadMs, retryMs } from './refresh-times.js';
import { fingerprintOf } from './secret-changes.js';
import { failureClass, failureOf, type SecretFailure } from './secret-error.js';
import type { SecretPath } from './secret-path.js';
import type { SecretData, SecretStore } from './store.js';

/** One owner's use of a secret. */
interface SecretUser {
  readonly references: readonly LocatedReference[];
  /** Fingerprint of the values that the owner has or was notified of; undefined without values. */
  fingerprint: string | undefined;
}

/** Failure of a read that ended in a bug. */
export const INTERNAL_FAILURE: SecretFailure = {
  code: 'VAULT_BAD_RESPONSE',
  message: 'The secret could not be refreshed',
  fix: 'Report this: it is a fault of the gateway.',
};

/** A change of the values of a secret. Versions are null if the engine has no versions. */
export interface Rotation {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly from: number | null;
  readonly to: number | null;
}

/** One secret with all of its fields: the last good read, the result of the latest read, and the users. */
export interface CachedSecret {
  readonly path: SecretPath;
  readonly store: SecretStore;
  readonly createdAt: number;
  data: SecretData | undefined;
  heldLease: HeldLease | undefined;
  /** Time of the last confirmation by the store. */
  goodAt: number | undefined;
  /** Failure of the latest read or renewal. */
  failure: SecretFailure | undefined;
  /** The latest change of the values in use; undefined before the first, and for leased credentials. */
  rotated: Rotation | undefined;
  /** Users by owner; empty while no owner declares a use. */
  users: Map<string, SecretUser>;
  /** Times of reads that confirm a read with the same values, in milliseconds since 1970, earliest first. */
  confirmAt: readonly number[];
  /** Time of the latest read after a refusal by an orchestrator, or of its confirmation; undefined before the first. */
  refusalReadAt: number | undefined;
  /** Cancels the next read. */
  cancel: (() => void) | undefined;
}

/** Creates a secret without data. */
export function createCachedSecret(path: SecretPath, store: SecretStore, createdAt: number): CachedSecret {
  return {
    path,
    store,
    createdAt,
    data: undefined,
    heldLease: undefined,
    goodAt: undefined,
    failure: undefined,
    rotated: undefined,
    users: new Map(),
    confirmAt: [],
    refusalReadAt: undefined,
    cancel: undefined,
  };
}

/** Returns true for a pinned version that was read, because it never changes. */
export function isImmutable({ path, data, failure }: CachedSecret): boolean {
  return path.version !== null && data !== undefined && failure === undefined;
}

/** Returns the milliseconds until a secret is read again, or its lease is renewed. */
export function nextReadMs(
  { heldLease, failure, data, confirmAt, store: { refresh } }: CachedSecret,
  { random, scheduler }: { readonly random: () => number; readonly scheduler: Clock },
): number {
  if (heldLease) return (failure ? renewalRetryMs : renewalDelayMs)(heldLease, scheduler.now());
  const regularMs =
    data && !failure
      ? rereadMs(data, { refresh, random })
      : retryMs(failure?.code ?? INTERNAL_FAILURE.code, { refresh, random });
  const [confirm = Infinity] = confirmAt;
  return Math.min(regularMs, Math.max(0, confirm - scheduler.now()));
}

export function createUser(
  references: readonly LocatedReference[],
  data: SecretData | undefined,
): SecretUser {
  return { references, fingerprint: data && valuesFingerprint(references, data) };
}

/** Records that users get the data. Returns the owners for whom a value changed. */
export function applyRead(secret: CachedSecret, data: SecretData, now: number): readonly string[] {
  const affected = [...secret.users].filter(([, user]) => {
    const previous = user.fingerprint;
    user.fingerprint = valuesFingerprint(user.references, data);
    return user.fingerprint !== previous;
  });
  const { data: previous } = secret;
  // A leased credential is new with each lease and does not rotate.
  if (previous && !data.lease && (affected.length > 0 || previous.version !== data.version))
    secret.rotated = { at: now, from: previous.version, to: data.version };
  return affected.map(([owner]) => owner);
}

/** Drops values that no longer work. Returns the owners that used them. */
export function dropValues(secret: CachedSecret): readonly string[] {
  secret.data = undefined;
  secret.heldLease = undefined;
  for (const user of secret.users.values()) user.fingerprint = undefined;
  return [...secret.users.keys()];
}

/** Returns true if the database engine rotates the password of the secret at `now`, or was to rotate it before. */
export function isRotationDueAt({ data, goodAt }: CachedSecret, now: number): boolean {
  return data !== undefined && isRotationDue(data, now - (goodAt ?? now));
}

/**
 * Returns the failure of a field that is in use and missing in a new read. An incomplete read never replaces
 * a secret.
 */
export function missingFieldFailure(secret: CachedSecret, data: SecretData): SecretFailure | undefined {
  const { data: previous } = secret;
  if (!previous) return undefined;
  const used = [...secret.users.values()].flatMap(({ references }) => references);
  return used
    .filter((located) => !failureAt(located, previous))
    .map((located) => failureAt(located, data))
    .find((failure) => failure !== undefined);
}

/** Returns why a reference gets no value from the data; undefined if it gets a value. */
export function failureAt(
  { reference }: LocatedReference,
  data: Pick<SecretData, 'select'>,
): SecretFailure | undefined {
  try {
    data.select(reference);
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

function pointersOf(secret: CachedSecret): readonly string[] {
  return [...secret.users.values()].flatMap(({ references }) => references.map(({ pointer }) => pointer));
}

function valuesFingerprint(references: readonly LocatedReference[], data: SecretData): string {
  return fingerprintOf(
    data,
    references.map(({ reference }) => reference),
  );
}

/** Log of the changes of a secret. It contains the path and the pointers of the secret, never its value. */
export interface CacheLog {
  /** Logs that a read returned another version, or another value for an owner. */
  changed(secret: CachedSecret, data: SecretData, owners: readonly string[]): void;
  /** Logs that a read or renewal failed in a different way than the previous one. */
  failing(secret: CachedSecret, failure: SecretFailure): void;
  recovered(secret: CachedSecret): void;
  /** Logs that the lease ended and Vault granted no other credentials. */
  ended(secret: CachedSecret): void;
}

export function createCacheLog(log: Log): CacheLog {
  return {
    changed: (secret, data, owners) => {
      log.info(owners.length > 0 ? 'secret rotated' : 'secret has a new version with the same values', {
        path: data.shown,
        oldVersion: secret.data?.version ?? null,
        version: data.version,
        pointers: pointersOf(secret),
        owners,
        vaultRequestId: data.requestId,
      });
    },
    failing: (secret, failure) => {
      log.error(secret.data ? 'secret not confirmed; the last good read stays in use' : 'secret not read', {
        ...locationOf(secret),
        ...failure,
        class: failureClass(failure.code),
      });
    },
    recovered: (secret) => {
      log.info('secret confirmed again', locationOf(secret));
    },
    ended: (secret) => {
      log.error('lease ended; its credentials no longer work', locationOf(secret));
    },
  };
}

function locationOf(secret: CachedSecret): { readonly path: string; readonly pointers: readonly string[] } {
  return { path: secret.data?.shown ?? secret.path.key, pointers: pointersOf(secret) };
}
