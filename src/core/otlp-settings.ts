import type { Secret } from './secret.js';

/** Settings of a receiver of OTLP over HTTP. */
export interface OtlpSettings {
  /** URL of the receiver; null sends nothing. */
  readonly otlpEndpoint: string | null;
  readonly headers: Readonly<Record<string, Secret>>;
  /** CA certificates to trust; null trusts those of the system. */
  readonly caFile: string | null;
}

/** Settings for the export of spans. */
export interface TracingSettings extends OtlpSettings {
  /** Share of the traces of this server that is exported, from 0 to 1. */
  readonly sampleRatio: number;
  /** Name of the service for spans and metrics. */
  readonly serviceName: string;
}

/** Settings for the export of metrics. */
export interface MetricsSettings extends OtlpSettings {
  readonly intervalSeconds: number;
}
