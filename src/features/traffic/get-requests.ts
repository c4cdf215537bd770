import type { Attempt } from '../../core/attempt.js';
import { LOG_LEVELS, type LogLine } from '../../core/log.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { Operation } from '../../core/operation.js';
import { numberParameterOf } from '../../http/query-parameters.js';
import type { ConsoleDeps } from '../console/deps.js';
import type { NodeTrail } from '../console/monitoring.js';
import { auditRecordSchema } from '../lib/audit-schema.js';
import {
  count,
  countOrNull,
  listOf,
  names,
  objectOf,
  text,
  textOrNull,
  timestamp,
} from '../lib/reply-schemas.js';
import { findRecords, linesOf } from './records-of-request.js';

const milliseconds = { type: 'integer', minimum: 0, description: 'Milliseconds' } as const;

/** Maximum number of other requests with the same id. */
const MAX_OTHERS = 20;

const requestMembers = {
  node: { ...text, description: 'Host and port of the node that served the request' },
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
} as const;

const requestSchema = {
  ...objectOf(requestMembers),
  type: ['object', 'null'],
  description: 'Null if the request is not among the latest requests of any node',
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
    secrets: {
      ...listOf({
        path: { ...text, description: 'Path below the mount, as a reference contains it' },
        version: { ...countOrNull, description: 'Null if the engine keeps no versions' },
      }),
      description:
        'Secrets of the authentication of the adapter, with the version that the value in use was read from; never a value',
    },
  }),
  description: 'Requests to the orchestrator, oldest first; empty if none was sent or none is known any more',
} as const;

/** Returns all that is known about one request: the call, its attempts, its audit records and its log lines. */
export const getRequest: Operation<ConsoleDeps> = {
  id: 'getRequest',
  summary: 'Get one request with its attempts, its audit records and its log lines.',
  description:
    'Returns what this node and the other nodes on the same database know about a request by its request id, and the audit records of the request. ' +
    'Other nodes have 1.5 seconds to answer; `silentNodes` counts those that did not. A request that is no longer known has a null request and empty lists.',
  method: 'GET',
  path: '/requests/:id',
  roles: ['admin'],
  query: {
    type: 'object',
    properties: {
      at: {
        type: 'string',
        pattern: '^[0-9]{0,15}$',
        description:
          'Start of the request, in milliseconds since 1970; absent or empty: the newest request with the id',
      },
    },
  },
  reply: {
    title: 'Request',
    ...objectOf({
      requestId: text,
      isShared: {
        type: 'boolean',
        description:
          'True if several requests have this id, which clients choose. The attempts, records and lines are those of one request',
      },
      others: {
        ...listOf(requestMembers),
        description: 'Other requests with this id, newest first; select one with `at`',
      },
      request: requestSchema,
      silentNodes: {
        ...count,
        description:
          'Number of other nodes that did not answer in time; requests that they served are missing',
      },
      attempts: attemptsSchema,
      records: { type: 'array', items: auditRecordSchema, description: 'Audit records, newest first' },
      lines: {
        ...listOf({ at: timestamp, level: { enum: LOG_LEVELS }, message: text, fields: { type: 'object' } }),
        description:
          'Lines of the log that the node of the request keeps in memory, oldest first; without a request, those of all nodes',
      },
    }),
  },
  audited: true,
  target: ({ params: { id = '' } }) => id,
  async handle({ params: { id = '' }, query }, { monitoring, findAudit }) {
    const { nodes, silent } = await monitoring.request(id);
    const served = servedRequests(nodes);
    const at = numberParameterOf(query, { name: 'at', preset: -1, min: 0, max: 999_999_999_999_999 });
    const found = served.find(({ request }) => Math.floor(request.startedAt) === at) ?? served[0];
    const records = await findRecords({ id, request: found?.request }, findAudit);
    const lines = found ? linesOf(found.request, found.trail.lines) : allLines(nodes);
    return {
      body: {
        requestId: id,
        isShared: served.length > 1 || records.isShared,
        others: served
          .filter((other) => other !== found)
          .slice(0, MAX_OTHERS)
          .map(requestOf),
        request: found ? requestOf(found) : null,
        silentNodes: silent,
        attempts: attemptsOf(found?.request.attempts ?? []),
        records: records.records,
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

/** A request, and the node that served it. */
interface ServedRequest {
  readonly request: AnsweredRequest;
  readonly trail: NodeTrail;
}

/** Returns the requests of all nodes, newest first. */
function servedRequests(nodes: readonly NodeTrail[]): readonly ServedRequest[] {
  const all = nodes.flatMap((trail) => trail.requests.map((request) => ({ request, trail })));
  return all.sort((one, other) => other.request.startedAt - one.request.startedAt);
}

/** Returns the lines of all nodes, oldest first. */
function allLines(nodes: readonly NodeTrail[]): readonly LogLine[] {
  const lines = nodes.flatMap((trail) => trail.lines);
  return lines.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

function requestOf({ request: served, trail }: ServedRequest): object {
  const { startedAt, seconds, code, ...request } = served;
  const { method, path, about, operation, adapter, status, caller, callerName = caller } = request;
  const { detail = null, replyBytes = null, issuer = null, roles = [] } = request;
  const { clientAddress = null, traceId = null } = request;
  return {
    node: trail.node,
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
    const {
      atMs,
      ms,
      method,
      url,
      outcome,
      text: words = null,
      breaker = null,
      queuedMs = 0,
      secrets = [],
    } = attempt;
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
      secrets,
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
