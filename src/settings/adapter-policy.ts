import { choice, integer, milliseconds, optionalText, section } from './schema-parts.js';

/** Schema of the key `retry`. */
export const retrySchema = section(
  ['Retry', 'Retries of calls. A request that was never sent may be retried with any method.'],
  {
    attempts: integer('Attempts', 'Maximum number of attempts per call; 1 never retries.', {
      minimum: 1,
      maximum: 10,
      default: 2,
    }),
    methods: {
      title: 'Methods',
      description: 'Methods that may be retried. Methods that change state are never sent twice.',
      type: 'array',
      uniqueItems: true,
      items: {
        enum: ['GET', 'HEAD', 'OPTIONS'],
        'x-hint': 'must be GET, HEAD or OPTIONS: a request that changes state is never sent twice',
      },
      default: ['GET', 'HEAD', 'OPTIONS'],
    },
    statuses: {
      title: 'Statuses',
      description: 'Statuses that are retried.',
      type: 'array',
      uniqueItems: true,
      items: { type: 'integer', minimum: 400, maximum: 599 },
      default: [429, 502, 503, 504],
    },
    budgetPercent: integer(
      'Budget',
      'Retry budget: maximum number of retries per hundred calls, beyond a reserve of ten; 0 disables retries.',
      {
        minimum: 0,
        maximum: 100,
        default: 10,
      },
    ),
  },
);

/** Schema of the key `queue`. */
export const queueSchema = section(
  ['Queue', 'Limits of the concurrent and the waiting calls to this orchestrator.'],
  {
    concurrent: integer('Concurrent', 'Maximum number of concurrent calls.', {
      minimum: 1,
      maximum: 10_000,
      default: 64,
    }),
    waiting: integer('Waiting', 'Maximum number of waiting calls; further calls are rejected immediately.', {
      minimum: 0,
      maximum: 100_000,
      default: 1000,
    }),
    waitMs: milliseconds('Wait', 'Maximum time that a call waits, in milliseconds.', 10_000),
  },
);

/** Schema of the key `breaker`. */
export const breakerSchema = section(['Breaker', 'Circuit breaker of each base URL.'], {
  failures: integer(
    'Failures',
    'Consecutive failures (no reply, or status 502, 503 or 504) that open the circuit breaker; 0 never opens it.',
    {
      minimum: 0,
      maximum: 1_000_000,
      default: 5,
    },
  ),
  openMs: milliseconds(
    'Open',
    'Milliseconds that the circuit breaker stays open, plus up to 10 % jitter.',
    1_000,
  ),
});

/** Schema of the key `health`. */
export const healthSchema = section(['Health', 'Health checks of the orchestrator.'], {
  type: choice('Type', 'When the check runs. none: never; startup: once; intermittent: at each interval.', [
    'intermittent',
    'startup',
    'none',
  ]),
  path: optionalText(
    'Path',
    'Path below the base URL that the check requests with GET; null only opens a connection.',
    {
      pattern: '^/',
      'x-hint': 'must start with "/"',
    },
  ),
  intervalSeconds: integer(
    'Interval',
    'Seconds between two checks, with 10 % jitter; 0 disables the checks.',
    {
      minimum: 0,
      maximum: 86_400,
      default: 30,
    },
  ),
});
