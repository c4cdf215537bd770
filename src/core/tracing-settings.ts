import type { Secret } from './secret.js';

/** Where spans go. */
export interface TracingSettings {
  /** URL of a receiver of OTLP over HTTP; null: nothing is sent. */
  readonly otlpEndpoint: string | null;
  readonly headers: Readonly<Record<string, Secret>>;
  /** Part of the traces that begin here which is sent, from 0 to 1. */
  readonly sampleRatio: number;
  readonly serviceName: string;
  readonly caFile: string | null;
}
