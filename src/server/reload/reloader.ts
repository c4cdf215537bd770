import { setMaxListeners } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Fault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import type { Snapshot } from '../../core/snapshot.js';
import { createBackoff } from '../../lib/backoff.js';
import type { Scheduler } from '../../lib/clock.js';
import { mayPass } from '../../secrets/secret-error.js';
import type { ActiveSnapshot } from './active-snapshot.js';
import type { Built } from './build-snapshot.js';
import { ReloadCounter, type ReloadCounts } from './reload-metrics.js';
import type { SnapshotHolder } from './snapshot-holder.js';

/** The request to build the next snapshot. */
export interface BuildRequest {
  readonly previous: ActiveSnapshot;
  /**
   * `files`: the configuration on disk. `records`: the state of the API, with the files as they were read last. A set: the
   * live configuration, with current secrets for the sections of these names.
   */
  readonly from: 'files' | 'records' | ReadonlySet<string>;
  /** Fires when the server stops. */
  readonly stopping: AbortSignal;
}

interface ReloaderInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly build: (request: BuildRequest) => Promise<Built>;
  /** Called after each activation, with the names of the sections whose renewal is pending or failed. */
  readonly onActivated: (snapshot: ActiveSnapshot, unrenewed: ReadonlySet<string>) => void;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Activation of the rotated secrets of some sections. */
interface Renewal {
  readonly names: Set<string>;
  readonly done: Promise<void>;
}

/** Delays between retries of what is outdated. */
const RETRY_BACKOFF = { firstMs: 5_000, maxMs: 60_000 };

/** Activates changes of the files, the state of the API, and secrets. It builds one snapshot at a time. */
export class Reloader {
  readonly #input: ReloaderInput;
  readonly #counter = new ReloadCounter();
  #running: Promise<unknown> | undefined;
  readonly #planned = new Map<'files' | 'records', Promise<readonly Fault[]>>();
  #plannedRenewal: Renewal | undefined;
  #runningRenewal: Renewal | undefined;
  readonly #stopping = new AbortController();
  #refusal: readonly Fault[] = [];
  /** Names of the sections whose renewal failed. */
  readonly #unrenewed = new Set<string>();
  /** True if the state of the API could not be read. */
  #hasUnreadRecords = false;
  readonly #backoff = createBackoff(RETRY_BACKOFF);
  #cancelRetry = (): void => undefined;

