import type { Redact } from '../../core/redactor.js';
import type { SpanRecord } from './span-record.js';

/** What the spans come from. */
export interface TraceResource {
  /** Attributes by name, for example `service.name`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly version: string;
}

const KINDS = { server: 2, client: 3 } as const;
const FAILED = 2;

/** The body of an export: `ExportTraceServiceRequest` in the JSON encoding of OTLP 1. */
export function exportRequest(
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
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributesOf(attributes, redact),
    status: isFailed ? { code: FAILED } : {},
  };
}

/** 64 bits, which JSON has as text; a number holds microseconds. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}

function attributesOf(attributes: SpanRecord['attributes'], redact: Redact): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: redact(value) },
  }));
}
