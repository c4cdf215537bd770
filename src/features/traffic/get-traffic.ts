import type { AnsweredRequest } from '../../core/metric.js';
import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { ACT_ACTIONS } from '../../core/record-history.js';
import type { JsonSchema } from '../../core/schema.js';
import {
  choiceParameterOf,
  numberParameterOf,
  parameterError,
  parameterOf,
  queryProblem,
  timeParameterOf,
} from '../../http/query-parameters.js';
import type { ConsoleDeps } from '../console/deps.js';
import type { CallQuery } from '../console/monitoring.js';
import { adapterParameter, numberParameterSchema, responseTimes } from '../lib/observed-schemas.js';
import {
  count,
  countOrNull,
  listOf,
  objectOf,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
} from '../lib/reply-schemas.js';

/** Lengths of the time until now. */
const SPANS = ['1h', '24h', '7d'] as const;
const HOUR_MS = 3_600_000;
const SPAN_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;

const ADAPTERS_LIMIT = { name: 'limit', preset: 40, min: 0, max: 200 } as const;
/** Maximum number of names in the parameter `adapters`. */
const MAX_NAMES = 200;

const callCounts = {
  calls: count,
  errors: count,
  clientErrors: { ...count, description: 'Calls that ended with a status of 400 to 499' },
} as const;
const columnMembers = { at: timestamp, ...callCounts, ...responseTimes } as const;

const timelineSchema = listOf({
  at: timestamp,
  adapter: { ...textOrNull, description: 'Name of the adapter; null for the server' },
  kind: {
    enum: [
      ...['started', 'restarted', 'stopped', 'broken', 'configured', 'reloaded', 'rotated', 'removed'],
      ...['secret-accepted', 'secret-refused', 'secret-untested'],
      ...['offline', 'login-refused', 'online', 'breaker-open', 'breaker-closed'],
      ...ACT_ACTIONS.filter((action) => !['started', 'restarted', 'stopped', 'removed'].includes(action)),
    ],
  },
  text,
  by: {
    ...textOrNull,
    description: 'Name of the operator; null for a state change, and for an act of the server',
  },
  reason: { ...textOrNull, description: 'Reason that the operator gave' },
  until: { ...timestampOrNull, description: 'Time when the act ends by itself' },
  isAct: { type: 'boolean', description: 'True for an act of an operator or of a time limit' },
  profile: { ...textOrNull, description: 'Name of the profile that the act is about' },
});

/**
 * Returns the traffic of a time, of all adapters or of one. The numbers are kept over restarts, for eight days.
 */
export const getTraffic: Operation<ConsoleDeps> = {
  id: 'getTraffic',
  summary: 'Get the number of calls, the errors and the response times over a time.',
  description:
    'Returns the numbers and the response times of the calls of the last hour, day or week, or of a part of it, and the state changes of the adapters. The numbers are kept for eight days, over restarts and from all nodes. The shorter the time, the shorter the intervals.',
  method: 'GET',
  path: '/traffic',
  topics: ['adapters'],
  roles: READERS,
  query: {
    type: 'object',
    properties: {
      span: { enum: SPANS, default: '1h', description: 'Length of the time until now' },
      from: timeParameter('Start of the time; with `to`, instead of `span`'),
      to: timeParameter('End of the time'),
      adapter: adapterParameter,
      adapters: { type: 'string', description: 'Names of the adapters in the list, separated by commas' },
      limit: numberParameterSchema(ADAPTERS_LIMIT),
    },
  },
  reply: { title: 'Traffic', ...objectOf(trafficMembers()) },
  async handle({ query }, { monitoring }) {
    const now = monitoring.now();
    const adapters = parameterOf(query, 'adapters')?.split(',');
    if (adapters && adapters.length > MAX_NAMES)
      throw queryProblem([parameterError('adapters', `must have at most ${MAX_NAMES} names`)]);
    const report = await monitoring.traffic({
      ...timeOf(query, now),
      adapter: parameterOf(query, 'adapter'),
      adapters,
      limit: numberParameterOf(query, ADAPTERS_LIMIT),
    });
    return { body: report };
  },
};

function timeParameter(description: string): object {
  return { type: 'string', format: 'date-time', description };
}

function trafficMembers(): Readonly<Record<string, JsonSchema>> {
  return {
    cellSeconds: { ...count, description: 'Length of the intervals' },
    from: timestamp,
    to: timestamp,
    isComplete: { type: 'boolean', description: 'False if the store did not answer: only the latest calls' },
    cells: {
      ...listOf({
        ...columnMembers,
        maxInFlight: { ...count, description: 'Highest number of calls in flight' },
        maxWaiting: { ...count, description: 'Highest number of calls in the queue' },
        openSeconds: { ...count, description: 'Time in which a circuit breaker was open' },
        halfOpenSeconds: count,
      }),
      description: 'All adapters together, or the only adapter; oldest interval first, without empty ones',
    },
    latencies: {
      ...listOf({ toMs: { ...countOrNull, description: 'Upper bound; null: without' }, calls: count }),
      description: 'Calls by response time, shortest first',
    },
    columnSeconds: { ...count, description: 'Length of the intervals of the adapters in the list' },
    adapters: {
      ...listOf({ name: text, ...callCounts, cells: listOf(columnMembers) }),
      description:
        'Adapters with calls: most errors first, then most rejected calls, then most calls. Empty if there is only one adapter',
    },
    adaptersLeft: { ...count, description: 'Number of adapters with calls that are not listed' },
    flows: {
      ...listOf({ caller: text, adapter: text, ...callCounts }),
      description: 'Calls by caller and adapter, most calls first; an empty name sums up all other callers',
    },
    marks: {
      ...timelineSchema,
      description: 'State changes of the adapters and the server in this time, oldest first',
    },
  };
}

