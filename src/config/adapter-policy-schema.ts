import type { JsonSchema } from '../core/schema.js';
import { choice, integer, milliseconds, optionalText, section } from './schema-parts.js';

/** Schema of the key `retry`. */
export const retrySchema: JsonSchema = section(
  ['Retry', 'When a call is tried again. What was never sent may be, whatever the method.'],
  {
    attempts: integer('Attempts', 'Tries of one call at most; 1 never tries again.', {
      minimum: 1,
      maximum: 10,
      default: 2,
    }),
    methods: {
      title: 'Methods',
      description: 'Methods that may be sent again. Those that change state are never sent twice.',
      type: 'array',
      uniqueItems: true,
      items: {
        enum: ['GET', 'HEAD', 'OPTIONS'],
        'x-hint': 'must be GET, HEAD or OPTIONS: what changes state is never sent twice',
      },
      default: ['GET', 'HEAD', 'OPTIONS'],
    },
    statuses: {
      title: 'Statuses',
      description: 'Statuses that are worth another try.',
      type: 'array',
      uniqueItems: true,
      items: { type: 'integer', minimum: 400, maximum: 599 },
      default: [429, 502, 503, 504],
    },
    budgetPercent: integer('Budget', 'Retries in a hundred calls, beyond a reserve of ten.', {
      minimum: 0,
      maximum: 100,
      default: 10,
    }),
  },
);

/** Schema of the key `queue`. */
export const queueSchema: JsonSchema = section(['Queue', 'How many calls go to this orchestrator.'], {
  concurrent: integer('Concurrent', 'Calls on their way at a time.', {
    minimum: 1,
    maximum: 10_000,
    default: 64,
  }),
  waiting: integer('Waiting', 'Calls that may wait for their turn; more are refused at once.', {
    minimum: 0,
    maximum: 100_000,
    default: 1000,
  }),
  waitMs: milliseconds('Wait', 'Milliseconds that a call waits at most.', 10_000),
});

/** Schema of the key `breaker`. */
export const breakerSchema: JsonSchema = section(['Breaker', 'When a base URL is left alone.'], {
  failures: integer('Failures', 'Failures in a row after which it is left alone; 0 never does so.', {
    minimum: 0,
    maximum: 1_000_000,
    default: 5,
  }),
  openMs: milliseconds('Open', 'Milliseconds for which it is left alone.', 10_000),
});

/** Schema of the key `health`. */
export const healthSchema: JsonSchema = section(['Health', 'How the orchestrator is looked after.'], {
  type: choice('Type', 'none: never; startup: once; intermittent: again and again.', [
    'intermittent',
    'startup',
    'none',
  ]),
  path: optionalText('Path', 'Path below the base URL that is asked for with GET; null asks for nothing.', {
    pattern: '^/',
    'x-hint': 'must start with "/"',
  }),
  intervalSeconds: integer('Interval', 'Seconds between two looks.', {
    minimum: 1,
    maximum: 86_400,
    default: 30,
  }),
});

/** Schema of the key `access`. */
export const accessSchema: JsonSchema = {
  title: 'Access',
  description: "Rules, one of which must admit a call; none: the operation's own roles decide alone.",
  type: 'array',
  default: [],
  items: section(
    ['Rule', 'What is left out admits everything.'],
    {
      roles: list('Roles', 'The caller has one of them.', { type: 'string', minLength: 1 }),
      methods: list('Methods', 'Methods on the orchestrator.', {
        enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
        'x-hint': 'must be GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS',
      }),
      paths: list('Paths', 'Patterns: * is a part of a segment, ** any number of segments.', {
        type: 'string',
        pattern: '^/[^?#\\s]*$',
        'x-hint': 'must be a path pattern such as /restconf/data/**',
      }),
    },
    { minProperties: 1 },
  ),
};

function list(title: string, description: string, items: JsonSchema): JsonSchema {
  return { title, description, type: 'array', minItems: 1, uniqueItems: true, items };
}
