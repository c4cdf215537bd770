import type { Scheduler } from '../domain/clock.js';

export interface RevisionWatchInput {
  /** Reads the revision of what was asked for through the API. */
  readonly revision: () => Promise<number>;
  /** The revision that is live. */
  readonly live: () => number;
  readonly scheduler: Scheduler;
  /** Called once for each revision that others made. */
  readonly onChange: () => void;
}

/** Pause between two looks, in milliseconds. */
const LOOK_MS = 1_000;

/** Notices what was asked for on another node that shares the database. A database that is away is asked again. */
export class RevisionWatch {
  readonly #input: RevisionWatchInput;
  #seen: number;
  #callOff = (): void => undefined;
  #looking: Promise<void> | undefined;
  #closed = false;

  constructor(input: RevisionWatchInput) {
    this.#input = input;
    this.#seen = input.live();
    this.#plan();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#callOff();
    await this.#looking;
  }

  #plan(): void {
    if (this.#closed) return;
    this.#callOff = this.#input.scheduler.after(LOOK_MS, () => {
      this.#looking = this.#look();
    });
  }

  async #look(): Promise<void> {
    const { revision, live, onChange } = this.#input;
    const found = await revision().catch(() => this.#seen);
    // Our own changes are taken up by whoever made them.
    const isNews = found !== this.#seen && found !== live();
    this.#seen = found;
    if (isNews && !this.#closed) onChange();
    this.#plan();
  }
}
