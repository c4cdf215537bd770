import { type Clock, monotonicScheduler } from '../../core/lib/clock.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { ClientSpan, RequestTarget, ServerSpan, TraceHeaders, Tracer } from '../../core/trace.js';
import { createRandomIds } from './random-ids.js';
import { callFacts, requestFacts } from './span-facts.js';
import type { CollectSpan } from './span-record.js';
import { formatTraceParent, parseTraceParent, forwardedTracestate } from './trace-context.js';

/** Where ended spans go, and which part of the traces that begin here is sampled, from 0 to 1. */
export interface Collection {
  readonly collect: CollectSpan;
  readonly sampleRatio: number;
}

/** A tracer, and the handle on it that its owner keeps. */
export interface OpenTracer extends Tracer {
  /** Has spans collected from now on. Without it a trace goes through, as sampled as it came, and leaves nothing here. */
  readonly collectWith: (collection: Collection) => void;
}

export interface TracerOptions {
  /** Absent: a clock that nobody can set, because spans are durations. */
  readonly clock?: Clock;
  readonly newId?: (bytes: 8 | 16) => string;
}

/** Makes a tracer that collects nothing yet. */
export function createTracer({
  clock = monotonicScheduler,
  newId = createRandomIds(),
}: TracerOptions = {}): OpenTracer {
  const shared: TracerState = { clock, newId, collection: undefined };
  return {
    receive(headers) {
      const parent = parseTraceParent(headers['traceparent']);
      if (!parent) return new Call(shared, newTrace(shared));
      const { traceId, parentId, isSampled } = parent;
      const state = forwardedTracestate(headers['tracestate']);
      return new Call(shared, { traceId, parentId, isSampled, state });
    },
    request: (target) => beginRequest(shared, newTrace(shared), target),
    collectWith(collection) {
      shared.collection = collection;
    },
  };
}

/** What all spans share. */
interface TracerState {
  readonly clock: Clock;
  readonly newId: (bytes: 8 | 16) => string;
  collection: Collection | undefined;
}

/** Where a span stands in its trace. */
interface SpanContext {
  readonly traceId: string;
  /** Of the span above it; absent at the root. */
  readonly parentId?: string;
  readonly isSampled: boolean;
  readonly state?: string | undefined;
}

function newTrace({ newId, collection }: TracerState): SpanContext {
  const traceId = newId(16);
  // The identifier is random: a part of it is as good as dice, and the same for all who look at it.
  const isSampled =
    collection !== undefined && parseInt(traceId.slice(-8), 16) < collection.sampleRatio * 2 ** 32;
  return { traceId, isSampled };
}

/** A class, because each call has one. */
class Call implements ServerSpan {
  readonly #shared: TracerState;
  readonly #place: SpanContext;
  /** Absent for spans that go nowhere. */
  readonly #collected: { readonly spanId: string; readonly startedAt: number } | undefined;

  constructor(shared: TracerState, place: SpanContext) {
    this.#shared = shared;
    this.#place = place;
    if (place.isSampled && shared.collection)
      this.#collected = { spanId: shared.newId(8), startedAt: shared.clock.now() };
  }

  get traceId(): string {
    return this.#place.traceId;
  }

  request(target: RequestTarget): ClientSpan {
    const place = this.#collected ? { ...this.#place, parentId: this.#collected.spanId } : this.#place;
    return beginRequest(this.#shared, place, target);
  }

  headers(): TraceHeaders {
    return headersOf(this.#place, this.#collected?.spanId ?? this.#shared.newId(8));
  }

  end(answered: AnsweredRequest): void {
    if (!this.#collected) return;
    const { clock, collection } = this.#shared;
    const { traceId, parentId, state } = this.#place;
    const ended = { ...this.#collected, endedAt: clock.now(), ...callFacts(answered) };
    collection?.collect({ traceId, parentId, state, kind: 'server', ...ended });
  }
}

function beginRequest(shared: TracerState, place: SpanContext, target: RequestTarget): ClientSpan {
  const { clock, collection, newId } = shared;
  const { traceId, parentId, isSampled, state } = place;
  const spanId = newId(8);
  const headers = headersOf(place, spanId);
  if (!isSampled || !collection) return { headers };
  const startedAt = clock.now();
  return {
    headers,
    end(outcome) {
      const ended = { startedAt, endedAt: clock.now(), ...requestFacts(target, outcome) };
      collection.collect({ traceId, spanId, parentId, state, kind: 'client', ...ended });
    },
  };
}

function headersOf({ traceId, isSampled, state }: SpanContext, parentId: string): TraceHeaders {
  const traceparent = formatTraceParent({ traceId, parentId, isSampled });
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}
