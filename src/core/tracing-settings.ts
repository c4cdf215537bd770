import type { Secret } from './secret.js';

/** Settings for the export of spans. */
export interface TracingSettings {
  /** URL of an OTLP receiver over HTTP; null disables the export. */
  readonly otlpEndpoint: string | null;
  readonly headers: Readonly<Record<string, Secret>>;
  /** Share of the traces of this server that is exported, from 0 to 1. */
  readonly sampleRatio: number;
  readonly serviceName: string;
  readonly caFile: string | null;
}