  constructor(input: ReloaderInput) {
    // Each adapter that starts listens; Node.js warns of more than ten listeners.
    setMaxListeners(0, this.#stopping.signal);
    this.#input = input;
  }

  /**
   * Activates the configuration on disk. If it is invalid, logs and returns its faults and changes nothing. Calls during a
   * running reload share the next reload, which reads the files again. Rejects when the server stops.
   */
  reload(): Promise<readonly Fault[]> {
    return this.#planReload('files');
  }

  /** Activates the state of the API with the files as they were read last; otherwise like `reload`. */
  applyRecords(): Promise<readonly Fault[]> {
    return this.#planReload('records');
  }

  /** Activates rotated secrets of these sections. The configuration does not change. */
  renew(names: Iterable<string>): Promise<void> {
    const renewal = (this.#plannedRenewal ??= this.#planRenewal(new Set()));
    for (const name of names) renewal.names.add(name);
    return renewal.done;
  }

  /** Waits for the running and the planned renewal of a section; of all sections without a name. Does not reject. */
  async renewed(name?: string): Promise<void> {
    for (const renewal of [this.#runningRenewal, this.#plannedRenewal])
      if (renewal && (name === undefined || renewal.names.has(name)))
        await renewal.done.catch(() => undefined);
  }

  /** Returns false if the last reload refused the configuration on disk. */
  isUpToDate(): boolean {
    return this.#refusal.length === 0;
  }

  /** Returns the faults of the configuration on disk; empty while it is live. */
  refusal(): readonly Fault[] {
    return this.#refusal;
  }

  counts(): ReloadCounts {
    return this.#counter.counts();
  }

  /** Cancels pending starts of adapters, waits for the running build, and starts no other. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#cancelRetry();
    await this.#running?.catch(() => undefined);
  }

  #planReload(from: 'files' | 'records'): Promise<readonly Fault[]> {
    const planned = this.#planned.get(from);
    if (planned) return planned;
    const run = this.#enqueue(() => {
      this.#planned.delete(from);
      return this.#run(from);
    });
    this.#planned.set(from, run);
    return run;
  }

  #planRenewal(names: Set<string>): Renewal {
    const done = this.#enqueue(async () => {
      this.#plannedRenewal = undefined;
      this.#runningRenewal = renewal;
      try {
        await this.#run(names);
      } finally {
        this.#runningRenewal = undefined;
      }
    });
    const renewal: Renewal = { names, done };
    return renewal;
  }

  /** Runs work after the running and all planned work. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const start = (): Promise<T> =>
      this.#stopping.signal.aborted ? Promise.reject(new Error('the server is stopping')) : work();
    const run = (this.#running ?? Promise.resolve()).then(start, start);
    this.#running = run;
    return run;
  }

  async #run(from: BuildRequest['from']): Promise<readonly Fault[]> {
    const { current, build, log } = this.#input;
    const { signal: stopping } = this.#stopping;
    try {
      const built = await build({ previous: current.current(), from, stopping });
      if (from === 'records') this.#hasUnreadRecords = false;
      if ('snapshot' in built) this.#activate(built.snapshot, from);
      const faults = 'faults' in built ? built.faults : [];
      if (faults.length > 0 && !isDeepStrictEqual(faults, this.#refusal))
        log.error('configuration refused; keeping the live configuration', { faults });
      if (from === 'files') {
        this.#refusal = faults;
        this.#counter.countFiles(faults.length > 0 ? 'refused' : 'live');
      }
      return faults;
    } catch (error) {
      if (from === 'records') this.#hasUnreadRecords = true;
      log.error('reload failed; keeping the live configuration', { error });
      if (typeof from !== 'string') for (const name of from) this.#unrenewed.add(name);
      throw error;
    } finally {
      this.#planRetry();
    }
  }

  /** Makes a snapshot live. Does not wait for running calls, which keep the previous snapshot. */
  #activate(next: ActiveSnapshot, from: BuildRequest['from']): void {
    const { current, log, onActivated } = this.#input;
    const changed = changesBetween(current.current(), next);
    current.swap(next).catch((error: unknown) => {
      log.error('closing the previous configuration failed', { error });
    });
    for (const name of typeof from === 'string' ? this.#unrenewed : from) this.#unrenewed.delete(name);
    onActivated(next, new Set([...this.#unrenewed, ...(this.#plannedRenewal?.names ?? [])]));
    const { generation, adapters } = next;
    if (typeof from !== 'string') this.#noteSecrets(from, next, changed);
    else if (from === 'files')
      log.info('configuration is live', { generation, adapters: adapters.size, changed });
    // A change may affect no part of the server, for example the log level of an application.
    else
      log[changed.length > 0 ? 'info' : 'debug']('changes of the API are live', {
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

  /** Plans a retry of everything that is outdated, because its orchestrator, Vault or the database may be available again. */
  #planRetry(): void {
    this.#cancelRetry();
    const outdated = [...new Set([...this.#input.current.current().outdated.keys(), ...this.#unrenewed])];
    const retryFiles = !this.isUpToDate() && this.#refusal.every(({ code }) => mayPass(code));
    const isNeeded = retryFiles || this.#hasUnreadRecords || outdated.length > 0;
    if (!isNeeded) this.#backoff.reset();
    if (this.#stopping.signal.aborted || !isNeeded) return;
    this.#cancelRetry = this.#input.scheduler.after(this.#backoff.next(), () => {
      this.#retry(retryFiles, outdated).catch(() => undefined);
    });
  }

  /** Retries one kind of change. A reload of files or records also renews all outdated sections. */
  #retry(retryFiles: boolean, outdated: readonly string[]): Promise<unknown> {
    if (retryFiles) return this.reload();
    return this.#hasUnreadRecords ? this.applyRecords() : this.renew(outdated);
  }
}

/** Returns the ids of adapters that were rebuilt, added or removed. */
function changesBetween(previous: Snapshot, next: Snapshot): readonly string[] {
  const ids = new Set([...previous.adapters.keys(), ...next.adapters.keys()]);
  return [...ids].filter((id) => previous.adapters.get(id) !== next.adapters.get(id));
}
