import type { OutboundRequest, UpstreamReply } from '../core/adapter.js';
import { isWritten, type Log, type LogFields } from '../core/log.js';
import { Problem } from '../core/problem.js';
import type { Redact } from '../core/secret.js';
import type { StreamReply, StreamRequest } from '../core/stream.js';
import type { Clock } from '../lib/clock.js';
import type { Layer, UpstreamCall } from './send.js';
import { scrubBody, scrubPath } from './stub/scrub.js';

/** Maximum number of characters of a body in a log line. */
const MAX_BODY_LENGTH = 4_096;
/** Larger bodies are not searched for secrets, and therefore not written. */
const MAX_SEARCHED_BYTES = 32_768;

/** Writes the calls of one adapter to its log. */
interface CallLog {
  /**
   * Writes each call as a line: `debug` has method, path, status, duration and attempts; `trace` adds the names
   * and sizes of headers; `spam` adds the bodies without secrets. Levels that are not written cost one comparison.
   */
  readonly layer: Layer;
  /** Writes a stream that a caller opened through the adapter. */
  readonly stream: (request: StreamRequest, reply: Promise<StreamReply>) => Promise<StreamReply>;
  /** Counts that a call is sent again, and writes why. */
  readonly retry: (call: UpstreamCall, why: RetryReason) => void;
  /** Writes that a call has waited for a slot. */
  readonly waited: (call: UpstreamCall, ms: number) => void;
}

interface CallLogDeps {
  readonly clock: Clock;
  /** Removes the secrets of the adapter. */
  readonly redact: Redact;
  /** Called for each retry. */
  readonly onRetry: () => void;
}

/** Why a call is sent again. */
export interface RetryReason {
  /** Number of the next attempt, from 2. */
  readonly attempt: number;
  readonly delayMs: number;
  /** Status of the reply, or code of the problem. */
  readonly after: number | string;
}

/** Creates the log of the calls of one adapter. */
export function createCallLog(log: Log, { clock, redact, onRetry }: CallLogDeps): CallLog {
  const fieldsOf = ({ method, path }: Pick<OutboundRequest, 'method' | 'path'>): LogFields => ({
    method,
    path: scrubPath(path.split('?', 1)[0] ?? '', redact),
  });
  const callFields = ({ request, span }: UpstreamCall): LogFields => ({
    ...fieldsOf(request),
    ...(span?.requestId !== undefined && { requestId: span.requestId }),
  });
  const msSince = (startedAt: number): number => Math.round(clock.now() - startedAt);
  const writeCall = createCallWriter(log, redact);
  const logged: Layer = (call, next) => {
    const startedAt = clock.now();
    const { request } = call;
    const fields = callFields(call);
    const write = (outcome: LogFields, reply?: UpstreamReply): void => {
      log.debug('call', { ...fields, ...outcome, ms: msSince(startedAt), attempts: call.tried.length });
      writeCall(fields, request, reply);
    };
    return reported(next(call), (reply) => ({ status: reply.status }), write);
  };
  return {
    layer: (call, next) => (isWritten(log, 'debug') ? logged(call, next) : next(call)),
    async stream(request, opening) {
      if (!isWritten(log, 'debug')) return opening;
      const startedAt = clock.now();
      const { requestId } = request;
      const write = (outcome: LogFields): void => {
        log.debug('stream', { ...fieldsOf(request), requestId, ...outcome, ms: msSince(startedAt) });
      };
      return reported(opening, ({ status }) => ({ status }), write);
    },
    retry(call, { attempt, delayMs, after }) {
      onRetry();
      if (!isWritten(log, 'debug')) return;
      log.debug('call is retried', { ...callFields(call), attempt, delayMs: Math.round(delayMs), after });
    },
    waited(call, ms) {
      if (!isWritten(log, 'debug')) return;
      log.debug('call waited for a slot', { ...callFields(call), ms: Math.round(ms) });
    },
  };
}

/** Waits for the result of a call and writes it. Throws the error of the call. */
async function reported<T>(
  work: Promise<T>,
  outcomeOf: (reply: T) => LogFields,
  write: (outcome: LogFields, reply?: T) => void,
): Promise<T> {
  try {
    const reply = await work;
    write(outcomeOf(reply), reply);
    return reply;
  } catch (error) {
    write({ code: codeOf(error) });
    throw error;
  }
}

/** Creates the function that writes headers at `trace` and bodies at `spam`. */
function createCallWriter(log: Log, redact: Redact) {
  return (fields: LogFields, request: OutboundRequest, reply: UpstreamReply | undefined): void => {
    if (isWritten(log, 'trace'))
      log.trace('call headers', {
        ...fields,
        requestHeaders: sizesOf(request.headers),
        ...(reply && { replyHeaders: sizesOf(reply.headers), replyBytes: reply.body.length }),
      });
    if (isWritten(log, 'spam'))
      log.spam('call bodies', {
        ...fields,
        request: bodyText(request.body, redact),
        ...(reply && { reply: bodyText(reply.body, redact) }),
      });
  };
}

/** Returns a body without secrets, cut after they were removed: half a secret is no longer found. */
function bodyText(body: Buffer | undefined, redact: Redact): string {
  if (!body || body.length === 0) return '';
  if (body.length > MAX_SEARCHED_BYTES) return `[not written: ${body.length} bytes]`;
  const text = body.toString('utf8');
  if (!Buffer.from(text).equals(body)) return `[not text: ${body.length} bytes]`;
  const scrubbed = scrubBody(text, redact);
  return scrubbed.length > MAX_BODY_LENGTH ? `${scrubbed.slice(0, MAX_BODY_LENGTH)} [cut]` : scrubbed;
}

/** Returns the size of each header in characters; values may be secrets. */
function sizesOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value ?? '').length}`)
    .join(', ');
}

function codeOf(error: unknown): string {
  return error instanceof Problem ? error.code : 'internal';
}
