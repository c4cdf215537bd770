import type { Fault } from '../domain/fault.js';
import type { Log } from '../domain/log.js';
import type { Built } from './build-snapshot.js';
import type { Current } from './current.js';
import { startAdapters } from './start-adapters.js';

export interface ReloadInput {
  readonly current: Current;
  /** Reads and builds a snapshot of the next generation. */
  readonly build: (generation: number) => Promise<Built>;
  readonly log: Log;
}

/** Makes the configuration on disk live, or changes nothing. Resolves to the faults that refused it. */
export type Reload = () => Promise<readonly Fault[]>;

/** Reloads run one after the other: each reads what is on disk when its turn comes. */
export function createReload({ current, build, log }: ReloadInput): Reload {
  let last: Promise<unknown> = Promise.resolve();
  async function reload(): Promise<readonly Fault[]> {
    const generation = current.peek().generation + 1;
    const built = await build(generation);
    if ('faults' in built) {
      log.error('configuration refused; the former one stays live', { faults: built.faults });
      return built.faults;
    }
    await startAdapters(built.snapshot);
    const retired = current.swap(built.snapshot);
    log.info('configuration is live', { generation, adapters: built.snapshot.adapters.size });
    retired.catch((error: unknown) => {
      log.error('closing the former configuration failed', { error });
    });
    return [];
  }
  return () => {
    const turn = last.then(reload);
    last = turn.catch(() => undefined);
    return turn;
  };
}
