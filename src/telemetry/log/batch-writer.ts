/** Maximum number of delayed lines. */
const MAX_BATCH_LINES = 256;

/**
 * Passes lines on in groups: the lines of one turn of the event loop, or of several milliseconds under
 * load, because a write costs more than everything before it. Urgent lines and the lines before them
 * are written immediately, because the process may be about to end.
 */
export class Batch {
  readonly #write: (text: string, lines: number) => void;
  readonly #intervalMs: number;
  #text = '';
  #lines = 0;
  /** Time of the latest write, in milliseconds of a monotonic clock. */
  #writtenAt = -Infinity;

  /** Creates a batch with at least `intervalMs` milliseconds between two groups; 0: no minimum. */
  constructor(write: (text: string, lines: number) => void, intervalMs = 0) {
    this.#write = write;
    this.#intervalMs = intervalMs;
  }

  add(line: string, isUrgent: boolean): void {
    this.#text += line;
    this.#lines += 1;
    if (isUrgent || this.#lines === MAX_BATCH_LINES) this.flush();
    else if (this.#lines === 1) this.#flushSoon();
  }

  flush(): void {
    if (this.#lines === 0) return;
    const [text, lines] = [this.#text, this.#lines];
    [this.#text, this.#lines] = ['', 0];
    if (this.#intervalMs > 0) this.#writtenAt = performance.now();
    this.#write(text, lines);
  }

  #flushSoon(): void {
    const flush = () => {
      this.flush();
    };
    const waitMs = this.#intervalMs > 0 ? this.#writtenAt + this.#intervalMs - performance.now() : 0;
    if (waitMs > 0) setTimeout(flush, waitMs);
    else setImmediate(flush);
  }
}
