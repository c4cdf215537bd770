import { headerNamePattern } from '../core/header.js';
import type { FromSchema } from './from-schema.js';
import {
  BASE_URL_PATTERN,
  integer,
  optionalFile,
  optionalText,
  secret,
  section,
  text,
} from './schema-parts.js';

/** Returns the settings of a receiver, for spans or metrics. */
function receiver(path: string) {
  return {
    otlpEndpoint: optionalText(
      'Endpoint',
      `URL of a receiver of OTLP over HTTP; without a path, ${path}. null sends nothing.`,
      {
        pattern: BASE_URL_PATTERN,
        'x-hint': 'must be an http or https URL without credentials, for example http://127.0.0.1:4318',
      },
    ),
    headers: {
      title: 'Headers',
      description: 'Headers for the receiver, for example its token.',
      type: 'object',
      default: {},
      propertyNames: {
        type: 'string',
        pattern: headerNamePattern(['content-type', 'content-encoding']),
        'x-hint':
          'must be a header name such as Authorization; headers of the connection and of the body are not allowed',
      },
      additionalProperties: secret('Header', 'Value of the header.', {
        pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
        'x-hint': 'must be one line',
      }),
    },
    caFile: optionalFile(
      'CA file',
      'PEM file of the CA certificates to trust; null trusts those of Node.js.',
    ),
  } as const;
}

/** Schema of the block `tracing`. */
export const tracingSchema = section(
  ['Tracing', 'Export of spans to an OpenTelemetry receiver.'],
  {
    ...receiver('/v1/traces'),
    sampleRatio: {
      title: 'Sample ratio',
      description:
        'Fraction of the traces that start at this server to export, from 0 to 1. Traces of callers keep the decision of the caller.',
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 1,
    },
    serviceName: text('Service name', 'Name under which spans and metrics appear.', {
      minLength: 1,
      default: 'gatehouse',
    }),
  },
  { default: {}, 'x-restart': true },
);

/** Schema of the block `metrics`. */
export const metricsSchema = section(
  ['Metrics', 'Export of the metrics to an OpenTelemetry receiver. `GET /metrics` serves them in any case.'],
  {
    ...receiver('/v1/metrics'),
    intervalSeconds: integer('Interval', 'Seconds between two exports.', {
      minimum: 1,
      maximum: 3600,
      default: 60,
    }),
  },
  { default: {}, 'x-restart': true },
);

export type TracingSettings = FromSchema<typeof tracingSchema>;

export type MetricsSettings = FromSchema<typeof metricsSchema>;

/** Settings of a receiver of OTLP over HTTP. */
export type OtlpSettings = Pick<MetricsSettings, 'otlpEndpoint' | 'headers' | 'caFile'>;
