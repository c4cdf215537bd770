import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../core/lib/clock.js';
import type { Log, LogFields } from '../core/log.js';
import type { MeasureRequest } from '../core/metric.js';
import type { DescribedOperation } from '../core/operation.js';
import type { Principal } from '../core/principal.js';
import type { Redact } from '../core/redactor.js';
import type { ServerSpan, Tracer } from '../core/trace.js';

/** One request and the way to answer it, as Node hands them out. */
export interface HttpExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** How long slow peers are put up with. */
export interface StallLimits {
  /** Time to swallow the rest of a body that nobody wants, in milliseconds, so that the answer is not lost. */
  readonly lingerMs: number;
  /** Most bytes of such a body. */
  readonly lingerBytes: number;
  /** Time without progress after which a reply that is not read is given up, in milliseconds. */
  readonly stallMs: number;
}

export const DEFAULT_STALL_LIMITS: StallLimits = {
  lingerMs: 5_000,
  lingerBytes: 64 * 1024 * 1024,
  stallMs: 15_000,
};

/** What every answer needs: where to say it, when it was, and names for requests that bring none. */
export interface RequestContextDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Gives each request its place in a trace; absent: none has one. */
  readonly tracer?: Pick<Tracer, 'receive'>;
  /** Counts what was answered. */
  readonly measure?: MeasureRequest;
  /** Takes secrets out of what failures tell. */
  readonly redact?: Redact;
  /** Other than {@link DEFAULT_STALL_LIMITS}, for tests. */
  readonly patience?: StallLimits;
}

/** A request on its way through the house, and what is known of it so far. */
export interface RequestContext extends HttpExchange {
  readonly requestId: string;
  readonly span: ServerSpan | undefined;
  /** Path of the request without its query. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** `<application>.<id>`; absent when no operation was found. */
  readonly operation?: string | undefined;
  /** Name of the operation's application, where operators know it by one. */
  readonly application?: string | undefined;
  /** Media type of the operation's answers, where it is not JSON. */
  readonly replyType?: string | undefined;
  /** The adapterId that the caller wrote, where the operation goes through an adapter. */
  adapter?: string;
  /** What the operation says that the request is about. */
  about?: string;
  /** Known once the token was verified. */
  principal?: Principal;
  /** Of the answer, whatever it is. */
  headers?: Readonly<Record<string, string>>;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const SHOWN_PATH = 8192;

/** Begins a visit. The caller's `X-Request-Id` is kept when it is harmless, else the request gets a new one. */
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

/** What every line of the log about a visit tells. */
export function requestLogFields(context: RequestContext): LogFields {
  return addLogFields({}, context);
}

/** The fields, and what every line tells: set one by one, for each request comes this way and spreads cost more. */
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
