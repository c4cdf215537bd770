/** A span that has ended, by the names of the OpenTelemetry semantic conventions for HTTP. Holds no query, no body and no secret. */
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

/** Takes spans that have ended. Never throws and never waits. */
export type CollectSpan = (span: SpanRecord) => void;
