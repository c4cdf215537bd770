import { randomFillSync } from 'node:crypto';
import { type Attempt, type AttemptFacts, MAX_ATTEMPTS } from '../../core/attempt.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type {
  ClientSpan,
  RequestTarget,
  ServedRequest,
  ServerSpan,
  TraceHeaders,
  Tracer,
} from '../../core/trace.js';
import { type Clock, monotonicScheduler, wallTimes } from '../../lib/clock.js';
import { callFacts, requestFacts, type SpanRecord } from './span-record.js';

/** Collects ended spans. Never throws or blocks. */
export type CollectSpan = (span: SpanRecord) => void;

/**
 * Number of random bytes generated at once, because a system call per identifier would cost more than the
 * rest.
 */
const BATCH_BYTES = 8192;

/** Returns a generator of identifiers with `bytes` random bytes, in hexadecimal digits. */
export function createRandomIds(): (bytes: 8 | 16) => string {
  const batch = Buffer.alloc(BATCH_BYTES);
  let used = BATCH_BYTES;
  return (bytes) => {
    if (used + bytes > BATCH_BYTES) {
      randomFillSync(batch);
      used = 0;
    }
    used += bytes;
    return batch.toString('hex', used - bytes, used);
  };
}

/** Content of `traceparent` (W3C Trace Context, level 1, section 3.2). */
interface TraceParent {
  readonly traceId: string;
  /** Identifier of the sender's span. */
  readonly parentId: string;
  /** True if the sender may have recorded its span. */
  readonly isSampled: boolean;
}

// The version, and the fields common to all versions; neither identifier is zero.
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
/** Length of `traceparent` in version 00. */
const TRACE_PARENT_LENGTH = 55;
const SAMPLED_FLAG = 1;

/**
 * Parses `traceparent`; `undefined` for a value that must be replaced by a new trace. Of future versions, the
 * known part is read (section 4.3).
 */
export function parseTraceParent(value: unknown): TraceParent | undefined {
  if (typeof value !== 'string' || !TRACE_PARENT.test(value)) return undefined;
  if (value.length > TRACE_PARENT_LENGTH && value.startsWith('00')) return undefined;
  const isSampled = (parseInt(value.slice(53, TRACE_PARENT_LENGTH), 16) & SAMPLED_FLAG) === SAMPLED_FLAG;
  return { traceId: value.slice(3, 35), parentId: value.slice(36, 52), isSampled };
}

/** Formats `traceparent` in version 00. */
export function formatTraceParent({ traceId, parentId, isSampled }: TraceParent): string {
  return `00-${traceId}-${parentId}-${isSampled ? '01' : '00'}`;
}

/** Maximum number of members of a `tracestate` (section 3.3.1.1). */
const MAX_TRACE_STATE_MEMBERS = 32;
// Section 3.3.1.3: a simple key or a multi-tenant key; a value of printable characters without "," and "=",
// and without a space at its end.
const TRACE_STATE_MEMBER =
  /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Returns the `tracestate` to forward; `undefined` if it is absent or invalid. */
export function forwardedTracestate(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const written = value.split(',').map((member) => member.trim());
  const members = written.filter((member) => member !== '');
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf('='))));
  const isUnique = keys.size === members.length;
  if (members.length === 0 || members.length > MAX_TRACE_STATE_MEMBERS || !isUnique) return undefined;
  return members.every((member) => TRACE_STATE_MEMBER.test(member)) ? members.join(',') : undefined;
}

/** Destination of ended spans, and the sampled fraction of the traces that start here, from 0 to 1. */
interface Collection {
  readonly collect: CollectSpan;
  readonly sampleRatio: number;
}

export interface OpenTracer extends Tracer {
  /**
   * Starts collecting spans. Without a collection, traces pass through with their sampling flag and spans are
   * not recorded.
   */
  readonly collectWith: (collection: Collection) => void;
}

interface TracerOptions {
  /** Absent: a monotonic clock, because spans are durations. */
  readonly clock?: Clock;
  /** Wall clock of the times that spans report; absent: the one that belongs to the clock. */
  readonly wall?: Clock;
  readonly newId?: (bytes: 8 | 16) => string;
}

/** Creates a tracer without a collection. */
export function createTracer({
  clock = monotonicScheduler,
  wall,
  newId = createRandomIds(),
}: TracerOptions = {}): OpenTracer {
  const shared: TracerState = { clock, newId, wallTimeOf: wallTimes(clock, wall), collection: undefined };
  return {
    receive(headers, requestId) {
      const parent = parseTraceParent(headers['traceparent']);
      if (!parent) return new Call(shared, newTrace(shared), requestId);
      const { traceId, parentId, isSampled } = parent;
      const state = forwardedTracestate(headers['tracestate']);
      return new Call(shared, { traceId, parentId, isSampled, state }, requestId);
    },
    request: (target) => beginRequest(shared, newTrace(shared), target),
    collectWith(collection) {
      shared.collection = collection;
    },
  };
}

