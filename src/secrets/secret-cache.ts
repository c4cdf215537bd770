import type { Log } from '../core/log.js';
import type { Scheduler } from '../lib/clock.js';
import {
  applyRead,
  type CachedSecret,
  type CacheLog,
  createCacheLog,
  createCachedSecret,
  createUser,
  dropValues,
  INTERNAL_FAILURE,
  isImmutable,
  isRotationDueAt,
  missingFieldFailure,
  nextReadMs,
} from './cached-secret.js';
import type { LocatedReference } from './find-references.js';
import { isLeaseUnaffected, isNearMaxTtl, type HeldLease, type LeasesToRevoke, holdLease } from './leases.js';
import { readUntilRotated } from './refresh-times.js';
import { mayReadAfterRefusal, noteConfirmation, readOnRequest } from './requested-reads.js';
import type { ChangeNotifier } from './secret-changes.js';
import { failureClass, SecretError, type SecretFailure } from './secret-error.js';
import { groupReferences, type SecretPath } from './secret-path.js';
import { isLost, type SecretInUse, secretsInUse, type SecretStatus, statusOf } from './secret-status.js';
import type { Lease, SecretData, SecretStore, SecretStores } from './store.js';

interface SecretCacheDeps {
  readonly stores: SecretStores;
  /** Requests the duration of a lease again; returns the renewed lease. */
  readonly renewLease: (lease: Lease) => Promise<Lease>;
  /** Mount of relative references. */
  readonly mount: string;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  readonly scheduler: Scheduler;
  readonly notifier: ChangeNotifier;
  readonly leasesToRevoke: LeasesToRevoke;
  readonly log: Log;
}

/**
 * Cache of the last good read of every secret, refreshed while the secret is in use (5.6). It reads each
 * secret on its own schedule, renews leases and reports changes. It keeps the last good read while the store
 * returns no usable one (5.7).
 */
export class SecretCache {
  readonly #deps: SecretCacheDeps;
  readonly #log: CacheLog;
  readonly #entries = new Map<string, CachedSecret>();
  readonly #errors = new Map<string, number>();
  #closed = false;

  constructor(deps: SecretCacheDeps) {
    this.#deps = deps;
    this.#log = createCacheLog(deps.log);
  }

  /** Returns the last good read of a path, and whether it is leased; undefined without a usable read. */
  find(path: SecretPath): { readonly data: SecretData; readonly isLeased: boolean } | undefined {
    const entry = this.#entries.get(path.key);
    return entry?.data && { data: entry.data, isLeased: entry.heldLease !== undefined };
  }

  /** Returns true if leased credentials have ended and were not replaced. */
  hasEnded(path: SecretPath): boolean {
    const entry = this.#entries.get(path.key);
    return entry !== undefined && isLost(entry);
  }

  /** Reads a path on demand and caches the result. Throws the error of the read. */
  async read(path: SecretPath): Promise<SecretData> {
    const entry = this.#entryAt(path);
    try {
      return await this.#read(entry);
    } finally {
      this.#schedule(entry);
    }
  }

