import type { HttpClient, HttpLimits } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import type { Redact } from '../../core/secret.js';
import { backoffMs } from '../../lib/backoff.js';
import type { Scheduler } from '../../lib/clock.js';
import { singleFlight } from '../../lib/single-flight.js';
import type { OtlpSettings } from '../../settings/otlp.js';
import {
  encodeAttributes,
  encodeResource,
  encodeScope,
  nanoseconds,
  type OtlpResource,
} from '../otlp/encoding.js';
import { createOtlpSender, type OtlpSender, rejectedIn } from '../otlp/sender.js';
import type { SpanRecord } from './span-record.js';
import type { CollectSpan } from './tracer.js';

const SPAN_KINDS = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

/** Returns the body of an export: `ExportTraceServiceRequest` in the JSON encoding of OTLP 1. */
function exportRequest(spans: readonly SpanRecord[], resource: OtlpResource, redact: Redact): object {
  const scopeSpans = [{ scope: encodeScope(resource), spans: spans.map((span) => encodeSpan(span, redact)) }];
  return { resourceSpans: [{ resource: encodeResource(resource, redact), scopeSpans }] };
}

/** Flag of a sampled span (W3C Trace Context). */
const SAMPLED = 0x01;
/** Flags of OTLP 1: it is known whether the parent is in another process, and it is. */
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

function encodeSpan(span: SpanRecord, redact: Redact): object {
  const { traceId, spanId, parentId, state, kind, name, startedAt, endedAt, attributes, isFailed } = span;
  return {
    traceId,
    spanId,
    parentSpanId: parentId,
    traceState: state,
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    flags: SAMPLED | HAS_IS_REMOTE | (kind === 'server' && parentId !== undefined ? IS_REMOTE : 0),
    attributes: encodeAttributes(attributes, redact),
    status: isFailed ? { code: STATUS_ERROR } : {},
  };
}

interface ExporterDeps {
  readonly client: HttpClient;
  readonly resource: OtlpResource;
  /** Removes secrets from attributes. */
  readonly redact: Redact;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Sends spans to a receiver. */
export interface Exporter {
  readonly collect: CollectSpan;
  counts(): SpanCounts;
  /** Sends one last batch of pending spans without retries, and drops the rest. */
  close(): Promise<void>;
}

/** Number of spans since the start. */
export interface SpanCounts {
  readonly exported: number;
  /** Spans dropped because the queue was full or the receiver did not accept them. */
  readonly dropped: number;
}

const TRACES = {
  path: '/v1/traces',
  failure: 'span export failed; dropping spans that the queue cannot hold',
} as const;

/** Time limit of a batch, and its cancellation. */
interface SendTerms extends HttpLimits {
  readonly signal?: AbortSignal;
}

/** Maximum number of pending spans, excluding those being sent. */
const MAX_QUEUED_SPANS = 4096;
const MAX_BATCH_SPANS = 512;
/** How long spans wait for a fuller batch, in milliseconds. */
const BATCH_DELAY_MS = 2_000;
/** Number of attempts before a batch is dropped. */
const MAX_ATTEMPTS = 5;
const RETRY_BACKOFF = { firstMs: 1_000, maxMs: 30_000 };
const SEND_LIMITS = { totalMs: 10_000, replyBytes: 65_536 };
/** Limits of the last batch when the server stops. */
const LAST_SEND_LIMITS = { ...SEND_LIMITS, totalMs: 2_000 };

/**
 * Sends spans to an OTLP receiver over HTTP, in JSON, one batch at a time. The receiver may be unavailable,
 * slow or hostile, so the number of pending spans is limited and excess spans are counted.
 */
export class OtlpExporter implements Exporter {
  readonly #deps: ExporterDeps;
  readonly #sender: OtlpSender;
  readonly #stopping = new AbortController();
  #queue: SpanRecord[] = [];
  #exported = 0;
  #dropped = 0;
  readonly #sendQueue = singleFlight(() => this.#sendAll());
  #cancel: () => void = () => undefined;
  #isPlanned = false;

  constructor(settings: OtlpSettings & { readonly otlpEndpoint: string }, deps: ExporterDeps) {
    this.#deps = deps;
    this.#sender = createOtlpSender(settings, TRACES, { ...deps, clock: deps.scheduler });
  }

  readonly collect: CollectSpan = (span) => {
    if (this.#queue.length >= MAX_QUEUED_SPANS || this.#stopping.signal.aborted) {
      this.#dropped += 1;
      return;
    }
    this.#queue.push(span);
    if (this.#queue.length >= MAX_BATCH_SPANS) void this.#sendQueue();
    else if (!this.#isPlanned) this.#plan();
  };

  counts(): SpanCounts {
    return { exported: this.#exported, dropped: this.#dropped };
  }

  async close(): Promise<void> {
    this.#cancel();
    this.#stopping.abort();
    await this.#sendQueue();
    const last = this.#queue.splice(0, MAX_BATCH_SPANS);
    if (last.length > 0) await this.#sendOnce(last, LAST_SEND_LIMITS);
    this.#dropped += this.#queue.splice(0).length;
    await this.#sender.close();
  }

  #plan(): void {
    this.#isPlanned = true;
    this.#cancel = this.#deps.scheduler.after(BATCH_DELAY_MS, () => {
      this.#isPlanned = false;
      void this.#sendQueue();
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0 && !this.#stopping.signal.aborted)
      await this.#send(this.#queue.splice(0, MAX_BATCH_SPANS));
  }

  async #send(batch: readonly SpanRecord[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const terms = { ...SEND_LIMITS, signal: this.#stopping.signal };
      const pauseMs = await this.#sendOnce(batch, terms, attempt);
      if (pauseMs === undefined) return;
      await this.#pause(pauseMs);
    }
  }

  /**
   * Sends a batch once. Resolves to the delay before the next attempt; `undefined` if the batch is finished.
   */
  async #sendOnce(
    batch: readonly SpanRecord[],
    terms: SendTerms,
    attempt = MAX_ATTEMPTS,
  ): Promise<number | undefined> {
    const { resource, redact } = this.#deps;
    const { signal, ...limits } = terms;
    const result = await this.#sender.send(exportRequest(batch, resource, redact), limits, signal);
    if (result.isAccepted) {
      const rejected = Math.min(batch.length, rejectedIn(result.reply, 'rejectedSpans'));
      this.#exported += batch.length - rejected;
      this.#dropped += rejected;
      return undefined;
    }
    const { retryAfterMs } = result;
    if (retryAfterMs !== undefined && attempt < MAX_ATTEMPTS && !this.#stopping.signal.aborted)
      return Math.max(retryAfterMs, backoffMs(attempt, RETRY_BACKOFF));
    this.#dropped += batch.length;
    return undefined;
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#deps.scheduler.after(Math.min(ms, RETRY_BACKOFF.maxMs), end);
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });
  }
}
