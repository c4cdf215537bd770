import WinstonTransport from 'winston-transport';
import type { Transport } from '../../core/component.js';
import { namingHop } from '../../core/transport-failure.js';
import type { Clock } from '../../lib/clock.js';
import type { LogSettings, SyslogSettings } from '../../settings/log.js';
import { LineSink, type LineStream } from './bounded-writer.js';
import { outputFormat, TEXT } from './formats.js';
import { type Entry, makeEntry, type Render, renderAs } from './line.js';
import { LogFile, type LogFileOptions } from './log-file.js';
import { openSyslog, renderSyslog } from './syslog.js';

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

interface Target {
  readonly kind: Transport;
  /** `console`, the file's path, or the receiver's URL. */
  readonly name: string;
  readonly open: () => LineStream;
  readonly needsReopen?: () => boolean;
  /** Wraps lines in messages, if the target requires it. */
  readonly wrap?: (render: Render) => Render;
  /** True if the log opens, reopens and ends the stream. */
  readonly owned: boolean;
  readonly isTerminal: boolean;
  readonly colours: boolean;
}

interface OutputOptions {
  readonly format: LogSettings['format'];
  readonly clock: Clock;
  /** Called once per outage. */
  readonly failed: (output: string, error: unknown) => void;
  /** Minimum time between two writes, in milliseconds; 0: none. */
  readonly intervalMs: number;
}

/** An open target: a transport of winston that writes lines in batches, and survives failures of the target. */
export class Output extends WinstonTransport {
  readonly kind: Transport;
  readonly #sink: LineSink;
  readonly #batch: Batch;

  constructor(target: Target, { format, clock, failed, intervalMs }: OutputOptions) {
    const line = renderAs(format, target);
    const render = target.wrap?.(line) ?? line;
    super({ format: outputFormat(target.kind, render) });
    this.kind = target.kind;
    this.#sink = new LineSink({
      open: target.open,
      owned: target.owned,
      ...(target.needsReopen && { needsReopen: target.needsReopen }),
      clock,
      failed: (error) => {
        failed(target.name, target.kind === 'syslog' ? namingHop(error, 'the syslog receiver') : error);
      },
      dropped: (lines) =>
        render(makeEntry(clock, 'warn', { message: 'log lines were dropped', fields: { lines } })),
    });
    this.#batch = new Batch((text, lines) => {
      this.#sink.write(text, lines);
    }, intervalMs);
  }

  override log({ level, [TEXT]: line }: Entry & { readonly [TEXT]: string }, next: () => void): void {
    this.#batch.add(line, level === 'error' || level === 'warn');
    next();
  }

  /** Ends when every line has been written or dropped. */
  override _final(done: () => void): void {
    this.#batch.flush();
    void this.#sink.close().then(done);
  }

  lost(): number {
    return this.#sink.lost();
  }
}

/** Returns a target for stdout or a similar stream; the stream is never ended. */
export function consoleTarget(
  stream: NodeJS.WritableStream & { isTTY?: boolean; hasColors?(): boolean },
): Target {
  const isTerminal = stream.isTTY === true;
  const colours = isTerminal && stream.hasColors?.() !== false;
  return { kind: 'console', name: 'console', open: () => stream, owned: false, isTerminal, colours };
}

export function fileTarget(path: string, options: LogFileOptions): Target {
  const file = new LogFile(path, options);
  return {
    kind: 'file',
    name: path,
    open: () => file.open(),
    needsReopen: () => file.needsReopen(),
    owned: true,
    isTerminal: false,
    colours: false,
  };
}

export function syslogTarget(settings: SyslogSettings): Target {
  const open = () => openSyslog(settings);
  const wrap = (render: Render) => renderSyslog(settings, render);
  return { kind: 'syslog', name: settings.url, open, wrap, owned: true, isTerminal: false, colours: false };
}

export function outputsOf({ file, syslog }: LogSettings): ReadonlySet<Transport> {
  return new Set<Transport>([
    'console',
    ...(file === null ? [] : ['file' as const]),
    ...(syslog ? ['syslog' as const] : []),
  ]);
}
