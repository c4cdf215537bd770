import { inspect } from 'node:util';
import { type Log, LOG_LEVELS, type LogFields, type LogLevel } from '../../src/core/log.js';
import { keepOutput } from './leak-scan.js';

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** A log in memory; it keeps its lines and the lines of its child loggers in order. */
export function memoryLog(): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { log: logInto(lines, {}), lines };
}

function logInto(lines: LogLine[], common: LogFields): Log {
  const writers = LOG_LEVELS.map((level) => [
    level,
    (message: string, fields: LogFields = {}) => {
      const line = { level, message, fields: { ...common, ...fields } };
      lines.push(line);
      keepOutput('memory-log', `${inspect(line, { depth: 9 })}\n`);
    },
  ]);
  return {
    ...(Object.fromEntries(writers) as Record<LogLevel, Log['info']>),
    with: (fields) => logInto(lines, { ...common, ...fields }),
  };
}