  /**
   * Sets the references in use, by owner, with the current values. `outdatedOwners` still use earlier values.
   * Drops every secret that is not named.
   */
  watch(
    owners: ReadonlyMap<string, readonly LocatedReference[]>,
    outdatedOwners: ReadonlySet<string> = new Set(),
  ): void {
    const used = [...owners].flatMap(([owner, references]) =>
      groupReferences(references, this.#deps.mount).map((entry) => ({ owner, ...entry })),
    );
    const paths = new Map(used.map(({ path }) => [path.key, path]));
    for (const [key, entry] of this.#entries) {
      if (!paths.has(key)) this.#drop(entry);
      entry.users = new Map();
    }
    for (const { owner, path, members } of used) {
      const entry = this.#entryAt(path);
      entry.users.set(owner, createUser(members, entry.data));
      if (!entry.cancel) this.#schedule(entry);
    }
    this.#deps.leasesToRevoke.scheduleRevocations(outdatedOwners);
    for (const [name, store] of Object.entries(this.#deps.stores))
      store.watch?.([...paths.values()].filter((path) => path.store === name));
  }

  /** Reads everything of a store that is in use, or renews its lease. Skips pinned versions that were read. */
  async refresh(store: SecretStore): Promise<void> {
    const due = this.#used(store).filter((entry) => !isImmutable(entry));
    await this.#runRequested(due, () =>
      Promise.all(due.map((entry) => this.#refreshAndSchedule(entry, () => this.#refreshEntry(entry)))),
    );
  }

  /**
   * Reads the secrets of an owner in a store after a refusal by its orchestrator, including leases, until a rotation has
   * ended. Leaves out secrets that were read for this reason a moment ago. Resolves to true if a value changed.
   */
  async refreshOwner(owner: string, store: SecretStore): Promise<boolean> {
    const { scheduler } = this.#deps;
    const entries = this.#used(store).filter((entry) => mayReadAfterRefusal(entry, owner, scheduler));
    if (entries.length === 0) return false;
    const fingerprints = (): string => entries.map(({ users }) => users.get(owner)?.fingerprint).join(' ');
    const previous = fingerprints();
    const readAll = () => this.#readAll(entries).then(() => fingerprints() !== previous);
    const isDue = (): boolean => entries.some((entry) => isRotationDueAt(entry, scheduler.now()));
    const isChanged = await this.#runRequested(entries, () => readUntilRotated(readAll, isDue, scheduler));
    for (const entry of entries) entry.refusalReadAt = scheduler.now();
    return isChanged;
  }

  /**
   * Replaces all leased credentials, because the old ones end with the token that requested them, and reads again
   * what failed with the old token.
   */
  async useNewToken(store: SecretStore): Promise<void> {
    await this.#readAll(this.#used(store).filter(({ heldLease, failure }) => heldLease ?? failure));
  }

  /** Returns the status of all secrets in use, or of those in one store. */
  status(store?: SecretStore): SecretStatus {
    const status = statusOf(this.#used(store), this.#deps.scheduler.now());
    return { ...status, errors: new Map(this.#errors) };
  }

  /** Returns every reference in use with its state, one store after the other. */
  inUse(): readonly SecretInUse[] {
    const used = Object.values(this.#deps.stores).flatMap((store) => this.#used(store));
    return secretsInUse(used, this.#deps.scheduler.now());
  }

  /** Stops all scheduled reads. Returns the leases that must still be revoked. */
  close(): readonly string[] {
    this.#closed = true;
    const entries = [...this.#entries.values()];
    for (const entry of entries) entry.cancel?.();
    return [
      ...this.#deps.leasesToRevoke.close(),
      ...entries.flatMap(({ heldLease }) => (heldLease ? [heldLease.lease.id] : [])),
    ];
  }

  /** Returns the secrets in use, of one store or of all. */
  #used(store?: SecretStore): readonly CachedSecret[] {
    return [...this.#entries.values()].filter(
      (entry) => entry.users.size > 0 && (!store || entry.store === store),
    );
  }

  #entryAt(path: SecretPath): CachedSecret {
    const { stores, scheduler } = this.#deps;
    const entry =
      this.#entries.get(path.key) ?? createCachedSecret(path, stores[path.store], scheduler.now());
    this.#entries.set(path.key, entry);
    return entry;
  }

  #drop(entry: CachedSecret): void {
    entry.cancel?.();
    if (entry.heldLease) this.#deps.leasesToRevoke.add(entry.heldLease.lease.id, entry.users.keys());
    this.#entries.delete(entry.path.key);
  }

  /** Runs reads that a person or an orchestrator caused, and schedules the reads that confirm them. */
  async #runRequested<Result>(
    entries: readonly CachedSecret[],
    reads: () => Promise<Result>,
  ): Promise<Result> {
    const result = await readOnRequest(entries, this.#deps.scheduler, reads);
    for (const entry of entries) this.#schedule(entry);
    return result;
  }

  async #readAll(entries: readonly CachedSecret[]): Promise<void> {
    await Promise.all(entries.map((entry) => this.#refreshAndSchedule(entry, () => this.#read(entry))));
  }

  /** Runs a refresh and schedules the next one, even after an error. */
  async #refreshAndSchedule(entry: CachedSecret, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // A SecretError was recorded at its source.
      if (!(error instanceof SecretError)) this.#fail(entry, INTERNAL_FAILURE);
    } finally {
      this.#schedule(entry);
    }
  }

  #schedule(entry: CachedSecret): void {
    entry.cancel?.();
    entry.cancel = undefined;
    if (this.#closed || entry.users.size === 0 || isImmutable(entry)) return;
    entry.cancel = this.#deps.scheduler.after(nextReadMs(entry, this.#deps), () => {
      noteConfirmation(entry, this.#deps.scheduler.now());
      void this.#refreshAndSchedule(entry, () => this.#refreshEntry(entry));
    });
  }

  #refreshEntry(entry: CachedSecret): Promise<unknown> {
    return entry.heldLease?.lease.renewable ? this.#renew(entry, entry.heldLease) : this.#read(entry);
  }

  async #read(entry: CachedSecret): Promise<SecretData> {
    try {
      const data = await entry.store.read(entry.path);
      this.#accept(entry, data);
      return data;
    } catch (error) {
      if (error instanceof SecretError) this.#fail(entry, error);
      throw error;
    }
  }

  #accept(entry: CachedSecret, data: SecretData): void {
    const fieldFailure = missingFieldFailure(entry, data);
    if (fieldFailure) {
      if (data.lease) this.#deps.leasesToRevoke.add(data.lease.id, []);
      this.#fail(entry, fieldFailure);
      return;
    }
    this.#notifyOwners(entry, data);
    entry.data = data;
    this.#confirm(entry, data.lease ? holdLease(data.lease, this.#deps.scheduler.now()) : undefined);
  }

  #notifyOwners(entry: CachedSecret, data: SecretData): void {
    const owners = applyRead(entry, data, this.#deps.scheduler.now());
    if (owners.length > 0 || (entry.data && entry.data.version !== data.version))
      this.#log.changed(entry, data, owners);
    for (const owner of owners) this.#deps.notifier.add(owner, entry.store);
  }

  async #renew(entry: CachedSecret, { lease, initialSeconds }: HeldLease): Promise<void> {
    const { renewLease, scheduler } = this.#deps;
    try {
      const renewed = holdLease(
        await renewLease({ ...lease, seconds: initialSeconds }),
        scheduler.now(),
        initialSeconds,
      );
      if (entry.heldLease?.lease.id !== lease.id) return;
      this.#confirm(entry, renewed);
      if (!isNearMaxTtl(renewed)) return;
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      if (isLeaseUnaffected(error)) {
        this.#fail(entry, error);
        return;
      }
    }
    await this.#read(entry);
  }

  #confirm(entry: CachedSecret, heldLease: HeldLease | undefined): void {
    if (entry.heldLease && entry.heldLease.lease.id !== heldLease?.lease.id)
      this.#deps.leasesToRevoke.add(entry.heldLease.lease.id, entry.users.keys());
    entry.heldLease = heldLease;
    entry.goodAt = this.#deps.scheduler.now();
    if (entry.failure && entry.users.size > 0) this.#log.recovered(entry);
    entry.failure = undefined;
  }

  #fail(entry: CachedSecret, { code, message, fix }: SecretFailure): void {
    const failureKind = failureClass(code);
    this.#errors.set(failureKind, (this.#errors.get(failureKind) ?? 0) + 1);
    const previous = entry.failure;
    entry.failure = { code, message, fix };
    if (this.#closed || entry.users.size === 0) return;
    if (!previous || failureClass(previous.code) !== failureKind) this.#log.failing(entry, entry.failure);
    if (entry.heldLease && entry.heldLease.endsAt <= this.#deps.scheduler.now()) this.#endLease(entry);
  }

  /** Drops leased credentials after the end of their lease, because they no longer work. */
  #endLease(entry: CachedSecret): void {
    this.#log.ended(entry);
    for (const owner of dropValues(entry)) this.#deps.notifier.add(owner, entry.store);
  }
}
