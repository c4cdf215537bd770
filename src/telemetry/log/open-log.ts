import winston from 'winston';
import WinstonTransport from 'winston-transport';
import type { Transport } from '../../core/component.js';
import { type LogLevels } from '../../core/log-levels.js';
import { LOG_LEVELS, type Log, type LogFields, type LogLevel } from '../../core/log.js';
import type { Redact, Redactor } from '../../core/secret.js';
import { type Clock, systemClock } from '../../lib/clock.js';
import type { LogSettings } from '../../settings/log.js';
import { entryFormat, jsonFormat, type WrittenCall } from './formats.js';
import { LevelGate, rankOf } from './level-filter.js';
import type { Entry, GatedEntry } from './line.js';
import { consoleTarget, fileTarget, Output, syslogTarget } from './output.js';
import { plainFields } from './to-plain-object.js';

interface OpenLogOptions {
  /** Output stream besides the file; absent: stdout. Never ended. */
  readonly stream?: NodeJS.WritableStream;
  readonly clock?: Clock;
  /** Removes secrets from lines. */
  readonly redactor?: Redactor;
  /** Called with every written line, after redaction. */
  readonly keep?: (entry: Entry) => void;
  readonly fields?: LogFields;
}

export interface OpenLog {
  readonly log: Log;
  /**
   * Changes the levels from the next call on, in child logs too. The field `adapter` of a line determines its
   * component; without that field, the field `application`.
   */
  readonly setLevels: (levels: LogLevels) => void;
  /** Returns the number of lines that each output has dropped because it failed or was too slow. */
  readonly droppedLines: () => Readonly<Partial<Record<Transport, number>>>;
  /** Resolves when every line has been written or dropped; later calls write nothing. */
  readonly close: () => Promise<void>;
}

/** Minimum time between two writes, in milliseconds. */
const WRITE_INTERVAL_MS = 10;

/**
 * Opens the log on stdout and, if configured, on a file and a syslog receiver. Each call writes exactly one
 * redacted line and never throws. A failing output is reported once on the other outputs and retried every
 * second; its missed lines are counted.
 */
export function openLog(settings: LogSettings, options: OpenLogOptions = {}): OpenLog {
  const clock = options.clock ?? systemClock;
  const failed = (output: string, error: unknown): void => {
    log.error('log output failed; dropping its lines until it recovers', { output, error });
  };
  const targets = [consoleTarget(options.stream ?? process.stdout)];
  const { file, rotation, syslog } = settings;
  const archiveFailed = (error: unknown): void => {
    log.warn('log files cannot be archived; keeping them', { file, error });
  };
  if (file !== null) targets.push(fileTarget(file, { rotation, clock, failed: archiveFailed }));
  if (syslog) targets.push(syslogTarget(syslog));
  // A stream from the options receives the lines of each turn immediately.
  const intervalMs = options.stream ? 0 : WRITE_INTERVAL_MS;
  const outputs = targets.map(
    (target) => new Output(target, { format: settings.format, clock, failed, intervalMs }),
  );
  const gate = new LevelGate(
    targets.map(({ kind }) => kind),
    settings.level,
  );
  const redact: Redact = (text) => options.redactor?.redact(text) ?? text;
  const toEntry = entryFormat(clock, redact);
  const format = outputs.length > 1 ? winston.format.combine(toEntry, jsonFormat()) : toEntry;
  const keepers = options.keep ? [transportTo(options.keep)] : [];
  const logger = createLogger(format, [...keepers, ...outputs]);
  const log = new FieldLog({ logger, gate, redact }, options.fields ?? {});
  let closing: Promise<void> | undefined;
  return {
    log,
    setLevels: (levels) => {
      gate.set(levels);
    },
    droppedLines: () => Object.fromEntries(outputs.map((output) => [output.kind, output.lost()])),
    close: () => (closing ??= end(logger)),
  };
}

/** Creates the logger. The level gate has already decided that at least one output writes an entry. */
function createLogger(format: winston.Logform.Format, transports: WinstonTransport[]): winston.Logger {
  const levels = Object.fromEntries(LOG_LEVELS.map((name, rank) => [name, rank]));
  return winston.createLogger({ levels, level: 'spam', format, transports });
}

function transportTo(receive: (entry: GatedEntry) => void): WinstonTransport {
  return new WinstonTransport({
    log(entry: GatedEntry, next) {
      receive(entry);
      next();
    },
  });
}

interface LogParts {
  readonly logger: winston.Logger;
  readonly gate: LevelGate;
  readonly redact: Redact;
}

type WriteLine = Log[LogLevel];

/**
 * Log whose lines have these fields. Each adapter has one, so its functions are created when they are read; a plugin may
 * keep one of them without the log.
 */
class FieldLog implements Log {
  readonly #parts: LogParts;
  readonly #base: LogFields;
  readonly #isBare: boolean;

  constructor(parts: LogParts, base: LogFields) {
    this.#parts = parts;
    this.#base = base;
    this.#isBare = Object.keys(base).length === 0;
  }

  get error(): WriteLine {
    return this.#writerOf('error');
  }

  get warn(): WriteLine {
    return this.#writerOf('warn');
  }

  get info(): WriteLine {
    return this.#writerOf('info');
  }

  get debug(): WriteLine {
    return this.#writerOf('debug');
  }

  get trace(): WriteLine {
    return this.#writerOf('trace');
  }

  get spam(): WriteLine {
    return this.#writerOf('spam');
  }

  get isWritten(): (level: LogLevel) => boolean {
    return (level) => rankOf(level) <= this.#parts.gate.limitsOf(undefined, this.#base).any;
  }

  get with(): (fields: LogFields) => Log {
    const { redact } = this.#parts;
    return (fields) => new FieldLog(this.#parts, { ...this.#base, ...plainFields(fields, true, redact) });
  }

  #writerOf(level: LogLevel): WriteLine {
    return (message, fields) => {
      this.#write(level, message, fields);
    };
  }

  #write(level: LogLevel, message: string, fields: LogFields | undefined): void {
    const { logger, gate } = this.#parts;
    const limits = gate.limitsOf(fields, this.#base);
    if (rankOf(level) > limits.any || !logger.writable) return;
    const base = this.#isBare ? undefined : this.#base;
    logger.write({ level, message, fields, base, limits } satisfies WrittenCall);
  }
}

async function end(logger: winston.Logger): Promise<void> {
  await new Promise<void>((resolve) => {
    logger.once('finish', resolve);
    logger.end();
  });
}
