import { headerNamePattern } from '../core/header.js';
import type { JsonSchema } from '../core/schema.js';
import { BASE_URL_PATTERN, optionalFile, optionalText, section, secret, text } from './schema-parts.js';

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