/** Returns the time of a query. Throws `invalid_request`. */
function timeOf(query: URLSearchParams, now: number): { readonly from: number; readonly to: number } {
  const span = choiceParameterOf(query, 'span', SPANS) ?? '1h';
  const [from, to] = [timeParameterOf(query, 'from'), timeParameterOf(query, 'to')];
  if (from === undefined && to === undefined) return { from: now - SPAN_MS[span], to: now };
  if (from === undefined || to === undefined)
    throw queryProblem([parameterError(from === undefined ? 'from' : 'to', 'is missing')]);
  if (from >= to) throw queryProblem([parameterError('to', 'must be later than from')]);
  return { from, to };
}

const STATUS_PATTERN = '^[1-5]([0-9]{2}|xx)$';
const CALLS_LIMIT = { name: 'limit', preset: 100, min: 1, max: 1_000 } as const;

/** Lists the latest calls through adapters, without their bodies. The server keeps 100 calls per adapter. */
export const getCalls: Operation<ConsoleDeps> = {
  id: 'getCalls',
  summary: 'List the latest calls through adapters, without their bodies.',
  description:
    'Returns the latest calls through each adapter, newest first, with their status and their duration.',
  method: 'GET',
  path: '/calls',
  topics: ['adapters'],
  roles: READERS,
  query: {
    type: 'object',
    properties: {
      adapter: adapterParameter,
      from: timeParameter('Earliest start, as in RFC 3339'),
      to: timeParameter('Latest start, exclusive'),
      status: {
        type: 'string',
        pattern: STATUS_PATTERN,
        description: 'HTTP status such as 503, or a class such as 5xx',
      },
      caller: { type: 'string', description: 'Subject of the caller, or its name for people' },
      contains: {
        type: 'string',
        description:
          'Text in the request id, the adapter, the path, the target, the caller or the outcome, in any case; or the HTTP status',
      },
      limit: numberParameterSchema(CALLS_LIMIT),
    },
  },
  reply: {
    title: 'Latest calls',
    ...objectOf({
      calls: {
        ...listOf({
          at: timestamp,
          requestId: text,
          adapter: text,
          operation: text,
          method: text,
          path: { ...text, description: 'Path of the request, without its query' },
          about: {
            ...text,
            description: 'Target that the operation reported, as in the audit record; may be empty',
          },
          status: { ...count, description: 'HTTP status; 499 if the caller left before the response' },
          ms: { type: 'integer', minimum: 0 },
          caller: { ...text, description: 'Name of the caller for people' },
          outcome: { ...text, description: '`ok`, or the code of the problem' },
        }),
        description: 'Newest first',
      },
    }),
  },
  async handle({ query }, { monitoring }) {
    const calls = await monitoring.calls(callQueryOf(query));
    return { body: { calls: calls.map(callEntry) } };
  },
};

function callQueryOf(query: URLSearchParams): CallQuery {
  return {
    most: numberParameterOf(query, CALLS_LIMIT),
    adapter: parameterOf(query, 'adapter'),
    from: timeParameterOf(query, 'from'),
    to: timeParameterOf(query, 'to'),
    status: statusOf(query),
    caller: parameterOf(query, 'caller'),
    contains: parameterOf(query, 'contains')?.toLowerCase(),
  };
}

function statusOf(query: URLSearchParams): CallQuery['status'] {
  const status = parameterOf(query, 'status');
  if (status === undefined) return undefined;
  if (!new RegExp(STATUS_PATTERN).test(status))
    throw queryProblem([parameterError('status', 'must be an HTTP status, or a class such as 5xx')]);
  if (!status.endsWith('xx')) return { min: Number(status), max: Number(status) };
  const hundreds = Number(status[0]) * 100;
  return { min: hundreds, max: hundreds + 99 };
}

function callEntry({ startedAt, seconds, code, ...call }: AnsweredRequest): object {
  const { requestId, adapter, operation, method, path, about, status, caller, callerName } = call;
  return {
    at: Math.floor(startedAt),
    requestId,
    adapter,
    operation,
    method,
    path,
    about,
    status,
    ms: Math.max(0, Math.round(seconds * 1000)),
    caller: callerName ?? caller,
    outcome: code === '' ? 'ok' : code,
  };
}
