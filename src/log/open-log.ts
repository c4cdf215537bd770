import winston from 'winston';
import { type Clock, systemClock } from '../domain/clock.js';
import { LOG_LEVELS, type Log, type LogFields, type LogLevel } from '../domain/log.js';
import type { Redact, Redactor } from '../domain/redactor.js';
import type { LogSettings } from '../domain/settings.js';
import { makeEntry } from './line.js';
import { consoleTarget, fileTarget, type Output, openOutput } from './output.js';
import { plainFields } from './plain.js';

export interface OpenLogOptions {
  /** Where lines go besides the file; stdout when absent. Never ended. */
  readonly stream?: NodeJS.WritableStream;
  readonly clock?: Clock;
  /** Knows the secrets that no line may show. */
  readonly redactor?: Redactor;
}

/** A log and the handles on it that its owner keeps. */
export interface OpenLog {
  readonly log: Log;
  /** Changes what is written from the next call on, in child logs too. */
  readonly setLevel: (level: LogLevel) => void;
  /** Resolves when every line has left or cannot; later calls write nothing. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the log on stdout and, when the settings name one, on a file (folder created, mode 0640). A call never throws
 * and writes exactly one line, in which nothing that looks like a secret is left. An output that fails is reported
 * once on the other one, survived, and tried again every second; the lines it missed are counted.
 */
export function openLog(settings: LogSettings, options: OpenLogOptions = {}): OpenLog {
  const clock = options.clock ?? systemClock;
  const failed = (output: string, error: unknown): void => {
    log.error('a log output fails; its lines are dropped until it works again', { output, error });
  };
  const targets = [consoleTarget(options.stream ?? process.stdout)];
  if (settings.file !== null) targets.push(fileTarget(settings.file));
  const outputs = targets.map((target) => openOutput(target, { format: settings.format, clock, failed }));
  const logger = createLogger(settings.level, outputs);
  const redact: Redact = (text) => options.redactor?.redact(text) ?? text;
  const log = makeLog({ logger, clock, redact }, {});
  return {
    log,
    setLevel: (level) => {
      logger.level = level;
    },
    close: async () => {
      await end(logger);
      await Promise.all(outputs.map((output) => output.close()));
    },
  };
}

function createLogger(level: LogLevel, outputs: readonly Output[]): winston.Logger {
  return winston.createLogger({
    levels: Object.fromEntries(LOG_LEVELS.map((name, rank) => [name, rank])),
    level,
    // Entries are made plain before winston sees them, and become text at the output.
    format: winston.format((entry) => entry)(),
    transports: outputs.map((output) => output.transport),
  });
}

interface LogParts {
  readonly logger: winston.Logger;
  readonly clock: Clock;
  readonly redact: Redact;
}

function makeLog(parts: LogParts, base: LogFields): Log {
  const { logger, clock, redact } = parts;
  const write = (level: LogLevel, message: string, fields?: LogFields): void => {
    if (!logger.writable || !logger.isLevelEnabled(level)) return;
    const stacks = level === 'error' || logger.isLevelEnabled('debug');
    const all = fields ? { ...base, ...plainFields(fields, stacks, redact) } : base;
    logger.log({ ...makeEntry(clock, level, { message: redact(message), fields: all }) });
  };
  const voice =
    (level: LogLevel): Log[LogLevel] =>
    (message, fields) => {
      write(level, message, fields);
    };
  return {
    error: voice('error'),
    warn: voice('warn'),
    info: voice('info'),
    debug: voice('debug'),
    trace: voice('trace'),
    spam: voice('spam'),
    with: (fields) => makeLog(parts, { ...base, ...plainFields(fields, true, redact) }),
  };
}

async function end(logger: winston.Logger): Promise<void> {
  if (!logger.writable) return;
  await new Promise<void>((resolve) => {
    logger.once('finish', resolve);
    logger.end();
  });
}
