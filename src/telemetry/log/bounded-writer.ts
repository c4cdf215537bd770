import { finished } from 'node:stream/promises';
import type { Clock } from '../../lib/clock.js';

/** Delay between a failed write and the next attempt, in milliseconds. Lines are dropped meanwhile. */
const RETRY_DELAY_MS = 1000;
/** Maximum amount of data that waits for a slow reader, in units of the stream's `writableLength`. */
const MAX_QUEUED_LENGTH = 4 * 1024 * 1024;
/** How long `close` waits for a reader, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1000;

/** A stream that lines go to, such as stdout. */
export type LineStream = NodeJS.WritableStream & {
  readonly writableLength?: number;
  /** The error that broke the stream, if known. */
  readonly errored?: Error | null;
};

interface LineSinkOptions {
  /** Opens the stream. Called again after a failure if the stream is `owned`. */
  readonly open: () => LineStream;
  /** Returns true when the next line needs a new stream; called before each write. Never throws. */
  readonly needsReopen?: () => boolean;
  /** True ends the stream on close; stdout must not be ended. */
  readonly owned: boolean;
  /** Returns the line that reports the number of lines dropped before it. */
  readonly dropped: (lines: number) => string;
  /** Called once per outage with its error. */
  readonly failed: (error: unknown) => void;
  readonly clock: Clock;
}

const guarded = new WeakSet<LineStream>();

/**
 * Writes lines to a stream and survives its failure: while the stream is closed, full or slow, lines are
 * dropped, counted, and reported later.
 */
export class LineSink {
  readonly #options: LineSinkOptions;
  #stream: LineStream | undefined;
  #dropped = 0;
  #lost = 0;
  /** Streams with pending writes that are being closed. */
  readonly #closing = new Set<Promise<void>>();
  #down = false;
  #failedAt = 0;

  constructor(options: LineSinkOptions) {
    this.#options = options;
  }

  /** Writes a text of `lines` lines, either all or none. */
  write(text: string, lines: number): void {
    if (this.#isPaused() || (this.#stream?.writableLength ?? 0) > MAX_QUEUED_LENGTH) {
      this.#dropped += lines;
      this.#lost += lines;
      return;
    }
    if (this.#stream && this.#options.needsReopen?.()) this.#retire(this.#stream);
    const previous = this.#dropped;
    this.#dropped = 0;
    this.#send(previous > 0 ? this.#options.dropped(previous) + text : text, { lines, previous });
  }

  /** Returns the number of lines dropped since the start. */
  lost(): number {
    return this.#lost;
  }

  /** Resolves when every line has been written, or after one second. */
  async close(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream) this.#closing.add(this.#options.owned ? end(stream) : flush(stream));
    const closed = Promise.all(this.#closing);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
    await Promise.race([closed, timeout]);
    clearTimeout(timer);
  }

  #isPaused(): boolean {
    return this.#down && Math.abs(this.#options.clock.now() - this.#failedAt) < RETRY_DELAY_MS;
  }

  #retire(stream: LineStream): void {
    const closed = end(stream);
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
    this.#stream = undefined;
  }

  #send(text: string, queued: QueueState): void {
    try {
      const stream = (this.#stream ??= this.#guard(this.#options.open()));
      stream.write(text, (error?: Error | null) => {
        // A connection that fails before it is established reports success to pending writes.
        const failure = error ?? stream.errored;
        if (failure) this.#fail(failure, queued, stream);
        else this.#down = false;
      });
    } catch (error) {
      this.#fail(error, queued, this.#stream);
    }
  }

  #fail(error: unknown, { lines, previous }: QueueState, stream: LineStream | undefined): void {
    this.#dropped += previous + lines;
    this.#lost += lines;
    // Pending writes of a broken stream fail one by one, but are one outage.
    if (stream !== this.#stream) return;
    if (this.#options.owned) this.#stream = undefined;
    this.#failedAt = this.#options.clock.now();
    if (this.#down) return;
    this.#down = true;
    this.#options.failed(stream?.errored ?? error);
  }

  /**
   * Adds an `error` listener, because an unhandled `error` event ends the process. Failures are detected by
   * the writes.
   */
  #guard(stream: LineStream): LineStream {
    if (!guarded.has(stream)) stream.on('error', () => undefined);
    guarded.add(stream);
    // No line is lost if the receiver disconnects between two lines. Failed writes report their error before
    // the stream is replaced.
    const forget = (): void => {
      if (this.#stream === stream) this.#stream = undefined;
    };
    if (this.#options.owned)
      stream.once('close', () => {
        queueMicrotask(forget);
      });
    return stream;
  }
}

/** Lines of a write, and the earlier dropped lines that the write reports. */
interface QueueState {
  readonly lines: number;
  readonly previous: number;
}

function flush(stream: LineStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => {
      resolve();
    });
  });
}

async function end(stream: LineStream): Promise<void> {
  const done = finished(stream);
  stream.end();
  await done.catch(() => undefined);
}
