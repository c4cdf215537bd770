import winston from 'winston';
import type { Transport } from '../../core/component.js';
import type { LogLevels } from '../../core/log-levels.js';
import type { LogSettings } from '../../core/log-settings.js';
import { LOG_LEVELS, type Log, type LogFields, type LogLevel } from '../../core/log.js';
import type { Redact, Redactor } from '../../core/secret.js';
import { type Clock, systemClock } from '../../lib/clock.js';
import { Batch, type GatedEntry } from './batch-writer.js';
import { LevelGate, rankOf } from './level-filter.js';
import { type Entry, makeEntry } from './line.js';
import { consoleTarget, fileTarget, openOutput, type Output, outputsOf, syslogTarget } from './output.js';
import { plainFields, type RenderedFields, renderFields } from './to-plain-object.js';

interface OpenLogOptions {
  /** Output stream besides the file; absent: stdout. Never ended. */
  readonly stream?: NodeJS.WritableStream;
  readonly clock?: Clock;
  /** Removes secrets from lines. */
  readonly redactor?: Redactor;
  /** Called with every written line, after redaction. */
  readonly keep?: (entry: Entry) => void;
}

/** A log with the controls for its owner. */
export interface OpenLog {
  readonly log: Log;
  /**
   * Changes the levels from the next call on, in child logs too. The field `adapter` of a line determines its
   * component; without that field, the field `application`.
   */
  readonly setLevels: (levels: LogLevels) => void;
  /** Returns the number of lines that each output has dropped because it failed or was too slow. */
  readonly droppedLines: () => Readonly<Partial<Record<Transport, number>>>;
  /** Writes an entry from the log of another process. */
  readonly relay: (entry: GatedEntry) => void;
  /** Resolves when every line has been written or dropped; later calls write nothing. */
  readonly close: () => Promise<void>;
}

/** A log whose lines another process of this server writes. */
type ForwardedLog = Pick<OpenLog, 'log' | 'setLevels'>;

interface RelayOptions {
  readonly relay: (entry: GatedEntry) => void;
  readonly redactor: Redactor;
  /** Fields of every line, which identify the process. */
  readonly fields: LogFields;
}

/**
 * Creates a forwarded log; `relay` receives each entry that at least one output of these settings would
 * write.
 */
export function openRelayedLog(
  settings: Pick<LogSettings, 'level' | 'file' | 'syslog'>,
  { relay, redactor, fields }: RelayOptions,
): ForwardedLog {
  const gate = new LevelGate([...outputsOf(settings)], settings.level);
  const { redact } = redactor;
  const parts = { logger: { writable: true }, write: relay, gate, clock: systemClock, redact };
  return {
    log: new FieldLog(parts, fields),
    setLevels: (levels) => {
      gate.set(levels);
    },
  };
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
  const outputs = targets.map((target) => openOutput(target, { format: settings.format, clock, failed }));
  const gate = new LevelGate(
    targets.map(({ kind }) => kind),
    settings.level,
  );
  const logger = createLogger(outputs);
  const redact: Redact = (text) => options.redactor?.redact(text) ?? text;
  // A stream from the options receives the lines of each turn immediately.
  const intervalMs = options.stream ? 0 : WRITE_INTERVAL_MS;
  const batch = new Batch((entries) => logger.log({ level: 'info', message: '', entries }), intervalMs);
  const write = (entry: GatedEntry): void => {
    options.keep?.(entry);
    batch.add(entry);
  };
  const log = new FieldLog({ logger, write, gate, clock, redact }, {});
  return {
    log,
    setLevels: (levels) => {
      gate.set(levels);
    },
    droppedLines: () => Object.fromEntries(outputs.map((output) => [output.kind, output.lost()])),
    relay: write,
    close: async () => {
      batch.flush();
      await end(logger);
      await Promise.all(outputs.map((output) => output.close()));
    },
  };
}

function createLogger(outputs: readonly Output[]): winston.Logger {
  return winston.createLogger({
    levels: Object.fromEntries(LOG_LEVELS.map((name, rank) => [name, rank])),
    // The level gate already filters the entries.
    level: 'spam',
    // Entries are plain objects before they reach winston; the outputs render them as text.
    format: winston.format((entry) => entry)(),
    transports: outputs.map((output) => output.transport),
  });
}

const DEBUG = rankOf('debug');

interface LogParts {
  readonly logger: Pick<winston.Logger, 'writable'>;
  readonly write: (entry: GatedEntry) => void;
  readonly gate: LevelGate;
  readonly clock: Clock;
  readonly redact: Redact;
}

const NO_FIELDS: RenderedFields = { fields: {}, json: '{}' };

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
    const { logger, write, gate, clock, redact } = this.#parts;
    const limits = gate.limitsOf(fields, this.#base);
    if (rankOf(level) > limits.any || !logger.writable) return;
    const stacks = level === 'error' || limits.any >= DEBUG;
    const { fields: own, json } = fields ? renderFields(fields, stacks, redact) : NO_FIELDS;
    const content = {
      message: redact(message),
      fields: this.#isBare ? own : { ...this.#base, ...own },
      fieldsJson: this.#isBare ? json : undefined,
    };
    write(Object.assign(makeEntry(clock, level, content), { limits }));
  }
}

async function end(logger: winston.Logger): Promise<void> {
  if (!logger.writable) return;
  await new Promise<void>((resolve) => {
    logger.once('finish', resolve);
    logger.end();
  });
}
