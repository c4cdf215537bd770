import type { AnsweredRequest } from '../../core/metric.js';
import type { Operation } from '../../core/operation.js';
import { type CallQuery, CELL_SECONDS } from '../../core/monitoring.js';
import { numberParameterOf, parameterError, parameterOf, queryProblem } from '../../core/query-parameters.js';
import type { ConsoleDeps } from './deps.js';
import {
  adapterParameter,
  count,
  listOf,
  numberParameterSchema,
  objectOf,
  responseTimes,
  text,
  textOrNull,
  timestamp,
} from './schema-parts.js';

const HOURS = { name: 'hours', preset: 24, min: 1, max: 24 } as const;

const timelineSchema = listOf({
  at: timestamp,
  adapter: { ...textOrNull, description: 'Name of the adapter; null for the server' },
  kind: {
    enum: [
      ...['started', 'restarted', 'stopped', 'broken', 'configured', 'removed'],
      ...['offline', 'online', 'breaker-open', 'breaker-closed'],
    ],
  },
  text,
});

/**
 * Returns the traffic of the last hours in intervals of five minutes. Earlier traffic than the start of this
 * process is not known.
 */
export const getTraffic: Operation<ConsoleDeps> = {
  id: 'getTraffic',
  summary: 'Get the number of calls through the adapters in intervals of five minutes.',
  description:
    'Returns the numbers and the response times of the calls of the last hours, and the state changes of the adapters.',
  method: 'GET',
  path: '/traffic',
  roles: ['admin'],
  query: { type: 'object', properties: { adapter: adapterParameter, hours: numberParameterSchema(HOURS) } },
  reply: {
    title: 'Traffic',
    ...objectOf({
      cellSeconds: { const: CELL_SECONDS },
      from: timestamp,
      to: timestamp,
      adapters: listOf({
        name: text,
        cells: {
          ...listOf({ at: timestamp, calls: count, errors: count, ...responseTimes }),
          description: 'Oldest interval first; intervals without calls are omitted',
        },
      }),
      marks: {
        ...timelineSchema,
        description: 'State changes of the adapters and the server in this time, oldest first',
      },
    }),
  },
  handle({ query }, { monitoring }) {
    const { from, to, adapters, marks } = monitoring.traffic(numberParameterOf(query, HOURS));
    const selected = parameterOf(query, 'adapter');
    const isSelected = (name: string | null): boolean =>
      selected === undefined || name === null || name === selected;
    return {
      body: {
        cellSeconds: CELL_SECONDS,
        from,
        to,
        adapters: [...adapters]
          .filter(([name]) => isSelected(name))
          .map(([name, cells]) => ({ name, cells })),
        marks: marks.filter(({ adapter }) => isSelected(adapter)),
      },
    };
  },
};

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
  roles: ['admin'],
  query: {
    type: 'object',
    properties: {
      adapter: adapterParameter,
      from: { type: 'integer', minimum: 0, description: 'Earliest start, in milliseconds since 1970' },
      to: { type: 'integer', minimum: 0, description: 'Latest start, exclusive' },
      status: {
        type: 'string',
        pattern: STATUS_PATTERN,
        description: 'HTTP status such as 503, or a class such as 5xx',
      },
      caller: { type: 'string', description: 'Subject of the caller, or its name for people' },
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
  handle({ query }, { monitoring }) {
    const calls = monitoring.calls(callQueryOf(query));
    return { body: { calls: calls.map(callEntry) } };
  },
};

function callQueryOf(query: URLSearchParams): CallQuery {
  return {
    most: numberParameterOf(query, CALLS_LIMIT),
    adapter: parameterOf(query, 'adapter'),
    from: timeOf(query, 'from'),
    to: timeOf(query, 'to'),
    status: statusOf(query),
    caller: parameterOf(query, 'caller'),
  };
}

function timeOf(query: URLSearchParams, name: string): number | undefined {
  if (parameterOf(query, name) === undefined) return undefined;
  return numberParameterOf(query, { name, preset: 0, min: 0, max: Number.MAX_SAFE_INTEGER });
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
