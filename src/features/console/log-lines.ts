import { LOG_LEVELS, type LogLevel } from '../../core/log.js';
import type { Operation } from '../../core/operation.js';
import { maySeeBodies, type Principal, READERS } from '../../core/principal.js';
import { choiceParameterOf, numberParameterOf, parameterOf } from '../../http/query-parameters.js';
import { adapterParameter, numberParameterSchema } from '../lib/observed-schemas.js';
import { count, listOf, objectOf, text, textOrNull, timestamp } from '../lib/reply-schemas.js';
import type { ConsoleDeps } from './deps.js';

const LINES_LIMIT = { name: 'limit', preset: 200, min: 1, max: 2_000 } as const;
const AFTER = { name: 'after', preset: 0, min: 0, max: Number.MAX_SAFE_INTEGER } as const;
const DEFAULT_LEVEL = 'spam';

const levelSchema = { enum: LOG_LEVELS } as const;

/**
 * Lists the latest log lines. The server keeps at most 1,000 errors and warnings, and at most 1,000 other
 * lines; of each adapter at most 1,000 lines, and of all adapters together at most 40,000.
 */
export const getLogLines: Operation<ConsoleDeps> = {
  id: 'getLogLines',
  summary: 'List the latest lines of the log.',
  description:
    'Returns the latest log lines that this process keeps in memory, oldest first. Secrets are removed from them.',
  method: 'GET',
  path: '/log',
  topics: ['adapters'],
  roles: READERS,
  query: {
    type: 'object',
    properties: {
      adapter: adapterParameter,
      level: {
        ...levelSchema,
        default: DEFAULT_LEVEL,
        description: 'Lines of this level and of more important levels',
      },
      limit: numberParameterSchema(LINES_LIMIT),
      after: {
        ...numberParameterSchema(AFTER),
        description: 'Value of `next` of the previous response; only later lines are returned',
      },
    },
  },
  reply: {
    title: 'Lines of the log',
    ...objectOf({
      lines: {
        ...listOf({
          id: count,
          at: timestamp,
          level: levelSchema,
          message: text,
          fields: { type: 'object' },
        }),
        description: 'Oldest first',
      },
      next: { ...count, description: 'Value of `after` for the next call' },
      missed: {
        type: 'boolean',
        description: 'True if later lines than `after` are missing from this response',
      },
      writtenLevel: { ...levelSchema, description: 'Least important level that is written' },
      hint: {
        ...textOrNull,
        description: 'Reason why lines of the requested level are missing; null if none are missing',
      },
    }),
  },
  async handle({ query, principal }, { monitoring }) {
    const adapter = parameterOf(query, 'adapter');
    const chosen = choiceParameterOf(query, 'level', LOG_LEVELS);
    const found = await monitoring.lines({
      ...(adapter !== undefined && { adapter }),
      level: shownLevel(chosen ?? DEFAULT_LEVEL, principal),
      after: numberParameterOf(query, AFTER),
      most: numberParameterOf(query, LINES_LIMIT),
    });
    const writtenLevel = monitoring.writtenLevel(adapter);
    return {
      body: {
        lines: found.lines.map(({ time, ...line }) => ({ ...line, at: Date.parse(time) })),
        next: found.latest,
        missed: found.missed,
        writtenLevel,
        hint: maySeeBodies(principal) ? hintOf(chosen, writtenLevel) : viewerHintOf(chosen),
      },
    };
  },
};

/** Returns a hint if the caller chose a level that is less important than the level that is written. */
function hintOf(chosen: LogLevel | undefined, written: LogLevel): string | null {
  if (!chosen || LOG_LEVELS.indexOf(chosen) <= LOG_LEVELS.indexOf(written)) return null;
  return `Lines of the level ${chosen} are not written: the level in use is ${written}. Change the level to write them.`;
}

/** Least important level whose lines have no bodies and headers of calls. */
const BODILESS_LEVEL: LogLevel = 'info';

function shownLevel(chosen: LogLevel, principal: Principal | undefined): LogLevel {
  return maySeeBodies(principal) || !isBelowInfo(chosen) ? chosen : BODILESS_LEVEL;
}

/** Returns why a viewer does not get the lines of the chosen level. */
function viewerHintOf(chosen: LogLevel | undefined): string | null {
  return chosen && isBelowInfo(chosen)
    ? `Lines of the level ${chosen} can contain bodies of calls, which need the role admin. The response has the lines from ${BODILESS_LEVEL} up.`
    : null;
}

function isBelowInfo(level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(BODILESS_LEVEL);
}
