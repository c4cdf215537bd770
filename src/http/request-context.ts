import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../core/lib/clock.js';
import type { Log, LogFields } from '../core/log.js';
import type { MeasureRequest } from '../core/metric.js';
import type { DescribedOperation } from '../core/operation.js';
import type { Principal } from '../core/principal.js';
import type { Redact } from '../core/redactor.js';
import type { ServerSpan, Tracer } from '../core/trace.js';

/** A Node request with its response. */
export interface HttpExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Limits for slow clients. */
export interface StallLimits {
  /**
   * Maximum time to discard the rest of an unread body, in milliseconds, so that the response is not lost.
   */
  readonly lingerMs: number;
  /** Maximum number of discarded bytes of such a body. */
  readonly lingerBytes: number;
  /** Time without progress after which an unread response is abandoned, in milliseconds. */
  readonly stallMs: number;
}

export const DEFAULT_STALL_LIMITS: StallLimits = {
  lingerMs: 5_000,
  lingerBytes: 64 * 1024 * 1024,
  stallMs: 15_000,
};

/**
 * Dependencies of every response: the log, the clock, and identifiers for requests without `X-Request-Id`.
 */
export interface RequestContextDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Starts a span for each request; absent: requests are not traced. */
  readonly tracer?: Pick<Tracer, 'receive'>;
  /** Counts served requests. */
  readonly measure?: MeasureRequest;
  /** Removes secrets from error texts. */
  readonly redact?: Redact;
  /** Overrides {@link DEFAULT_STALL_LIMITS} in tests. */
  readonly patience?: StallLimits;
}

/** State of one HTTP request while it is being served. */
export interface RequestContext extends HttpExchange {
  readonly requestId: string;
  readonly span: ServerSpan | undefined;
  /** Path of the request without its query. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** `<application>.<id>`; absent when no operation matches. */
  readonly operation?: string | undefined;
  /** Name of the operation's application, if operators can address it by name. */
  readonly application?: string | undefined;
  /** Media type of the operation's responses, if it is not JSON. */
  readonly replyType?: string | undefined;
  /** The adapterId from the request, if the operation uses an adapter. */
  adapter?: string;
  /** Subject of the request, as the operation names it. */
  about?: string;
  /** Set after the token is verified. */
  principal?: Principal;
  /** Headers that are added to any response. */
  headers?: Readonly<Record<string, string>>;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const SHOWN_PATH = 8192;

/**
 * Creates the context of a request. A harmless `X-Request-Id` of the caller is kept; otherwise a new id is
 * generated.
 */
export function createRequestContext(
  { clock, newId, tracer }: RequestContextDeps,
  { req, res }: HttpExchange,
  operation?: Pick<DescribedOperation, 'name' | 'component' | 'row'>,
): RequestContext {
  const offered = req.headers['x-request-id'];
  const { url = '' } = req;
  const end = url.indexOf('?');
  return {
    req,
    res,
    requestId: typeof offered === 'string' && REQUEST_ID.test(offered) ? offered : newId(),
    span: tracer?.receive(req.headers),
    path: url.slice(0, end < 0 ? SHOWN_PATH : Math.min(end, SHOWN_PATH)),
    startedAt: clock.now(),
    operation: operation?.name,
    replyType: operation?.row.replyType,
    application: operation?.component,
  };
}

/** Returns the log fields that identify a request. */
export function requestLogFields(context: RequestContext): LogFields {
  return addLogFields({}, context);
}

/**
 * Adds the log fields that identify a request to `fields`. Assigns them one by one, because object spreads
 * cost more and every request passes here.
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
