import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log, LogFields } from '../core/log.js';
import type { RequestHead } from '../core/login.js';
import type { MeasureRequest } from '../core/metric.js';
import type { DescribedOperation, OperationRow, Reply } from '../core/operation.js';
import type { Principal } from '../core/principal.js';
import type { Redact } from '../core/secret.js';
import type { ServerSpan, Tracer } from '../core/trace.js';
import type { Clock } from '../lib/clock.js';
import { callerOrigin, type CallerOrigin } from './caller-origin.js';
import type { SentResponse } from './response.js';

/** A Node request with its response. */
export interface HttpExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Limits for slow clients. */
export interface StallLimits {
  /** Maximum time to discard the rest of an unread body, in milliseconds. See `drainRequest`. */
  readonly lingerMs: number;
  /** Maximum number of bytes to discard of an unread body. */
  readonly lingerBytes: number;
  /** Maximum time in which the client reads nothing of its response, in milliseconds. */
  readonly stallMs: number;
}

export const DEFAULT_STALL_LIMITS: StallLimits = {
  lingerMs: 5_000,
  lingerBytes: 64 * 1024 * 1024,
  stallMs: 15_000,
};

/** Dependencies of every response. */
export interface RequestContextDeps {
  readonly log: Log;
  readonly clock: Clock;
  /** Generates the id of a request without `X-Request-Id`. */
  readonly newId: () => string;
  /** Starts a span for each request; absent: requests are not traced. */
  readonly tracer?: Tracer;
  /** Counts served requests. */
  readonly measure?: MeasureRequest;
  /** Removes secrets from error texts. */
  readonly redact?: Redact;
  /** Overrides {@link DEFAULT_STALL_LIMITS} in tests. */
  readonly stallLimits?: StallLimits;
}

/** What a call holds until its response has ended. */
export interface HeldByCall {
  /** Frees what the reply holds. */
  onEnd?: (() => void) | undefined;
  /** Ends the call for limits of concurrent calls. */
  endCall?: (() => void) | undefined;
}

/** State of one HTTP request while the server handles it. */
export interface RequestContext extends HttpExchange {
  readonly requestId: string;
  /** Address and scheme of the client. */
  readonly origin: CallerOrigin;
  readonly span: ServerSpan | undefined;
  /** Path of the request without its query. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Name of the operation, `<application>.<id>`; absent if no operation matches. */
  readonly operation?: string | undefined;
  /** Name of the operation's application, if operators can address the application by name. */
  readonly application?: string | undefined;
  /** Pattern of the operation's path; absent if no operation matches. */
  readonly route?: string | undefined;
  /** True for an operation that monitors poll. */
  readonly isPolled: boolean;
  /** Media type of the operation's responses; absent for JSON. */
  readonly replyType?: string | undefined;
  /** `messageErrors` of the operation. */
  readonly messageErrors?: OperationRow['messageErrors'] | undefined;
  /** The adapterId from the request, if the operation uses an adapter. */
  adapter?: string | undefined;
  /** Parts of the request that identify the caller; set by the authorization. */
  head?: RequestHead | undefined;
  /** Object of the request for the audit record, as the operation names the object. */
  auditTarget?: string | undefined;
  /** Room that is reserved for each audit record of the call, in bytes; absent: none. */
  auditRoom?: number | undefined;
  /** Caller of a sign-in, whom the operation has identified; without a subject, the name of a failed sign-in. */
  identified?: Reply['caller'];
  /** Outcome and reason of a call that the orchestrator refused, for the access line. */
  refusal?: { readonly outcome: string; readonly reason: string } | undefined;
  /** Set after the token is verified. */
  principal?: Principal | undefined;
  /** Headers of the response, in addition to those of its status and media type. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** What the call holds until its response has ended. */
  held?: HeldByCall | undefined;
  /** The response that is being written; undefined: none yet. */
  response?: SentResponse | undefined;
  /** Ends the response before Node reports its end; undefined if it has not begun, or has ended. */
  endResponse?: (() => void) | undefined;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Maximum length of a path in logs and records, in characters. */
const MAX_PATH_LENGTH = 8192;

/**
 * Creates the context of a request. The request id is the client's `X-Request-Id` if that header is valid,
 * and a new id otherwise.
 */
export function createRequestContext(
  { clock, newId, tracer }: RequestContextDeps,
  { req, res }: HttpExchange,
  operation?: DescribedOperation,
): RequestContext {
  const sentId = req.headers['x-request-id'];
  const { url = '' } = req;
  const end = url.indexOf('?');
  const requestId = typeof sentId === 'string' && REQUEST_ID.test(sentId) ? sentId : newId();
  return {
    req,
    res,
    requestId,
    origin: callerOrigin(req),
    span: tracer?.receive(req.headers, requestId),
    path: url.slice(0, end < 0 ? MAX_PATH_LENGTH : Math.min(end, MAX_PATH_LENGTH)),
    startedAt: clock.now(),
    operation: operation?.name,
    route: operation?.paths[0],
    isPolled: operation?.row.polled === true,
    replyType: operation?.row.replyType,
    messageErrors: operation?.row.messageErrors,
    application: operation?.component,
    // All members from the start, because V8 makes another class of object for each member that is added.
    adapter: undefined,
    head: undefined,
    auditTarget: undefined,
    identified: undefined,
    refusal: undefined,
    principal: undefined,
    headers: undefined,
    held: undefined,
    response: undefined,
    endResponse: undefined,
  };
}

/** The identity of a caller, as its token or its sign-in gives it. */
type Identity = Pick<Principal, 'subject' | 'name'> & { readonly issuer?: string };

const UNKNOWN: Identity = { subject: '' };

/** Returns the identity of a caller with a valid token, or of one who signs in; an empty subject for any other. */
export function identityOf({ principal, identified }: RequestContext): Identity {
  return principal ?? identified ?? UNKNOWN;
}

/** Returns the log fields that identify a request. */
export function requestLogFields(context: RequestContext): LogFields {
  return addLogFields({}, context);
}

/**
 * Adds the log fields that identify a request to `fields`. Assigns the fields one by one, because object
 * spreads cost more and every request calls this function.
 */
export function addLogFields(
  fields: Record<string, unknown>,
  { requestId, span, operation, application }: RequestContext,
): Record<string, unknown> {
  fields['requestId'] = requestId;
  if (span) fields['traceId'] = span.traceId;
  if (operation !== undefined) fields['operation'] = operation;
  if (application !== undefined) fields['application'] = application;
  return fields;
}
