import type { Scheduler } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import {
  applyRead,
  type CachedPath,
  type CacheLog,
  createCacheLog,
  createCachedPath,
  createUser,
  groupReferences,
  missingFieldFailure,
} from './cached-path.js';
import type { LocatedReference } from './find-references.js';
import {
  isNearMaxTtl,
  type HeldLease,
  type LeasesToRevoke,
  holdLease,
  renewalRetryMs,
  renewalDelayMs,
} from './leases.js';
import { type RefreshSchedule, rereadMs, retryMs } from './refresh-times.js';
import type { ChangeNotifier } from './secret-changes.js';
import type { SecretPath } from './secret-path.js';
import type { ReadSecret, SecretData } from './secret-reader.js';
import { isLost, type SecretInUse, secretsInUse, type SecretStatus, statusOf } from './secret-status.js';
import { failureClass, isVaultOutage, VaultError, type VaultFailure } from './vault-error.js';
import type { Lease } from './vault.js';

/** Dependencies of the secret cache. */
export interface SecretCacheDeps {
  readonly vault: { readonly read: ReadSecret; renewLease(lease: Lease): Promise<Lease> };
  /** Mount of relative references. */
  readonly mount: string;
  readonly schedule: RefreshSchedule;
  readonly maxStaleSeconds: number;
  readonly scheduler: Scheduler;
  readonly notifier: ChangeNotifier;
  readonly leasesToRevoke: LeasesToRevoke;
  readonly log: Log;
}

const INTERNAL_FAILURE: VaultFailure = {
  code: 'VAULT_BAD_RESPONSE',
  message: 'The secret could not be looked at',
  fix: 'Report this: it is a fault of the gateway.',
};

/**
 * Cache of the last good read of every secret, refreshed while the secret is in use (5.6). It reads each
 * secret on its own schedule, renews leases and reports changes. It keeps its values if Vault returns nothing
 * better (5.7).
 */
export class SecretCache {
  readonly #parts: SecretCacheDeps;
  readonly #log: CacheLog;
  readonly #groups = new Map<string, CachedPath>();
  readonly #errors = new Map<string, number>();
  #closed = false;

  constructor(parts: SecretCacheDeps) {
    this.#parts = parts;
    this.#log = createCacheLog(parts.log);
  }

  /** Returns the last good read of a path, and whether it is leased; undefined without a usable read. */
  find(path: SecretPath): { readonly data: SecretData; readonly isLeased: boolean } | undefined {
    const group = this.#groups.get(path.key);
    return group?.data && { data: group.data, isLeased: group.heldLease !== undefined };
  }

  /** Returns true if leased credentials have ended and no others arrived. */
  hasEnded(path: SecretPath): boolean {
    const group = this.#groups.get(path.key);
    return group !== undefined && isLost(group);
  }

  /** Reads a path on demand and caches the result. Throws the error of the read. */
  async read(path: SecretPath): Promise<SecretData> {
    const group = this.#groupAt(path);
    try {
      return await this.#read(group);
    } finally {
      this.#arm(group);
    }
  }

