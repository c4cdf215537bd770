import { type Clock, systemClock } from '../lib/clock.js';
import { statesOf } from '../lib/file-state.js';
import { mapInTurns } from '../lib/turns.js';

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
  /** Absent until the first files are taken. */
  #readings: ReadonlyMap<string, ReadFile<T>> | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Returns the result of `read` for each of the files, in order. Forgets the results of all other files. */
  async take<F extends { readonly file: string }>(
    files: readonly F[],
    read: (file: F) => T,
  ): Promise<readonly T[]> {
    const now = this.#clock.now();
    const previous = this.#readings;
    // The states are read before the files, so that the next call detects a change in between.
    const paths = files.map(({ file }) => file);
    const states = await statesOf(paths, { atStart: previous === undefined });
    const next = new Map<string, ReadFile<T>>();
    const readings = await mapInTurns(files, (file, at) => {
      const state = states[at];
      const known = previous?.get(file.file);
      if (known && known.state === state?.text) {
        next.set(file.file, known);
        return known.reading;
      }
      const reading = read(file);
      const isSettled = state !== undefined && now - state.changedMs > SETTLED_MS;
      if (isSettled && reading.faults.length === 0) next.set(file.file, { state: state.text, reading });
      return reading;
    });
    this.#readings = next;
    return readings;
  }
}
