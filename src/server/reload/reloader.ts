import { isDeepStrictEqual } from 'node:util';
import type { Scheduler } from '../../core/lib/clock.js';
import type { Fault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import type { Snapshot } from '../../core/snapshot.js';
import { mayPass } from '../../vault/vault-error.js';
import { createBackoff } from '../../core/lib/backoff.js';
import type { Built } from './build-snapshot.js';
import type { SnapshotHolder } from './snapshot-holder.js';
import type { ActiveSnapshot } from './active-snapshot.js';
import { ReloadCounter, type ReloadCounts } from './reload-counts.js';

/** What the next snapshot is to be made of. */
export interface BuildRequest {
  readonly previous: ActiveSnapshot;
  /**
   * `files`: the configuration on disk. `records`: what was asked for through the API. A set: the live one, with the
   * pieces of these names looked at again.
   */
  readonly from: 'files' | 'records' | ReadonlySet<string>;
  /** Fires when the server stops. */
  readonly stopping: AbortSignal;
}

export interface ReloaderInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly build: (request: BuildRequest) => Promise<Built>;
  /** Called with each snapshot once it is live, and with the pieces whose renewal is wanted or went wrong. */
  readonly onActivated: (snapshot: ActiveSnapshot, unrenewed: ReadonlySet<string>) => void;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Makes changes live, one at a time: of the configuration on disk, or of the secrets that it refers to. */
export class Reloader {
  readonly #input: ReloaderInput;
  readonly #counter = new ReloadCounter();
  #running: Promise<unknown> | undefined;
  readonly #wanted = new Map<'files' | 'records', Promise<readonly Fault[]>>();
  #piecesWanted: { readonly names: Set<string>; readonly done: Promise<void> } | undefined;
  readonly #stopping = new AbortController();
  #refusal: readonly Fault[] = [];
  /** Pieces whose renewal went wrong. */
  readonly #missed = new Set<string>();
  /** True when what was asked for through the API could not be read. */
  #isRecordMissed = false;
  readonly #backoff = createBackoff();
  #callOffRetry = (): void => undefined;

  constructor(input: ReloaderInput) {
    this.#input = input;
  }

  /**
   * Makes the configuration on disk live, or changes nothing. Resolves to the faults that refused it, after they were
   * logged. Those who ask while one runs share the next one, which reads what is on disk by then. Rejects when the
   * server is stopping.
   */
  reload(): Promise<readonly Fault[]> {
    return this.#soon('files');
  }

  /** Takes up what was asked for through the API, with the files as they were read last; otherwise like `reload`. */
  applyRecords(): Promise<readonly Fault[]> {
    return this.#soon('records');
  }

  /** Takes up other values of the secrets that these pieces refer to; the configuration stays as it is. */
  renew(names: Iterable<string>): Promise<void> {
    const wanted = (this.#piecesWanted ??= this.#plan(new Set()));
    for (const name of names) wanted.names.add(name);
    return wanted.done;
  }

  /** True when the configuration on disk is live, as far as we know. */
  isUpToDate(): boolean {
    return this.#refusal.length === 0;
  }

  /** What refused the configuration on disk; nothing while it is live. */
  refusal(): readonly Fault[] {
    return this.#refusal;
  }

  counts(): ReloadCounts {
    return this.#counter.counts();
  }

  /** Lets what runs come to its end, without the starts of adapters that it waits for, and starts nothing more. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#callOffRetry();
    await this.#running?.catch(() => undefined);
  }

  #soon(from: 'files' | 'records'): Promise<readonly Fault[]> {
    const planned = this.#wanted.get(from);
    if (planned) return planned;
    const run = this.#next(() => {
      this.#wanted.delete(from);
      return this.#run(from);
    });
    this.#wanted.set(from, run);
    return run;
  }

  #plan(names: Set<string>): { readonly names: Set<string>; readonly done: Promise<void> } {
    const done = this.#next(async () => {
      this.#piecesWanted = undefined;
      await this.#run(names);
    });
    return { names, done };
  }

  /** Runs work when what runs now has ended. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const start = (): Promise<T> =>
      this.#stopping.signal.aborted ? Promise.reject(new Error('the server is stopping')) : work();
    const mine = (this.#running ?? Promise.resolve()).then(start, start);
    this.#running = mine;
    return mine;
  }

  async #run(from: BuildRequest['from']): Promise<readonly Fault[]> {
    const { current, build, log } = this.#input;
    const { signal: stopping } = this.#stopping;
    try {
      const built = await build({ previous: current.current(), from, stopping });
      if (from === 'records') this.#isRecordMissed = false;
      if ('snapshot' in built) this.#goLive(built.snapshot, from);
      const faults = 'faults' in built ? built.faults : [];
      if (faults.length > 0 && !isDeepStrictEqual(faults, this.#refusal))
        log.error('configuration refused; the former one stays live', { faults });
      if (from === 'files') {
        this.#refusal = faults;
        this.#counter.countFiles(faults.length > 0 ? 'refused' : 'live');
      }
      return faults;
    } catch (error) {
      if (from === 'records') this.#isRecordMissed = true;
      log.error('reload failed; the former configuration stays live', { error });
      if (typeof from !== 'string') for (const name of from) this.#missed.add(name);
      throw error;
    } finally {
      this.#planRetry();
    }
  }

  /** Running calls keep the old snapshot; nobody waits here for their end. */
  #goLive(next: ActiveSnapshot, from: BuildRequest['from']): void {
    const { current, log, onActivated } = this.#input;
    const changed = changesBetween(current.current(), next);
    current.swap(next).catch((error: unknown) => {
      log.error('closing the former configuration failed', { error });
    });
    for (const name of typeof from === 'string' ? this.#missed : from) this.#missed.delete(name);
    onActivated(next, new Set([...this.#missed, ...(this.#piecesWanted?.names ?? [])]));
    const { generation, adapters } = next;
    if (typeof from !== 'string') this.#noteSecrets(from, next, changed);
    else if (from === 'files')
      log.info('configuration is live', { generation, adapters: adapters.size, changed });
    else
      log.info('what was asked for through the API is live', {
        generation,
        adapters: adapters.size,
        changed,
      });
  }

  #noteSecrets(names: ReadonlySet<string>, next: ActiveSnapshot, changed: readonly string[]): void {
    this.#counter.countSecrets(changed, 'live');
    this.#counter.countSecrets(
      [...names].filter((name) => next.outdated.has(name)),
      'failed',
    );
    if (changed.length > 0)
      this.#input.log.info('rotated secrets are live', { generation: next.generation, changed });
  }

  /** What could not be brought up to date is tried again: its orchestrator, Vault, or the database may be back. */
  #planRetry(): void {
    this.#callOffRetry();
    const behind = [...new Set([...this.#input.current.current().outdated.keys(), ...this.#missed])];
    const retryFiles = !this.isUpToDate() && this.#refusal.every(({ code }) => mayPass(code));
    const needed = retryFiles || this.#isRecordMissed || behind.length > 0;
    if (!needed) this.#backoff.reset();
    if (this.#stopping.signal.aborted || !needed) return;
    this.#callOffRetry = this.#input.scheduler.after(this.#backoff.next(), () => {
      this.#retry(retryFiles, behind).catch(() => undefined);
    });
  }

  /** The first two look at every adapter, those that are behind included. */
  #retry(retryFiles: boolean, behind: readonly string[]): Promise<unknown> {
    if (retryFiles) return this.reload();
    return this.#isRecordMissed ? this.applyRecords() : this.renew(behind);
  }
}

/** The adapters that were built anew, are new, or are gone. */
function changesBetween(previous: Snapshot, next: Snapshot): readonly string[] {
  const ids = new Set([...previous.adapters.keys(), ...next.adapters.keys()]);
  return [...ids].filter((id) => previous.adapters.get(id) !== next.adapters.get(id));
}
