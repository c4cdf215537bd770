import { finished } from 'node:stream/promises';
import type { Clock } from '../../core/lib/clock.js';

/** How long lines are dropped after a failed write before the next try, in milliseconds. */
const PAUSE_MS = 1000;
/** Most characters that wait for a slow reader. */
const WAITING_LENGTH = 4 * 1024 * 1024;
/** How long `close` waits for a reader, in milliseconds. */
const CLOSE_MS = 1000;

/** A stream that lines go to, such as stdout. */
export type LineStream = NodeJS.WritableStream & {
  readonly writableLength?: number;
  /** What broke it, where it knows. */
  readonly errored?: Error | null;
};

export interface LineSinkOptions {
  /** Opens the stream, and again after a failure when it is `owned`. */
  readonly open: () => LineStream;
  /** True when another stream is to be opened for what comes next; asked before each write. Never throws. */
  readonly isOver?: () => boolean;
  /** True ends the stream on close; stdout is not ours to end. */
  readonly owned: boolean;
  /** The line that says how many were dropped before it. */
  readonly dropped: (lines: number) => string;
  /** Called once per outage. */
  readonly failed: (error: unknown) => void;
  readonly clock: Clock;
}

const guarded = new WeakSet<LineStream>();

/** Writes lines to a stream and outlives it: when it is gone, full or slow, lines are dropped, counted, and owned up to later. */
export class LineSink {
  readonly #options: LineSinkOptions;
  #stream: LineStream | undefined;
  #dropped = 0;
  #lost = 0;
  /** Streams that still have to write what they were given. */
  readonly #leaving = new Set<Promise<void>>();
  #down = false;
  #failedAt = 0;

  constructor(options: LineSinkOptions) {
    this.#options = options;
  }

  /** Writes so many lines, all of them or none. */
  write(text: string, lines: number): void {
    if (this.#pausing() || (this.#stream?.writableLength ?? 0) > WAITING_LENGTH) {
      this.#dropped += lines;
      this.#lost += lines;
      return;
    }
    if (this.#stream && this.#options.isOver?.()) this.#leave(this.#stream);
    const previous = this.#dropped;
    this.#dropped = 0;
    this.#send(previous > 0 ? this.#options.dropped(previous) + text : text, { lines, previous });
  }

  /** How many lines were dropped since it was made. */
  lost(): number {
    return this.#lost;
  }

  /** Resolves when every line has left, or when waiting any longer is in vain. */
  async close(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream) this.#leaving.add(this.#options.owned ? end(stream) : flush(stream));
    const gone = Promise.all(this.#leaving);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
    await Promise.race([gone, patience]);
    clearTimeout(timer);
  }

  #pausing(): boolean {
    return this.#down && Math.abs(this.#options.clock.now() - this.#failedAt) < PAUSE_MS;
  }

  #leave(stream: LineStream): void {
    const gone = end(stream);
    this.#leaving.add(gone);
    void gone.then(() => this.#leaving.delete(gone));
    this.#stream = undefined;
  }

  #send(text: string, burden: QueueState): void {
    try {
      const stream = (this.#stream ??= this.#guard(this.#options.open()));
      stream.write(text, (error?: Error | null) => {
        // A connection that breaks before it stands tells what waits for it that all is well.
        const failure = error ?? stream.errored;
        if (failure) this.#fail(failure, burden, stream);
        else this.#down = false;
      });
    } catch (error) {
      this.#fail(error, burden, this.#stream);
    }
  }

  #fail(error: unknown, { lines, previous }: QueueState, stream: LineStream | undefined): void {
    this.#dropped += previous + lines;
    this.#lost += lines;
    // Writes that were under way when the stream broke fail one by one: they are one outage.
    if (stream !== this.#stream) return;
    if (this.#options.owned) this.#stream = undefined;
    this.#failedAt = this.#options.clock.now();
    if (this.#down) return;
    this.#down = true;
    this.#options.failed(stream?.errored ?? error);
  }

  /** An `error` event that nobody hears ends the process; failures are seen by the write itself. */
  #guard(stream: LineStream): LineStream {
    if (!guarded.has(stream)) stream.on('error', () => undefined);
    guarded.add(stream);
    // A receiver that hangs up between two lines costs none of them. Writes that fail with it are told first.
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

/** Lines of a write, and those before them that are owned up to in it. */
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
