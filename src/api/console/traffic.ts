import type { AnsweredRequest } from '../../core/metric.js';
import type { Operation } from '../../core/operation.js';
import { CELL_SECONDS } from '../../core/monitoring.js';
import { ACT_ACTIONS } from '../../core/record-history.js';
import { numberParameterOf, parameterOf } from '../../core/query-parameters.js';
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
  timestampOrNull,
} from './schema-parts.js';

const HOURS = { name: 'hours', preset: 24, min: 1, max: 24 } as const;

const timelineSchema = listOf({
  at: timestamp,
  adapter: { ...textOrNull, description: 'Name of the adapter; null for the server' },
  kind: {
    enum: [
      ...['started', 'restarted', 'stopped', 'broken', 'configured', 'removed'],
      ...['offline', 'online', 'breaker-open', 'breaker-closed'],
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
        description:
          'State changes of the adapters and the server, and acts of operators, in this time, oldest first',
      },
    }),
  },
  async handle({ query }, { monitoring }) {
    const { from, to, adapters, marks } = await monitoring.traffic(numberParameterOf(query, HOURS));
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
    properties: { adapter: adapterParameter, limit: numberParameterSchema(CALLS_LIMIT) },
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
    const calls = monitoring.calls(numberParameterOf(query, CALLS_LIMIT), parameterOf(query, 'adapter'));
    return { body: { calls: calls.map(callEntry) } };
  },
};

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
