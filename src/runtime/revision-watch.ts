import type { Scheduler } from '../domain/clock.js';
import type { Hearing } from '../domain/peer-news.js';

export interface RevisionWatchInput {
  /** Reads the revision of what was asked for through the API. */
  readonly revision: () => Promise<number>;
  /** The revision that is live. */
  readonly live: () => number;
  /** Has the watch look at once when there may be news. */
  readonly hear: (onNews: () => void) => Hearing;
  readonly scheduler: Scheduler;
  /** Called once for each revision that others made. */
  readonly onChange: () => void;
}

/** Pause between two looks, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Notices what was asked for on another node that shares the database: at once where it is heard, and within a second
 * in any case, because a connection that hears nothing any more may not know it. A database that is away is asked again.
 */
export class RevisionWatch {
  readonly #input: RevisionWatchInput;
  readonly #hearing: Hearing;
  #seen: number;
  #callOff = (): void => undefined;
  #looking: Promise<void> | undefined;
  /** What was heard during a look may have come too late for it. */
  #lookAgain = false;
  #closed = false;

  constructor(input: RevisionWatchInput) {
    this.#input = input;
    this.#seen = input.live();
    this.#hearing = input.hear(() => {
      this.#lookNow();
    });
    this.#plan();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#callOff();
    await Promise.all([this.#looking, this.#hearing.close()]);
  }

  #plan(): void {
    this.#callOff();
    if (this.#closed) return;
    this.#callOff = this.#input.scheduler.after(LOOK_MS, () => {
      this.#lookNow();
    });
  }

  #lookNow(): void {
    this.#lookAgain = true;
    if (this.#closed || this.#looking) return;
    this.#callOff();
    this.#looking = this.#look();
  }

  async #look(): Promise<void> {
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false;
      await this.#lookOnce();
    }
    this.#looking = undefined;
    this.#plan();
  }

  async #lookOnce(): Promise<void> {
    const { revision, live, onChange } = this.#input;
    const found = await revision().catch(() => this.#seen);
    // Our own changes are taken up by whoever made them.
    const isNews = found !== this.#seen && found !== live();
    this.#seen = found;
    if (isNews && !this.#closed) onChange();
  }
}
