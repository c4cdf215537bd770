import type { Attempt } from '../../core/attempt.js';
import { auditRecordSchema } from '../../core/audit-schema.js';
import { LOG_LEVELS } from '../../core/log.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { Operation } from '../../core/operation.js';
import type { ConsoleDeps } from './deps.js';
import { count, listOf, names, objectOf, text, textOrNull, timestamp } from './schema-parts.js';

/** Maximum number of audit records of one request: a stream has two. */
const MAX_RECORDS = 20;

const milliseconds = { type: 'integer', minimum: 0, description: 'Milliseconds' } as const;

const requestSchema = {
  ...objectOf({
    at: timestamp,
    ms: milliseconds,
    method: text,
    path: { ...text, description: 'Path of the request, without its query' },
    about: { ...text, description: 'Target that the operation reported; may be empty' },
    operation: text,
    adapter: { ...text, description: 'Name of the adapter; empty for a request without an adapter' },
    status: { ...count, description: 'HTTP status; 499 if the caller left before the response' },
    outcome: { ...text, description: '`ok`, or the code of the problem' },
    detail: { ...textOrNull, description: 'Detail of the problem; null for a successful request' },
    bytes: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Size of the response body; null if unknown',
    },
    caller: { ...text, description: 'Name of the caller for people' },
    subject: text,
    issuer: textOrNull,
    roles: { ...names, description: 'Roles of the caller' },
    clientAddress: textOrNull,
    traceId: textOrNull,
  }),
  type: ['object', 'null'],
  description: 'Null if the request is not among the latest requests of this process',
} as const;

const attemptsSchema = {
  ...listOf({
    atMs: { ...milliseconds, description: 'Start of the attempt, in milliseconds after the request' },
    ms: milliseconds,
    method: text,
    origin: { ...text, description: 'Scheme, host and port' },
    path: { ...text, description: 'Path without its query' },
    reason: {
      enum: ['first', 'next', 'retry', 'login'],
      description:
        'next: the following request of the call; retry: the attempt before it failed; login: after a new login',
    },
    status: { type: ['integer', 'null'], description: 'HTTP status; null without a reply' },
    code: { ...textOrNull, description: 'Code of the failure; null with a reply' },
    text: {
      ...textOrNull,
      description: 'Reason of the failure, or the start of an error reply, without secrets; null if none',
    },
    breaker: {
      enum: ['closed', 'half-open', 'open', null],
      description: 'Circuit breaker of the base URL when the attempt started; null for other servers',
    },
    queuedMs: { ...milliseconds, description: 'Milliseconds that the attempt waited for a free slot' },
  }),
  description: 'Requests to the orchestrator, oldest first; empty if none was sent or none is known any more',
} as const;

/** Returns all that is known about one request: the call, its attempts, its audit records and its log lines. */
export const getRequest: Operation<ConsoleDeps> = {
  id: 'getRequest',
  summary: 'Get one request with its attempts, its audit records and its log lines.',
  description:
    'Returns what this process knows about a request by its request id, and the audit records of the request. A request that is no longer known has a null request and empty lists.',
  method: 'GET',
  path: '/requests/:id',
  roles: ['admin'],
  reply: {
    title: 'Request',
    ...objectOf({
      requestId: text,
      request: requestSchema,
      attempts: attemptsSchema,
      records: { type: 'array', items: auditRecordSchema, description: 'Audit records, newest first' },
      lines: {
        ...listOf({ at: timestamp, level: { enum: LOG_LEVELS }, message: text, fields: { type: 'object' } }),
        description: 'Lines of the log that this process keeps in memory, oldest first',
      },
    }),
  },
  audited: true,
  target: ({ params: { id = '' } }) => id,
  async handle({ params: { id = '' } }, { monitoring, findAudit }) {
    const { request, lines } = monitoring.request(id);
    const { results: records } = await findAudit({ requestId: id, limit: MAX_RECORDS });
    return {
      body: {
        requestId: id,
        request: request ? requestOf(request) : null,
        attempts: attemptsOf(request?.attempts ?? []),
        records,
        lines: lines.map(({ time, level, message, fields }) => ({
          at: Date.parse(time),
          level,
          message,
          fields,
        })),
      },
      outcome: 'ok',
    };
  },
};

function requestOf({ startedAt, seconds, code, ...request }: AnsweredRequest): object {
  const { method, path, about, operation, adapter, status, caller, callerName = caller } = request;
  const { detail = null, replyBytes = null, issuer = null, roles = [] } = request;
  const { clientAddress = null, traceId = null } = request;
  return {
    at: Math.floor(startedAt),
    ms: wholeMs(seconds * 1000),
    method,
    path,
    about,
    operation,
    adapter,
    status,
    outcome: code === '' ? 'ok' : code,
    detail,
    bytes: replyBytes,
    caller: callerName,
    subject: caller,
    issuer,
    roles,
    clientAddress,
    traceId,
  };
}

function attemptsOf(attempts: readonly Attempt[]): readonly object[] {
  return attempts.map((attempt, at) => {
    const { atMs, ms, method, url, outcome, text: words = null, breaker = null, queuedMs = 0 } = attempt;
    const { origin, pathname } = new URL(url);
    return {
      atMs: wholeMs(atMs),
      ms: wholeMs(ms),
      method,
      origin,
      path: pathname,
      reason: reasonOf(attempt, attempts[at - 1]),
      status: typeof outcome === 'number' ? outcome : null,
      code: typeof outcome === 'string' ? outcome : null,
      text: words,
      breaker,
      queuedMs: wholeMs(queuedMs),
    };
  });
}

/** Returns why an attempt was sent. A retry repeats the request of the attempt before it, which failed. */
function reasonOf(
  { method, url }: Attempt,
  before: Attempt | undefined,
): 'first' | 'next' | 'retry' | 'login' {
  if (!before) return 'first';
  if (before.outcome === 401) return 'login';
  const isRepeated = method === before.method && pathOf(url) === pathOf(before.url);
  const hasFailed = typeof before.outcome === 'string' || before.outcome >= 400;
  return isRepeated && hasFailed ? 'retry' : 'next';
}

/** Base URLs may have different paths, so that only the last segment of a repeated request is the same. */
function pathOf(url: string): string {
  return url.slice(url.lastIndexOf('/'));
}

function wholeMs(ms: number): number {
  return Math.max(0, Math.round(ms));
}
