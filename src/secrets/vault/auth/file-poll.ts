import type { Scheduler } from '../../../lib/clock.js';
import { stateOf } from '../../../lib/file-state.js';

/** Time between two checks, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Detects changes of credential files that another process writes. It polls, because the folders of such files are
 * often replaced as a whole, which a watch on a file does not report.
 */
export class FilePoll {
  readonly #files: readonly string[];
  readonly #scheduler: Scheduler;
  #known: string | undefined;

  constructor(files: readonly string[], scheduler: Scheduler) {
    this.#files = files;
    this.#scheduler = scheduler;
  }

  /** Notes the state of the files. Call it before the files are read, so that a change in between is detected. */
  async mark(): Promise<void> {
    this.#known = await this.#state();
  }

  /** Returns true if a file was written, replaced, added or removed since the last `mark`. */
  async hasChanged(): Promise<boolean> {
    return this.#known !== undefined && (await this.#state()) !== this.#known;
  }

  /** Checks the files every second, and calls back while they differ from those that were marked; returns the end. */
  watch(changed: () => Promise<void>): () => void {
    if (this.#files.length === 0) return () => undefined;
    let isStopped = false;
    let cancel: () => void = () => undefined;
    const check = async (): Promise<void> => {
      if (await this.hasChanged()) await changed();
    };
    const schedule = (): void => {
      if (!isStopped) cancel = this.#scheduler.after(POLL_INTERVAL_MS, () => void check().finally(schedule));
    };
    schedule();
    return () => {
      isStopped = true;
      cancel();
    };
  }

  async #state(): Promise<string> {
    const states = await Promise.all(this.#files.map((file) => stateOf(file)));
    return JSON.stringify(states.map((state) => state?.text ?? null));
  }
}
