import type { Secret } from './secret.js';

/** Settings for the export of spans. */
export interface TracingSettings {
  /** URL of an OTLP receiver over HTTP; null sends nothing. */
  readonly otlpEndpoint: string | null;
  readonly headers: Readonly<Record<string, Secret>>;
  /** Share of the traces started here that is sent, from 0 to 1. */
  readonly sampleRatio: number;
  readonly serviceName: string;
  readonly caFile: string | null;
}
