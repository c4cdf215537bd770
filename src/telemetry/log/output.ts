import { Writable } from 'node:stream';
import winston from 'winston';
import type { Transport } from '../../core/component.js';
import type { LogSettings, SyslogSettings } from '../../core/log-settings.js';
import type { Clock } from '../../lib/clock.js';
import type { GatedEntry } from './batch-writer.js';
import { LineSink, type LineStream } from './bounded-writer.js';
import { rankOf } from './level-filter.js';
import { makeEntry, type Render, renderAs } from './line.js';
import { LogFile, type LogFileOptions } from './log-file.js';
import { openSyslog, renderSyslog } from './syslog.js';

/** A destination of log lines. */
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
}

/** The object passed to winston: entries that are written together. */
interface BatchEntry {
  readonly entries: readonly GatedEntry[];
}

/** An open target with its winston transport. */
export interface Output {
  readonly transport: winston.transport;
  readonly kind: Transport;
  /** Returns the number of dropped lines. */
  lost(): number;
  /** Resolves when every line has been written or dropped. */
  close(): Promise<void>;
}

/** Opens a target; later failures of the target do not throw. */
export function openOutput(target: Target, { format, clock, failed }: OutputOptions): Output {
  const line = renderAs(format, target);
  const render = target.wrap?.(line) ?? line;
  const sink = new LineSink({
    open: target.open,
    owned: target.owned,
    ...(target.needsReopen && { needsReopen: target.needsReopen }),
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
      let [text, lines] = ['', 0];
      for (const entry of entries) {
        if (rankOf(entry.level) > entry.limits[target.kind]) continue;
        text += render(entry);
        lines += 1;
      }
      if (lines > 0) sink.write(text, lines);
      next();
    },
  });
  return {
    transport: new winston.transports.Stream({ stream: batches }),
    kind: target.kind,
    lost: () => sink.lost(),
    close: () => sink.close(),
  };
}

/** Returns a target for stdout or a similar stream; the stream is never ended. */
export function consoleTarget(
  stream: NodeJS.WritableStream & { isTTY?: boolean; hasColors?(): boolean },
): Target {
  const isTerminal = stream.isTTY === true;
  const colours = isTerminal && stream.hasColors?.() !== false;
  return { kind: 'console', name: 'console', open: () => stream, owned: false, isTerminal, colours };
}

/** Returns a target that appends to a file. */
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

/** Returns a target for a syslog receiver. */
export function syslogTarget(settings: SyslogSettings): Target {
  const open = () => openSyslog(settings);
  const wrap = (render: Render) => renderSyslog(settings, render);
  return { kind: 'syslog', name: settings.url, open, wrap, owned: true, isTerminal: false, colours: false };
}

/** Returns the configured outputs of the log. */
export function outputsOf({ file, syslog }: Pick<LogSettings, 'file' | 'syslog'>): ReadonlySet<Transport> {
  return new Set<Transport>([
    'console',
    ...(file === null ? [] : ['file' as const]),
    ...(syslog ? ['syslog' as const] : []),
  ]);
}
