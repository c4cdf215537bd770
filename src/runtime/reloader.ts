import type { Scheduler } from '../domain/clock.js';
import type { Fault } from '../domain/fault.js';
import type { Log } from '../domain/log.js';
import type { AdapterState, Snapshot } from '../domain/snapshot.js';
import type { Built } from './build-snapshot.js';
import type { ClosableSnapshot, Current } from './current.js';
import { startAdapters } from './start-adapters.js';

export interface ReloaderInput {
  readonly current: Current;
  /** Reads and builds a snapshot of the next generation. */
  readonly build: (generation: number) => Promise<Built>;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** First and longest wait before the next try to reach Vault for adapters that need it, in milliseconds. */
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

/** Makes the configuration on disk live, or changes nothing. */
export class Reloader {
  readonly #input: ReloaderInput;
  #running: Promise<readonly Fault[]> | undefined;
  #waiting: Promise<readonly Fault[]> | undefined;
  #closed = false;
  #putOff = false;
  #retryMs = FIRST_RETRY_MS;
  #callOffRetry = (): void => undefined;

  constructor(input: ReloaderInput) {
    this.#input = input;
    this.#planRetry();
  }

  /**
   * Resolves to the faults that refused the configuration, after they were logged. One reload runs at a time; those who
   * ask meanwhile share the next one, which reads what is on disk by then. Rejects when the server is stopping.
   */
  reload(): Promise<readonly Fault[]> {
    if (!this.#running) return this.#begin();
    const next = (): Promise<readonly Fault[]> => {
      this.#waiting = undefined;
      return this.#begin();
    };
    this.#waiting ??= this.#running.then(next, next);
    return this.#waiting;
  }

  /** Lets the reload that runs come to its end and starts no other. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#callOffRetry();
    await this.#running?.catch(() => undefined);
  }

  #begin(): Promise<readonly Fault[]> {
    if (this.#closed) return Promise.reject(new Error('the server is stopping'));
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#planRetry();
    });
    return this.#running;
  }

  async #run(): Promise<readonly Fault[]> {
    const { current, build, log } = this.#input;
    const generation = current.peek().generation + 1;
    try {
      const built = await build(generation);
      if ('faults' in built) {
        log.error('configuration refused; the former one stays live', { faults: built.faults });
        return built.faults;
      }
      this.#putOff = wouldLoseSecrets(current.peek(), built.snapshot);
      if (this.#putOff) return await this.#refuseForNow(built.snapshot);
      await startAdapters(built.snapshot);
      this.#goLive(built.snapshot);
      return [];
    } catch (error) {
      log.error('reload failed; the former configuration stays live', { error });
      throw error;
    }
  }

  async #refuseForNow(snapshot: ClosableSnapshot): Promise<readonly Fault[]> {
    await snapshot.close();
    this.#input.log.error('reload put off: Vault is away, and adapters that serve would lose their secrets');
    return [VAULT_AWAY];
  }

  /** Running calls keep the old snapshot; nobody waits here for their end. */
  #goLive(next: ClosableSnapshot): void {
    const { current, log } = this.#input;
    current.swap(next).catch((error: unknown) => {
      log.error('closing the former configuration failed', { error });
    });
    log.info('configuration is live', { generation: next.generation, adapters: next.adapters.size });
  }

  /** What waits for Vault is tried again until Vault is back. */
  #planRetry(): void {
    this.#callOffRetry();
    const needed = this.#putOff || hasPassingDeath(this.#input.current.peek());
    const wait = this.#retryMs;
    this.#retryMs = needed ? Math.min(wait * 2, LONGEST_RETRY_MS) : FIRST_RETRY_MS;
    if (this.#closed || !needed) return;
    this.#callOffRetry = this.#input.scheduler.after(wait, () => {
      this.reload().catch(() => undefined);
    });
  }
}

const VAULT_AWAY: Fault = {
  file: 'Vault',
  line: 0,
  column: 0,
  pointer: '',
  code: 'VAULT_UNAVAILABLE',
  message: 'does not answer, and adapters that serve would lose their secrets',
  fix: 'Nothing to do: the reload is tried again until Vault is back.',
};

function hasPassingDeath({ adapters }: Snapshot): boolean {
  return [...adapters.values()].some((one) => isPassingDeath(one.state()));
}

/** True when an adapter that serves now would be dead only because Vault does not answer. */
function wouldLoseSecrets(live: Snapshot, next: Snapshot): boolean {
  return [...next.adapters.values()].some((one) => {
    const before = live.adapters.get(one.id);
    return before !== undefined && before.state().name !== 'DEAD' && isPassingDeath(one.state());
  });
}

function isPassingDeath(state: AdapterState): boolean {
  return state.name === 'DEAD' && state.passing;
}
