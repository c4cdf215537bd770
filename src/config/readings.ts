import { type Clock, systemClock } from '../core/lib/clock.js';
import { CONCURRENT_FILES, stateOf } from '../core/lib/file-state.js';
import { mapConcurrently } from '../core/lib/map-concurrently.js';

/**
 * Minimum age of a change, in milliseconds, before the state of a file identifies its content. A file system
 * may count time in steps of two seconds. Within one step, two contents of the same length have the same
 * state.
 */
const SETTLED_MS = 2_500;

/**
 * Result for one file. A result with faults is not reused, because the cause may be the system rather than the
 * file.
 */
interface Reading {
  readonly faults: readonly unknown[];
}

interface ReadFile<T> {
  readonly state: string;
  readonly reading: T;
}

/** Results by file, so that unchanged files are not read again. */
export class Readings<T extends Reading> {
  readonly #clock: Clock;
  #readings = new Map<string, ReadFile<T>>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Returns the result of `read` for each of the files, in order. Forgets the results of all other files. */
  async take<F extends { readonly file: string }>(
    files: readonly F[],
    read: (file: F) => Promise<T>,
  ): Promise<readonly T[]> {
    const next = new Map<string, ReadFile<T>>();
    const readings = await mapConcurrently(files, CONCURRENT_FILES, async (file) => {
      const now = this.#clock.now();
      // The state is read before the file, so that the next call detects a change in between.
      const state = await stateOf(file.file);
      const previous = this.#readings.get(file.file);
      if (previous && previous.state === state?.text) {
        next.set(file.file, previous);
        return previous.reading;
      }
      const reading = await read(file);
      const isSettled = state !== undefined && now - state.changedMs > SETTLED_MS;
      if (isSettled && reading.faults.length === 0) next.set(file.file, { state: state.text, reading });
      return reading;
    });
    this.#readings = next;
    return readings;
  }
}
