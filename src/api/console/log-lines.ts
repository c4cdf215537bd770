import { LOG_LEVELS, type LogLevel } from '../../core/log.js';
import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { ConsoleDeps } from './deps.js';
import { numberParameter, readNumber } from './read-number.js';
import { adapterParameter, count, listOf, moment, objectOf, text, textOrNull } from './schema-parts.js';

const LIMIT = { name: 'limit', preset: 200, least: 1, most: 2_000 } as const;
const AFTER = { name: 'after', preset: 0, least: 0, most: Number.MAX_SAFE_INTEGER } as const;
const PRESET_LEVEL = 'spam';

const level = { enum: LOG_LEVELS } as const;

/** Lists the latest log lines as written. The server keeps 2,000 lines, half of them errors and warnings. */
export const getLogLines: Operation<ConsoleDeps> = {
  id: 'getLogLines',
  summary: 'List the latest lines of the log.',
  method: 'GET',
  path: '/log',
  roles: ['admin'],
  query: {
    type: 'object',
    properties: {
      adapter: adapterParameter,
      level: { ...level, default: PRESET_LEVEL, description: 'These and the more important ones' },
      limit: numberParameter(LIMIT),
      after: { ...numberParameter(AFTER), description: 'The member next of the answer before' },
    },
  },
  reply: {
    title: 'Lines of the log',
    ...objectOf({
      lines: {
        ...listOf({ id: count, at: moment, level, message: text, fields: { type: 'object' } }),
        description: 'Oldest first',
      },
      next: { ...count, description: 'For `after` of the next call' },
      missed: { type: 'boolean', description: 'True when there were more lines since `after`' },
      writtenLevel: { ...level, description: 'The least important level that is written' },
      hint: { ...textOrNull, description: 'Why there is less than was asked for' },
    }),
  },
  handle({ query }, { monitoring }) {
    const adapter = query.get('adapter') ?? undefined;
    const wanted = readLevel(query);
    const found = monitoring.lines({
      ...(adapter !== undefined && { adapter }),
      level: wanted,
      after: readNumber(query, AFTER),
      most: readNumber(query, LIMIT),
    });
    const writtenLevel = monitoring.writtenLevel(adapter);
    return {
      body: {
        lines: found.lines.map(({ time, ...line }) => ({ ...line, at: Date.parse(time) })),
        next: found.latest,
        missed: found.missed,
        writtenLevel,
        hint: hintOf(query.get('level'), wanted, writtenLevel),
      },
    };
  },
};

function readLevel(query: URLSearchParams): LogLevel {
  const asked = query.get('level') ?? PRESET_LEVEL;
  const found = LOG_LEVELS.find((one) => one === asked);
  if (found) return found;
  const message = `must be one of ${LOG_LEVELS.join(', ')}`;
  throw new Problem('invalid_request', `/level ${message}`, { errors: [{ pointer: '/level', message }] });
}

function hintOf(asked: string | null, wanted: LogLevel, written: LogLevel): string | null {
  if (asked === null || LOG_LEVELS.indexOf(wanted) <= LOG_LEVELS.indexOf(written)) return null;
  return `Lines of the level ${wanted} are not written: the level in use is ${written}. Change it to see them from then on.`;
}
