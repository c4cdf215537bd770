import { isDeepStrictEqual } from 'node:util';
import type { Scheduler } from '../domain/clock.js';
import type { Fault } from '../domain/fault.js';
import type { Log } from '../domain/log.js';
import type { Snapshot } from '../domain/snapshot.js';
import { mayPass } from '../secrets/failure-class.js';
import type { Built } from './build-snapshot.js';
import type { Current } from './current.js';
import type { LiveSnapshot } from './live-snapshot.js';
import { ReloadCounter, type ReloadCounts } from './reload-counts.js';

/** What the next snapshot is to be made of. */
export interface BuildRequest {
  readonly former: LiveSnapshot;
  /** `files`: the configuration on disk. A set: the live one, with the pieces of these names looked at again. */
  readonly from: 'files' | ReadonlySet<string>;
  /** Fires when the server stops. */
  readonly stopping: AbortSignal;
}

export interface ReloaderInput {
  readonly current: Current<LiveSnapshot>;
  readonly build: (request: BuildRequest) => Promise<Built>;
  /** Called with each snapshot once it is live. */
  readonly wentLive: (snapshot: LiveSnapshot) => void;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** First and longest wait before the next try to bring up to date what could not be. */
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

/** Makes changes live, one at a time: of the configuration on disk, or of the secrets that it refers to. */
export class Reloader {
  readonly #input: ReloaderInput;
  readonly #counter = new ReloadCounter();
  #running: Promise<unknown> | undefined;
  #filesWanted: Promise<readonly Fault[]> | undefined;
  #piecesWanted: { readonly names: Set<string>; readonly done: Promise<void> } | undefined;
  readonly #stopping = new AbortController();
  #refusal: readonly Fault[] = [];
  #retryMs = FIRST_RETRY_MS;
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
    this.#filesWanted ??= this.#next(() => {
      this.#filesWanted = undefined;
      return this.#run('files');
    });
    return this.#filesWanted;
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

  counts(): ReloadCounts {
    return this.#counter.counts();
  }

  /** Lets what runs come to its end, without the starts of adapters that it waits for, and starts nothing more. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#callOffRetry();
    await this.#running?.catch(() => undefined);
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
      const built = await build({ former: current.peek(), from, stopping });
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
      log.error('reload failed; the former configuration stays live', { error });
      throw error;
    } finally {
      this.#planRetry();
    }
  }

  /** Running calls keep the old snapshot; nobody waits here for their end. */
  #goLive(next: LiveSnapshot, from: BuildRequest['from']): void {
    const { current, log, wentLive } = this.#input;
    const changed = changesBetween(current.peek(), next);
    current.swap(next).catch((error: unknown) => {
      log.error('closing the former configuration failed', { error });
    });
    wentLive(next);
    const { generation, adapters } = next;
    if (from === 'files') log.info('configuration is live', { generation, adapters: adapters.size, changed });
    else this.#noteSecrets(from, next, changed);
  }

  #noteSecrets(names: ReadonlySet<string>, next: LiveSnapshot, changed: readonly string[]): void {
    this.#counter.countSecrets(changed, 'live');
    this.#counter.countSecrets(
      [...names].filter((name) => next.outdated.has(name)),
      'failed',
    );
    if (changed.length > 0)
      this.#input.log.info('rotated secrets are live', { generation: next.generation, changed });
  }

  /** What could not be brought up to date is tried again: its orchestrator, or Vault, may be back. */
  #planRetry(): void {
    this.#callOffRetry();
    const behind = [...this.#input.current.peek().outdated.keys()];
    const retryFiles = !this.isUpToDate() && this.#refusal.every(({ code }) => mayPass(code));
    const needed = retryFiles || behind.length > 0;
    const wait = this.#retryMs;
    this.#retryMs = needed ? Math.min(wait * 2, LONGEST_RETRY_MS) : FIRST_RETRY_MS;
    if (this.#stopping.signal.aborted || !needed) return;
    this.#callOffRetry = this.#input.scheduler.after(wait, () => {
      const retry = retryFiles ? this.reload() : this.renew(behind);
      retry.catch(() => undefined);
    });
  }
}

/** The adapters that were built anew, are new, or are gone. */
function changesBetween(former: Snapshot, next: Snapshot): readonly string[] {
  const ids = new Set([...former.adapters.keys(), ...next.adapters.keys()]);
  return [...ids].filter((id) => former.adapters.get(id) !== next.adapters.get(id));
}
