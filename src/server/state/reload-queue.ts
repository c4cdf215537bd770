import { setMaxListeners } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Fault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import { createBackoff } from '../../lib/backoff.js';
import type { Scheduler } from '../../lib/clock.js';
import { mayPass } from '../../secrets/secret-error.js';
import type { ReloadCause } from './load.js';
import type { ReloadCounter } from './reload-metrics.js';
import type { Reload } from './reload.js';
import type { ActiveSnapshot } from './snapshot.js';
import type { SnapshotHolder } from './swap.js';

interface QueueInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly reload: Reload;
  readonly counter: ReloadCounter;
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

/** Reloads after changes of the files, the state of the API, and secrets: one reload at a time, and again if that may help. */
export class ReloadQueue {
  readonly #input: QueueInput;
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

  constructor(input: QueueInput) {
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

  async #run(cause: ReloadCause): Promise<readonly Fault[]> {
    const { reload, counter, log } = this.#input;
    const terms = { stopping: this.#stopping.signal, noteSwap: () => this.#noteSwap(cause) };
    try {
      const faults = await reload(cause, terms);
      if (cause === 'records') this.#hasUnreadRecords = false;
      if (faults.length > 0 && !isDeepStrictEqual(faults, this.#refusal))
        log.error('configuration refused; keeping the live configuration', { faults });
      if (cause === 'files') {
        this.#refusal = faults;
        counter.countFiles(faults.length > 0 ? 'refused' : 'live');
      }
      return faults;
    } catch (error) {
      if (cause === 'records') this.#hasUnreadRecords = true;
      log.error('reload failed; keeping the live configuration', { error });
      if (typeof cause !== 'string') for (const name of cause) this.#unrenewed.add(name);
      throw error;
    } finally {
      this.#planRetry();
    }
  }

  /** Notes what a new snapshot has renewed. Returns the names of the sections whose renewal is pending or failed. */
  #noteSwap(cause: ReloadCause): ReadonlySet<string> {
    for (const name of typeof cause === 'string' ? this.#unrenewed : cause) this.#unrenewed.delete(name);
    return new Set([...this.#unrenewed, ...(this.#plannedRenewal?.names ?? [])]);
  }

  /** Plans a retry of everything that is outdated, because its orchestrator, Vault or the database may be available again. */
  #planRetry(): void {
    this.#cancelRetry();
    const { outdated: behind, desired } = this.#input.current.current();
    // The code of a plugin is read when it changes.
    const broken = desired.adapters.flatMap(({ id, pluginFault }) => (pluginFault === undefined ? [] : [id]));
    const outdated = [...new Set([...behind.keys(), ...this.#unrenewed])].filter(
      (name) => !broken.includes(name),
    );
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
