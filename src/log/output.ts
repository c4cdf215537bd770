import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import winston from 'winston';
import type { Clock } from '../domain/clock.js';
import type { LogSettings } from '../domain/settings.js';
import type { GatedEntry } from './batch.js';
import { type OutputName, rankOf } from './level-gate.js';
import { makeEntry, renderAs } from './line.js';
import { LineSink, type LineStream } from './line-sink.js';

/** A place that lines go to. */
export interface Target {
  readonly kind: OutputName;
  /** `console`, or the file's path. */
  readonly name: string;
  readonly open: () => LineStream;
  /** True when the stream is opened, reopened and ended by the log. */
  readonly owned: boolean;
  readonly colours: boolean;
}

export interface OutputOptions {
  readonly format: LogSettings['format'];
  readonly clock: Clock;
  /** Called once per outage. */
  readonly failed: (output: string, error: unknown) => void;
}

/** What winston is given: entries that are written together. */
export interface BatchEntry {
  readonly entries: readonly GatedEntry[];
}

/** A target that entries can be written to, and the winston transport that writes them. */
export interface Output {
  readonly transport: winston.transport;
  /** Resolves when every line has left or cannot. */
  close(): Promise<void>;
}

/** Opens a target; nothing that happens to it later throws. */
export function openOutput(target: Target, { format, clock, failed }: OutputOptions): Output {
  const render = renderAs(format, target.colours);
  const sink = new LineSink({
    open: target.open,
    owned: target.owned,
    clock,
    failed: (error) => {
      failed(target.name, error);
    },
    dropped: (lines) =>
      render(makeEntry(clock, 'warn', { message: 'log lines were dropped', fields: { lines } })),
  });
  const batches = new Writable({
    objectMode: true,
    write: ({ entries }: BatchEntry, _encoding, next) => {
      const wanted = entries.filter(({ level, limits }) => rankOf(level) <= limits[target.kind]);
      if (wanted.length > 0) sink.write(wanted.map(render).join(''), wanted.length);
      next();
    },
  });
  // winston types its own transports as interfaces, hence:
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment
  return { transport: new winston.transports.Stream({ stream: batches }), close: () => sink.close() };
}

/** Stdout or a stream like it; never ended. */
export function consoleTarget(
  stream: NodeJS.WritableStream & { isTTY?: boolean; hasColors?(): boolean },
): Target {
  const colours = stream.isTTY === true && stream.hasColors?.() !== false;
  return { kind: 'console', name: 'console', open: () => stream, owned: false, colours };
}

/** A file that is appended to: folder created, mode 0640. */
export function fileTarget(path: string): Target {
  const open = (): LineStream => {
    mkdirSync(dirname(path), { recursive: true });
    return createWriteStream(path, { flags: 'a', mode: 0o640 });
  };
  return { kind: 'file', name: path, open, owned: true, colours: false };
}
