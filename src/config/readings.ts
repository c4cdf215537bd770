import { type Clock, systemClock } from '../core/lib/clock.js';
import { stateOf } from './file-states.js';

/**
 * How long ago a file must have been changed before its state stands for its content, in milliseconds: a file system may
 * count in steps of two seconds, and within one step two contents of one length have the same state.
 */
const SETTLED_MS = 2_500;

/** What was made of one file; with a fault it is not kept, because that may lie in the system and not in the file. */
interface Reading {
  readonly faults: readonly unknown[];
}

interface ReadFile<T> {
  readonly state: string;
  readonly reading: T;
}

/** What was made of files, so that one which nobody has touched since is not read again. */
export class Readings<T extends Reading> {
  readonly #clock: Clock;
  #kept = new Map<string, ReadFile<T>>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** What `read` makes of each of the files, in their order; what was made of other files before is forgotten. */
  async take<F extends { readonly file: string }>(
    files: readonly F[],
    read: (one: F) => Promise<T>,
  ): Promise<readonly T[]> {
    const next = new Map<string, ReadFile<T>>();
    const readings = await Promise.all(
      files.map(async (one) => {
        const now = this.#clock.now();
        // Looked at before it is read: a change in between is seen the next time.
        const state = await stateOf(one.file);
        const before = this.#kept.get(one.file);
        if (before && before.state === state?.text) {
          next.set(one.file, before);
          return before.reading;
        }
        const reading = await read(one);
        const isSettled = state !== undefined && now - state.changedMs > SETTLED_MS;
        if (isSettled && reading.faults.length === 0) next.set(one.file, { state: state.text, reading });
        return reading;
      }),
    );
    this.#kept = next;
    return readings;
  }
}
