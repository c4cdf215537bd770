import type { Scheduler } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import { failureClass, isVaultOutage } from './failure-class.js';
import type { LocatedReference } from './find-references.js';
import { createCacheLog, type CacheLog } from './cache-log.js';
import {
  isRunningOut,
  leaseValue,
  renewAgainMs,
  renewMs,
  type LeasedValue,
  type LeasesToRevoke,
} from './leases.js';
import { rereadMs, retryMs, type RefreshRateLimit } from './refresh-times.js';
import type { ChangeNotifier } from './secret-changes.js';
import {
  createGroup,
  createUser,
  groupReferences,
  lacking,
  applyRead,
  type CachedPath,
} from './cached-path.js';
import type { SecretPath } from './secret-path.js';
import { type SecretInUse, secretsInUse } from './secret-usage.js';
import type { ReadSecret, SecretData } from './secret-reader.js';
import { isLost, statusOf, type SecretStatus } from './max-age.js';
import type { Lease } from './vault.js';
import { VaultError, type VaultFailure } from './vault-error.js';

/** Dependencies of the secret cache. */
export interface SecretCacheDeps {
  readonly vault: { readonly read: ReadSecret; renewLease(lease: Lease): Promise<Lease> };
  /** Mount of relative references. */
  readonly mount: string;
  readonly pace: RefreshRateLimit;
  readonly maxStaleSeconds: number;
  readonly scheduler: Scheduler;
  readonly news: ChangeNotifier;
  readonly retired: LeasesToRevoke;
  readonly log: Log;
}

const UNEXPECTED: VaultFailure = {
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
  find(path: SecretPath): { readonly data: SecretData; readonly lent: boolean } | undefined {
    const group = this.#groups.get(path.key);
    return group?.data && { data: group.data, lent: group.loan !== undefined };
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
    behind: ReadonlySet<string> = new Set(),
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
    this.#parts.retired.drain(behind);
  }

  /** Reads everything in use, or renews its lease. Skips pinned versions that were read. */
  async refresh(): Promise<void> {
    const due = this.#used().filter((group) => !isSettled(group));
    await Promise.all(due.map((group) => this.#look(group, () => this.#contact(group))));
  }

  /**
   * Reads the secrets of an owner, including leased credentials. Resolves to true if one of its values
   * changed.
   */
  async refreshOwner(owner: string): Promise<boolean> {
    const groups = this.#used().filter((group) => group.users.has(owner) && !isSettled(group));
    const known = (): string => groups.map(({ users }) => users.get(owner)?.known ?? '').join(' ');
    const before = known();
    await Promise.all(groups.map((group) => this.#look(group, () => this.#read(group))));
    return known() !== before;
  }

  /** Replaces all leased credentials, because the old ones end with the token that requested them. */
  async replaceLeases(): Promise<void> {
    const lent = this.#used().filter(({ loan }) => loan !== undefined);
    await Promise.all(lent.map((group) => this.#look(group, () => this.#read(group))));
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
    return [...this.#parts.retired.close(), ...groups.flatMap(({ loan }) => (loan ? [loan.lease.id] : []))];
  }

  #used(): readonly CachedPath[] {
    return [...this.#groups.values()].filter(({ users }) => users.size > 0);
  }

  #groupAt(path: SecretPath): CachedPath {
    const group = this.#groups.get(path.key) ?? createGroup(path, this.#parts.scheduler.now());
    this.#groups.set(path.key, group);
    return group;
  }

  #drop(group: CachedPath): void {
    group.cancel?.();
    if (group.loan) this.#parts.retired.add(group.loan.lease.id, group.users.keys());
    this.#groups.delete(group.path.key);
  }

  /** Runs a refresh and schedules the next one, even after an error. */
  async #look(group: CachedPath, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // A VaultError was recorded at its source.
      if (!(error instanceof VaultError)) this.#fail(group, UNEXPECTED);
    } finally {
      this.#arm(group);
    }
  }

  #arm(group: CachedPath): void {
    group.cancel?.();
    group.cancel = undefined;
    if (this.#closed || group.users.size === 0 || isSettled(group)) return;
    group.cancel = this.#parts.scheduler.after(this.#pauseOf(group), () => {
      void this.#look(group, () => this.#contact(group));
    });
  }

  #pauseOf({ loan, failure, data }: CachedPath): number {
    const { pace, scheduler } = this.#parts;
    if (loan) return (failure ? renewAgainMs : renewMs)(loan, scheduler.now());
    return data && !failure ? rereadMs(data, pace) : retryMs(failure?.code ?? UNEXPECTED.code, pace);
  }

  #contact(group: CachedPath): Promise<unknown> {
    return group.loan?.lease.renewable ? this.#renew(group, group.loan) : this.#read(group);
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
    const lack = lacking(group, data);
    if (lack) {
      if (data.lease) this.#parts.retired.add(data.lease.id, []);
      this.#fail(group, lack);
      return;
    }
    this.#announce(group, data);
    group.data = data;
    this.#confirm(group, data.lease ? leaseValue(data.lease, this.#parts.scheduler.now()) : undefined);
  }

  #announce(group: CachedPath, data: SecretData): void {
    const owners = applyRead(group, data);
    if (owners.length > 0 || (group.data && group.data.version !== data.version))
      this.#log.changed(group, data, owners);
    for (const owner of owners) this.#parts.news.add(owner);
  }

  async #renew(group: CachedPath, { lease, fullSeconds }: LeasedValue): Promise<void> {
    const { vault, scheduler } = this.#parts;
    try {
      const renewed = leaseValue(
        await vault.renewLease({ ...lease, seconds: fullSeconds }),
        scheduler.now(),
        fullSeconds,
      );
      if (group.loan?.lease.id !== lease.id) return;
      this.#confirm(group, renewed);
      if (!isRunningOut(renewed)) return;
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      if (isAway(error)) {
        this.#fail(group, error);
        return;
      }
    }
    await this.#read(group);
  }

  #confirm(group: CachedPath, loan: LeasedValue | undefined): void {
    if (group.loan && group.loan.lease.id !== loan?.lease.id)
      this.#parts.retired.add(group.loan.lease.id, group.users.keys());
    group.loan = loan;
    group.goodAt = this.#parts.scheduler.now();
    if (group.failure && group.users.size > 0) this.#log.recovered(group);
    group.failure = undefined;
  }

  #fail(group: CachedPath, { code, message, fix }: VaultFailure): void {
    const found = failureClass(code);
    this.#errors.set(found, (this.#errors.get(found) ?? 0) + 1);
    const before = group.failure;
    group.failure = { code, message, fix };
    if (this.#closed || group.users.size === 0) return;
    if (!before || failureClass(before.code) !== found) this.#log.failing(group, group.failure);
    if (group.loan && group.loan.endsAt <= this.#parts.scheduler.now()) this.#end(group);
  }

  /** Drops leased credentials after the end of their lease, because they no longer work. */
  #end(group: CachedPath): void {
    this.#log.ended(group);
    group.data = undefined;
    group.loan = undefined;
    for (const [owner, user] of group.users) {
      user.known = undefined;
      this.#parts.news.add(owner);
    }
  }
}

/** Returns true for a pinned version that was read, because it never changes. */
function isSettled({ path, data, failure }: CachedPath): boolean {
  return path.version !== null && data !== undefined && failure === undefined;
}

/** Returns true if the error says nothing about the lease itself. */
function isAway({ code, facts }: VaultError): boolean {
  return isVaultOutage(code) && facts.status !== 400 && facts.status !== 404;
}