interface TracerState {
  readonly clock: Clock;
  readonly newId: (bytes: 8 | 16) => string;
  /** Converts a time of the clock to wall time, which receivers compare with their own. */
  readonly wallTimeOf: (time: number) => number;
  collection: Collection | undefined;
}

/** Position of a span in its trace. */
interface SpanContext {
  readonly traceId: string;
  /** Identifier of the parent span; absent at the root. */
  readonly parentId?: string;
  readonly isSampled: boolean;
  readonly state?: string | undefined;
}

function newTrace({ newId, collection }: TracerState): SpanContext {
  const traceId = newId(16);
  // The identifier is random, so a part of it gives a sampling decision that is the same for all
  // participants.
  const isSampled =
    collection !== undefined && parseInt(traceId.slice(-8), 16) < collection.sampleRatio * 2 ** 32;
  return { traceId, isSampled };
}

/** Server span of a call. A class for performance, because each call creates one. */
class Call implements ServerSpan {
  readonly requestId: string | undefined;
  readonly #shared: TracerState;
  readonly #context: SpanContext;
  readonly #startedAt: number;
  /** Identifier of the span; absent for spans that are not collected. */
  readonly #spanId: string | undefined;
  #attempts: Attempt[] | undefined;

  constructor(shared: TracerState, context: SpanContext, requestId: string | undefined) {
    this.requestId = requestId;
    this.#shared = shared;
    this.#context = context;
    this.#startedAt = shared.clock.now();
    if (context.isSampled && shared.collection) this.#spanId = shared.newId(8);
  }

  get traceId(): string {
    return this.#context.traceId;
  }

  get isRecording(): boolean {
    return this.#spanId !== undefined;
  }

  get attempts(): readonly Attempt[] | undefined {
    return this.#attempts;
  }

  request(target: RequestTarget, facts?: AttemptFacts): ClientSpan {
    const spanId = this.#spanId;
    const context = spanId === undefined ? this.#context : { ...this.#context, parentId: spanId };
    const { headers, end } = beginRequest(this.#shared, context, target);
    const { clock } = this.#shared;
    const startedAt = clock.now();
    return {
      headers,
      end: (outcome, text) => {
        end?.(outcome);
        this.#attempts ??= [];
        if (this.#attempts.length === MAX_ATTEMPTS) return;
        this.#attempts.push({
          method: target.method,
          url: withoutQuery(target.url),
          atMs: startedAt - this.#startedAt,
          ms: clock.now() - startedAt,
          outcome,
          text,
          breaker: facts?.breaker,
          queuedMs: facts?.queuedMs,
          secrets: facts?.secrets,
        });
      },
    };
  }

  headers(): TraceHeaders {
    return headersOf(this.#context, this.#spanId ?? this.#shared.newId(8));
  }

  end(answered: AnsweredRequest, request: ServedRequest): void {
    const spanId = this.#spanId;
    if (spanId === undefined) return;
    const { collection } = this.#shared;
    const { traceId, parentId, state } = this.#context;
    const ended = {
      spanId,
      ...timesUntilNow(this.#shared, this.#startedAt),
      ...callFacts(answered, request),
    };
    collection?.collect({ traceId, parentId, state, kind: 'server', ...ended });
  }
}

function beginRequest(shared: TracerState, context: SpanContext, target: RequestTarget): ClientSpan {
  const { clock, collection, newId } = shared;
  const { traceId, parentId, isSampled, state } = context;
  const spanId = newId(8);
  const headers = headersOf(context, spanId);
  if (!isSampled || !collection) return { headers };
  const startedAt = clock.now();
  return {
    headers,
    end(outcome) {
      const ended = { ...timesUntilNow(shared, startedAt), ...requestFacts(target, outcome) };
      collection.collect({ traceId, spanId, parentId, state, kind: 'client', ...ended });
    },
  };
}

/** Returns the times of a span that ends now. */
function timesUntilNow(
  { clock, wallTimeOf }: TracerState,
  startedAt: number,
): { readonly startedAt: number; readonly endedAt: number } {
  return { startedAt: wallTimeOf(startedAt), endedAt: wallTimeOf(clock.now()) };
}

/** Returns a URL without its query, which may contain credentials. */
function withoutQuery(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function headersOf({ traceId, isSampled, state }: SpanContext, parentId: string): TraceHeaders {
  const traceparent = formatTraceParent({ traceId, parentId, isSampled });
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}