  /**
   * Sets the references in use, by owner, with the current values. Owners in `behind` still use earlier
   * values. Drops every secret that is not named.
   */
  watch(
    owners: ReadonlyMap<string, readonly LocatedReference[]>,
    outdatedOwners: ReadonlySet<string> = new Set(),
  ): void {
    const used = [...owners].flatMap(([owner, references]) =>
      groupReferences(references, this.#parts.mount).map((group) => ({ owner, ...group })),
    );
    const keys = new Set(used.map(({ path }) => path.key));
    for (const [key, group] of this.#groups) {
      if (!keys.has(key)) this.#drop(group);
      group.users = new Map();
    }
    for (const { owner, path, members } of used) {
      const group = this.#groupAt(path);
      group.users = new Map([...group.users, [owner, createUser(members, group.data)]]);
      if (!group.cancel) this.#arm(group);
    }
    this.#parts.leasesToRevoke.scheduleRevocations(outdatedOwners);
  }

  /** Reads everything in use, or renews its lease. Skips pinned versions that were read. */
  async refresh(): Promise<void> {
    const due = this.#used().filter((group) => !isImmutable(group));
    await Promise.all(due.map((group) => this.#look(group, () => this.#contact(group))));
  }

  /**
   * Reads the secrets of an owner, including leased credentials. Resolves to true if one of its values
   * changed.
   */
  async refreshOwner(owner: string): Promise<boolean> {
    const groups = this.#used().filter((group) => group.users.has(owner) && !isImmutable(group));
    const known = (): string => groups.map(({ users }) => users.get(owner)?.fingerprint ?? '').join(' ');
    const previous = known();
    await Promise.all(groups.map((group) => this.#look(group, () => this.#read(group))));
    return known() !== previous;
  }

  /** Replaces all leased credentials, because the old ones end with the token that requested them. */
  async replaceLeases(): Promise<void> {
    const isLeased = this.#used().filter(({ heldLease: loan }) => loan !== undefined);
    await Promise.all(isLeased.map((group) => this.#look(group, () => this.#read(group))));
  }

  status(): SecretStatus {
    const { scheduler, maxStaleSeconds } = this.#parts;
    const status = statusOf([...this.#groups.values()], { now: scheduler.now(), maxStaleSeconds });
    return { ...status, errors: new Map(this.#errors) };
  }

  /** Returns every reference in use with its state. */
  inUse(): readonly SecretInUse[] {
    return secretsInUse(this.#used(), this.#parts.scheduler.now());
  }

  /** Stops all scheduled reads. Returns the leases that must still be revoked. */
  close(): readonly string[] {
    this.#closed = true;
    const groups = [...this.#groups.values()];
    for (const group of groups) group.cancel?.();
    return [
      ...this.#parts.leasesToRevoke.close(),
      ...groups.flatMap(({ heldLease: loan }) => (loan ? [loan.lease.id] : [])),
    ];
  }

  #used(): readonly CachedPath[] {
    return [...this.#groups.values()].filter(({ users }) => users.size > 0);
  }

  #groupAt(path: SecretPath): CachedPath {
    const group = this.#groups.get(path.key) ?? createCachedPath(path, this.#parts.scheduler.now());
    this.#groups.set(path.key, group);
    return group;
  }

  #drop(group: CachedPath): void {
    group.cancel?.();
    if (group.heldLease) this.#parts.leasesToRevoke.add(group.heldLease.lease.id, group.users.keys());
    this.#groups.delete(group.path.key);
  }

  /** Runs a refresh and schedules the next one, even after an error. */
  async #look(group: CachedPath, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // A VaultError was recorded at its source.
      if (!(error instanceof VaultError)) this.#fail(group, INTERNAL_FAILURE);
    } finally {
      this.#arm(group);
    }
  }

  #arm(group: CachedPath): void {
    group.cancel?.();
    group.cancel = undefined;
    if (this.#closed || group.users.size === 0 || isImmutable(group)) return;
    group.cancel = this.#parts.scheduler.after(this.#pauseOf(group), () => {
      void this.#look(group, () => this.#contact(group));
    });
  }

  #pauseOf({ heldLease: loan, failure, data }: CachedPath): number {
    const { schedule, scheduler } = this.#parts;
    if (loan) return (failure ? renewalRetryMs : renewalDelayMs)(loan, scheduler.now());
    return data && !failure
      ? rereadMs(data, schedule)
      : retryMs(failure?.code ?? INTERNAL_FAILURE.code, schedule);
  }

  #contact(group: CachedPath): Promise<unknown> {
    return group.heldLease?.lease.renewable ? this.#renew(group, group.heldLease) : this.#read(group);
  }

  async #read(group: CachedPath): Promise<SecretData> {
    try {
      const data = await this.#parts.vault.read(group.path);
      this.#take(group, data);
      return data;
    } catch (error) {
      if (error instanceof VaultError) this.#fail(group, error);
      throw error;
    }
  }

  #take(group: CachedPath, data: SecretData): void {
    const fieldFailure = missingFieldFailure(group, data);
    if (fieldFailure) {
      if (data.lease) this.#parts.leasesToRevoke.add(data.lease.id, []);
      this.#fail(group, fieldFailure);
      return;
    }
    this.#announce(group, data);
    group.data = data;
    this.#confirm(group, data.lease ? holdLease(data.lease, this.#parts.scheduler.now()) : undefined);
  }

  #announce(group: CachedPath, data: SecretData): void {
    const owners = applyRead(group, data);
    if (owners.length > 0 || (group.data && group.data.version !== data.version))
      this.#log.changed(group, data, owners);
    for (const owner of owners) this.#parts.notifier.add(owner);
  }

  async #renew(group: CachedPath, { lease, initialSeconds: fullSeconds }: HeldLease): Promise<void> {
    const { vault, scheduler } = this.#parts;
    try {
      const renewed = holdLease(
        await vault.renewLease({ ...lease, seconds: fullSeconds }),
        scheduler.now(),
        fullSeconds,
      );
      if (group.heldLease?.lease.id !== lease.id) return;
      this.#confirm(group, renewed);
      if (!isNearMaxTtl(renewed)) return;
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      if (isOutage(error)) {
        this.#fail(group, error);
        return;
      }
    }
    await this.#read(group);
  }

  #confirm(group: CachedPath, loan: HeldLease | undefined): void {
    if (group.heldLease && group.heldLease.lease.id !== loan?.lease.id)
      this.#parts.leasesToRevoke.add(group.heldLease.lease.id, group.users.keys());
    group.heldLease = loan;
    group.goodAt = this.#parts.scheduler.now();
    if (group.failure && group.users.size > 0) this.#log.recovered(group);
    group.failure = undefined;
  }

  #fail(group: CachedPath, { code, message, fix }: VaultFailure): void {
    const failureKind = failureClass(code);
    this.#errors.set(failureKind, (this.#errors.get(failureKind) ?? 0) + 1);
    const previous = group.failure;
    group.failure = { code, message, fix };
    if (this.#closed || group.users.size === 0) return;
    if (!previous || failureClass(previous.code) !== failureKind) this.#log.failing(group, group.failure);
    if (group.heldLease && group.heldLease.endsAt <= this.#parts.scheduler.now()) this.#end(group);
  }

  /** Drops leased credentials after the end of their lease, because they no longer work. */
  #end(group: CachedPath): void {
    this.#log.ended(group);
    group.data = undefined;
    group.heldLease = undefined;
    for (const [owner, user] of group.users) {
      user.fingerprint = undefined;
      this.#parts.notifier.add(owner);
    }
  }
}

/** Returns true for a pinned version that was read, because it never changes. */
function isImmutable({ path, data, failure }: CachedPath): boolean {
  return path.version !== null && data !== undefined && failure === undefined;
}

/** Returns true if the error says nothing about the lease itself. */
function isOutage({ code, facts }: VaultError): boolean {
  return isVaultOutage(code) && facts.status !== 400 && facts.status !== 404;
}
