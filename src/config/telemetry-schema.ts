import { headerNamePattern } from '../core/header.js';
import { LOG_LEVELS } from '../core/log.js';
import type { JsonSchema } from '../core/schema.js';
import {
  BASE_URL_PATTERN,
  choice,
  flag,
  integer,
  optionalFile,
  optionalText,
  secret,
  section,
  SYSLOG_PATTERN,
  text,
} from './schema-parts.js';

const rotation: JsonSchema = section(
  ['Rotation', 'Rotation of the file by gatehouse; null leaves it to other programs such as logrotate.'],
  {
    bytes: {
      ...integer(
        'Size',
        'Rotates the file when it reaches this size in bytes; null disables size-based rotation.',
        { minimum: 1024 },
      ),
      type: ['integer', 'null'],
      default: 104_857_600,
    },
    hours: {
      ...integer(
        'Hours',
        'Rotates the file every so many hours, counted from midnight UTC (24 = daily); null disables time-based rotation.',
        {
          minimum: 1,
          maximum: 8784,
        },
      ),
      type: ['integer', 'null'],
      default: null,
    },
    keep: integer('Files', 'Maximum number of rotated files that are kept.', {
      minimum: 1,
      maximum: 10_000,
      default: 10,
    }),
    compress: flag('Compressed', 'True compresses rotated files with gzip, except the newest.', true),
  },
  { type: ['object', 'null'], default: null },
);

const syslog: JsonSchema = section(
  ['Syslog', 'Receiver of the lines as syslog messages (RFC 5424); null sends none.'],
  {
    url: text(
      'URL',
      'udp://, tcp:// or tls:// with host and port, or unix: with the path of a stream socket.',
      {
        pattern: SYSLOG_PATTERN,
        'x-hint':
          'must be such as udp://127.0.0.1:514, tcp://[::1]:601, tls://logs.example:6514 or unix:/run/log',
      },
    ),
    facility: {
      ...choice('Facility', 'Facility of the messages.', [
        ...['user', 'daemon', 'auth', 'authpriv'],
        ...['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
      ] as [string, ...string[]]),
      default: 'daemon',
    },
    appName: text('Name', 'APP-NAME of the messages.', {
      pattern: '^[\\x21-\\x7e]{1,48}$',
      'x-hint': 'must be up to 48 visible characters of ASCII',
      default: 'gatehouse',
    }),
    caFile: optionalFile(
      'CA file',
      'PEM file of the CA certificates for tls:; null trusts those of Node.js.',
    ),
  },
  { type: ['object', 'null'], default: null, required: ['url'] },
);

/** Schema of the block `log`. */
export const logSchema: JsonSchema = section(['Log', 'Level, format and outputs of the log.'], {
  level: {
    ...choice(
      'Level',
      'Least severe level that is written; the levels are in order, from error to spam.',
      LOG_LEVELS,
    ),
    default: 'info',
  },
  format: choice(
    'Format',
    'json for machines, pretty for people; auto writes pretty to a terminal, else json.',
    ['auto', 'json', 'pretty'],
  ),
  file: optionalFile(
    'File',
    'File (mode 0640) that lines are appended to, in addition to standard output; null writes no file.',
  ),
  rotation,
  syslog,
});

/** Returns the settings of a receiver, for spans or metrics. */
function receiver(path: string): Readonly<Record<string, JsonSchema>> {
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
  };
}

/** Schema of the block `tracing`. */
export const tracingSchema: JsonSchema = section(
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
);

/** Schema of the block `metrics`. */
export const metricsSchema: JsonSchema = section(
  ['Metrics', 'Export of the metrics to an OpenTelemetry receiver. `GET /metrics` serves them in any case.'],
  {
    ...receiver('/v1/metrics'),
    intervalSeconds: integer('Interval', 'Seconds between two exports.', {
      minimum: 1,
      maximum: 3600,
      default: 60,
    }),
  },
);
