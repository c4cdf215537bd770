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
import { headerNamePattern } from '../core/header.js';

const rotation: JsonSchema = section(
  ['Rotation', 'When the file is put away, and what is kept; null appends to it for ever.'],
  {
    bytes: {
      ...integer('Size', 'Bytes from which on a file is full; null: any size.', { minimum: 1024 }),
      type: ['integer', 'null'],
      default: 104_857_600,
    },
    hours: {
      ...integer('Hours', 'Hours that one file is for, counted from midnight UTC; null: any number.', {
        minimum: 1,
        maximum: 8784,
      }),
      type: ['integer', 'null'],
      default: null,
    },
    keep: integer('Files', 'How many files that were put away are kept.', {
      minimum: 1,
      maximum: 10_000,
      default: 10,
    }),
    compress: flag('Compressed', 'Compresses those that are kept with gzip, but for the newest.', true),
  },
  { type: ['object', 'null'], default: null },
);

const syslog: JsonSchema = section(
  ['Syslog', 'A receiver of the lines as syslog messages (RFC 5424); null: none.'],
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
      ...choice('Facility', 'Part of the system that the messages are from.', [
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
    caFile: optionalFile('CA file', 'PEM file of the CA certificates for tls:; null: those of the system.'),
  },
  { type: ['object', 'null'], default: null, required: ['url'] },
);

/** Schema of the block `log`. */
export const logSchema: JsonSchema = section(['Log', 'What is logged, and where to.'], {
  level: { ...choice('Level', 'From the least to the most.', LOG_LEVELS), default: 'info' },
  format: choice('Format', 'json for machines, pretty for people.', ['json', 'pretty']),
  file: optionalFile('File', 'File that is appended to, beside standard output; null: none.'),
  rotation,
  syslog,
});

/** Schema of the block `tracing`. */
export const tracingSchema: JsonSchema = section(
  ['Tracing', 'Where spans are sent to, as OpenTelemetry has them.'],
  {
    otlpEndpoint: optionalText('Endpoint', 'URL of a receiver of OTLP over HTTP; null sends nothing.', {
      pattern: BASE_URL_PATTERN,
      'x-hint': 'must be an http or https URL without credentials, for example http://127.0.0.1:4318',
    }),
    headers: {
      title: 'Headers',
      description: 'Headers for the receiver, for example its token.',
      type: 'object',
      default: {},
      propertyNames: {
        type: 'string',
        pattern: headerNamePattern(['content-type', 'content-encoding']),
        'x-hint':
          'must be a header name such as Authorization, and none that belongs to the connection or the body',
      },
      additionalProperties: secret('Header', 'Value of the header.', {
        pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
        'x-hint': 'must be one line',
      }),
    },
    sampleRatio: {
      title: 'Sample ratio',
      description:
        'Part of the traces that begin here which is sent, from 0 to 1. Callers decide for theirs.',
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 1,
    },
    serviceName: text('Service name', 'Name under which the spans appear.', {
      minLength: 1,
      default: 'gatehouse',
    }),
    caFile: optionalFile('CA file', 'PEM file of the CA certificates to trust; null: those of the system.'),
  },
);
