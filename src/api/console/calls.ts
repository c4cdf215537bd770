import type { AnsweredRequest } from '../../core/metric.js';
import type { Operation } from '../../core/operation.js';
import type { ConsoleDeps } from './deps.js';
import { numberParameter, readNumber } from './read-number.js';
import { adapterParameter, count, listOf, moment, objectOf, text } from './schema-parts.js';

const LIMIT = { name: 'limit', preset: 100, least: 1, most: 1_000 } as const;

/**
 * Lists the latest calls through adapters. The server keeps 100 calls of each adapter, without their bodies.
 */
export const getCalls: Operation<ConsoleDeps> = {
  id: 'getCalls',
  summary: 'List the latest calls through adapters, without their bodies.',
  method: 'GET',
  path: '/calls',
  roles: ['admin'],
  query: { type: 'object', properties: { adapter: adapterParameter, limit: numberParameter(LIMIT) } },
  reply: {
    title: 'Latest calls',
    ...objectOf({
      calls: {
        ...listOf({
          at: moment,
          requestId: text,
          adapter: text,
          operation: text,
          method: text,
          path: { ...text, description: 'Of the request, without its query' },
          about: {
            ...text,
            description: 'What was asked of the orchestrator; empty where the path tells it',
          },
          status: { ...count, description: '499: the caller left' },
          ms: { type: 'integer', minimum: 0 },
          caller: { ...text, description: 'Subject of the token' },
          outcome: { ...text, description: '`ok`, or the code of the problem' },
        }),
        description: 'Newest first',
      },
    }),
  },
  handle({ query }, { monitoring }) {
    const calls = monitoring.calls(readNumber(query, LIMIT), query.get('adapter') ?? undefined);
    return { body: { calls: calls.map(shown) } };
  },
};

function shown({ startedAt, seconds, code, ...call }: AnsweredRequest): object {
  const { requestId, adapter, operation, method, path, about, status, caller } = call;
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
    caller,
    outcome: code === '' ? 'ok' : code,
  };
}
