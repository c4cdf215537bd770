/**
 * An ended span, named after the OpenTelemetry semantic conventions for HTTP. Contains no query, no body and
 * no secret.
 */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent at the root of a trace. */
  readonly parentId: string | undefined;
  /** `tracestate`. */
  readonly state: string | undefined;
  readonly kind: 'server' | 'client';
  readonly name: string;
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isFailed: boolean;
}

/** Collects ended spans. Never throws or blocks. */
export type CollectSpan = (span: SpanRecord) => void;
