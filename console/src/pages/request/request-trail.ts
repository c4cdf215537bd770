import type { SecretVersion } from '../../../../src/core/attempt.js';
import type { AuditEntry } from '../../../../src/features/audit/audit-trail.js';
import type { LogLine } from '../../api/observe.js';
import type { CurlRequest } from '../../api/request.js';
import { formatDuration } from '../../kit/numbers.js';
import { textOf } from '../../text/text.js';

/** The call that a request id names. */
export interface TrailRequest {
  /** Host and port of the node that served the request. */
  readonly node: string;
  readonly at: number;
  readonly ms: number;
  readonly method: string;
  readonly path: string;
  readonly about: string;
  readonly operation: string;
  readonly adapter: string;
  readonly status: number;
  /** `ok`, or the code of the problem. */
  readonly outcome: string;
  readonly detail: string | null;
  readonly bytes: number | null;
  readonly caller: string;
  readonly subject: string;
  readonly issuer: string | null;
  readonly roles: readonly string[];
  readonly clientAddress: string | null;
  readonly traceId: string | null;
}

/** One request to the orchestrator. */
export interface TrailAttempt {
  readonly atMs: number;
  readonly ms: number;
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly reason: 'first' | 'next' | 'retry' | 'login';
  readonly status: number | null;
  readonly code: string | null;
  readonly text: string | null;
  readonly breaker: 'closed' | 'half-open' | 'open' | null;
  readonly queuedMs: number;
  readonly secrets: readonly SecretVersion[];
}

/** Reply of `GET /console/requests/:id`. */
export interface TrailReply {
  readonly requestId: string;
  /** True if several requests have this id. */
  readonly isShared: boolean;
  /** Other requests with this id that the server knows, newest first. */
  readonly others: readonly TrailRequest[];
  /** Null if no node knows the request any more. */
  readonly request: TrailRequest | null;
  /** Number of other nodes that did not answer. */
  readonly silentNodes: number;
  readonly attempts: readonly TrailAttempt[];
  readonly records: readonly AuditEntry[];
  readonly lines: readonly Omit<LogLine, 'id'>[];
}

const text = textOf('request');

/** Returns the tone of a status: 5xx and no reply are bad, 4xx is a warning. */
export function toneOf(status: number | null): 'good' | 'warning' | 'bad' {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'warning' : 'good';
}

const REST_PATH = /^\/(?:orchestrator_manager|nso_manager)\/(restQuery|restAction)\/[^/]+$/;

/**
 * Returns the request as a command that repeats it. The server keeps neither queries nor bodies: a query to an
 * orchestrator is complete, and the body of any other request must be filled in.
 */
export function repeatRequest({ method, path, about }: TrailRequest): {
  readonly wanted: CurlRequest;
  readonly isComplete: boolean;
} {
  const [, operation] = REST_PATH.exec(path) ?? [];
  const end = about.indexOf(' ');
  if (operation === undefined || end < 0)
    return { wanted: { method, path }, isComplete: method === 'GET' || method === 'HEAD' };
  const params = { path: about.slice(end + 1), accept: 'application/json' };
  if (operation === 'restQuery') return { wanted: { method, path, body: { params } }, isComplete: true };
  const verb = about.slice(0, end);
  const wanted = { method, path, body: { params: { ...params, method: verb }, body: {} } };
  return { wanted, isComplete: verb === 'GET' || verb === 'DELETE' };
}

/** Returns the trail as a few lines of text, for a chat or a ticket. `link` is the address of the drawer. */
export function textForChat({ requestId, request, attempts, records }: TrailReply, link: string): string {
  const head = request
    ? [
        text('chatCall', {
          call: request.about === '' ? `${request.method} ${request.path}` : request.about,
          adapter: request.adapter === '' ? 'gatehouse' : request.adapter,
          result: resultOf(request),
          duration: formatDuration(request.ms),
        }),
        text('chatCaller', {
          at: new Date(request.at).toISOString(),
          caller: request.caller,
          address: request.clientAddress ?? text('unknown'),
        }),
        ...(request.detail === null ? [] : [request.detail]),
      ]
    : [];
  return [
    text('chatId', { id: requestId }),
    ...head,
    ...attempts.map(({ origin, path, status, code, ms, text: words }, at) =>
      text('chatAttempt', {
        number: at + 1,
        url: origin + path,
        result: String(status ?? code),
        duration: formatDuration(ms),
        words: words === null ? 'none' : words.replaceAll(/\s+/g, ' ').slice(0, 200),
      }),
    ),
    ...records.flatMap(({ seq }) => (seq === undefined ? [] : [text('chatRecord', { seq })])),
    link,
  ].join('\n');
}

/** Returns the status with the code of the problem: `502 upstream_failed`. */
export function resultOf({ status, outcome }: Pick<TrailRequest, 'status' | 'outcome'>): string {
  return outcome === 'ok' ? String(status) : `${status} ${outcome}`;
}
