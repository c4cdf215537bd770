import { singleFlight } from '../../core/lib/single-flight.js';
import { backoffMs } from '../../core/lib/backoff.js';
import type { Scheduler } from '../../core/lib/clock.js';
import type { HttpClient, HttpLimits, HttpReply } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import type { Redact } from '../../core/secret.js';
import { retryAfterMs } from '../../core/retry-after.js';
import type { TracingSettings } from '../../core/trace.js';
import type { CollectSpan, SpanRecord } from './tracer.js';

/** Source of the spans. */
interface TraceResource {
  /** Attributes by name, for example `service.name`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly version: string;
}

const SPAN_KINDS = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

/** Returns the body of an export: `ExportTraceServiceRequest` in the JSON encoding of OTLP 1. */
function exportRequest(
  spans: readonly SpanRecord[],
  { attributes, version }: TraceResource,
  redact: Redact,
): Buffer {
  const scope = { name: 'gatehouse', version };
  const scopeSpans = [{ scope, spans: spans.map((span) => spanOf(span, redact)) }];
  const resource = { attributes: attributesOf(attributes, redact) };
  return Buffer.from(JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }));
}

function spanOf(span: SpanRecord, redact: Redact): object {
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
    attributes: attributesOf(attributes, redact),
    status: isFailed ? { code: STATUS_ERROR } : {},
  };
}

/** Formats a 64-bit time, which OTLP's JSON encodes as text; a number is precise to microseconds. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}

function attributesOf(attributes: SpanRecord['attributes'], redact: Redact): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: redact(value) },
  }));
}

interface ExporterDeps {
  readonly client: Pick<HttpClient, 'send' | 'close'>;
  readonly resource: TraceResource;
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
/** Statuses after which a batch may be sent again (OTLP 1, "Failures"). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends spans to an OTLP receiver over HTTP, in JSON, one batch at a time. The receiver may be unavailable,
 * slow or hostile, so the number of pending spans is limited and excess spans are counted.
 */
export class OtlpExporter implements Exporter {
  readonly #settings: TracingSettings;
  readonly #deps: ExporterDeps;
  readonly #url: string;
  readonly #stopping = new AbortController();
  #queue: SpanRecord[] = [];
  #exported = 0;
  #dropped = 0;
  #isDown = false;
  readonly #sendQueue = singleFlight(() => this.#sendAll());
  #cancel: () => void = () => undefined;
  #isPlanned = false;

  constructor(settings: TracingSettings & { readonly otlpEndpoint: string }, deps: ExporterDeps) {
    const url = new URL(settings.otlpEndpoint);
    if (url.pathname === '/') url.pathname = '/v1/traces';
    this.#url = url.href;
    this.#settings = settings;
    this.#deps = deps;
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
    await this.#deps.client.close();
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
    const result = await this.#post(batch, terms);
    const isReply = 'status' in result;
    if (isReply && result.status < 300) {
      const rejected = Math.min(batch.length, rejectedIn(result));
      this.#exported += batch.length - rejected;
      this.#dropped += rejected;
      this.#isDown = false;
      return undefined;
    }
    this.#logFailure(isReply ? { status: result.status } : { error: result.error });
    const mayRetry = !isReply || RETRYABLE.has(result.status);
    const retryAfter = isReply ? (retryAfterMs(result, this.#deps.scheduler.now()) ?? 0) : 0;
    if (mayRetry && attempt < MAX_ATTEMPTS && !this.#stopping.signal.aborted)
      return Math.max(retryAfter, backoffMs(attempt, RETRY_BACKOFF));
    this.#dropped += batch.length;
    return undefined;
  }

  async #post(
    batch: readonly SpanRecord[],
    { signal, ...limits }: SendTerms,
  ): Promise<HttpReply | { readonly error: unknown }> {
    const { client, resource, redact } = this.#deps;
    try {
      const body = exportRequest(batch, resource, redact);
      const own = Object.entries(this.#settings.headers).map(
        ([name, value]) => [name, value.reveal()] as const,
      );
      const headers = { ...Object.fromEntries<string>(own), 'content-type': 'application/json' };
      return await client.send({ method: 'POST', url: this.#url, headers, body }, limits, signal);
    } catch (error) {
      return { error };
    }
  }

  /** Logs a failure once per outage. */
  #logFailure(fields: { readonly status: number } | { readonly error: unknown }): void {
    if (!this.#isDown)
      this.#deps.log.warn('span export failed; dropping spans that the queue cannot hold', fields);
    this.#isDown = true;
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

/** Returns the number of spans rejected in an accepted batch (OTLP 1, "Partial Success"). */
function rejectedIn({ body }: HttpReply): number {
  try {
    const { partialSuccess } = JSON.parse(body.toString()) as {
      partialSuccess?: { rejectedSpans?: unknown };
    };
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}
