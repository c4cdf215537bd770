import type { Redact } from '../../core/secret.js';

/** The source of spans and metrics: one process of gatehouse. */
export interface OtlpResource {
  /** Attributes by name, for example `service.name`. */
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Version of gatehouse, which is the version of the instrumentation scope. */
  readonly version: string;
}

/** Returns a resource as OTLP 1 encodes it in JSON. */
export function encodeResource({ attributes }: OtlpResource, redact: Redact): object {
  return { attributes: encodeAttributes(attributes, redact) };
}

/** Returns the instrumentation scope as OTLP 1 encodes it in JSON. */
export function encodeScope({ version }: OtlpResource): object {
  return { name: 'gatehouse', version };
}

/** Returns attributes as OTLP 1 encodes them in JSON; 64-bit integers are text. */
export function encodeAttributes(
  attributes: Readonly<Record<string, string | number>>,
  redact: Redact,
): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: redact(value) },
  }));
}

/** Formats a time in milliseconds as nanoseconds, which OTLP encodes as text; a number is precise to microseconds. */
export function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}
