import { MAX_TAGS, TAG_HINT, TAG_PATTERN } from '../core/adapter-names.js';
import { ADDED_REPLY_HEADER_PATTERN } from '../core/header.js';
import { LOG_LEVELS } from '../core/log.js';
import type { JsonSchema } from '../core/schema.js';
import { accessSchema } from './access.js';
import { adapterAuthSchema, type loginSchema, type oauth2Schema } from './adapter-auth.js';
import { breakerSchema, healthSchema, queueSchema, retrySchema } from './adapter-policy.js';
import type { FromSchema } from './from-schema.js';
import { readCacheSchema } from './read-cache.js';
import {
  BASE_URL_PATTERN,
  bytes,
  choice,
  file,
  flag,
  milliseconds,
  MAX_TIMEOUT_MS,
  optionalInteger,
  optionalPemFile,
  optionalProxy,
  optionalText,
  section,
  text,
} from './schema-parts.js';

/** Schema of the key `openapi` of an adapter. */
const openApiSchema = section(
  ['OpenAPI', 'Methods from a document of OpenAPI 3.0 or 3.1, or of Swagger 2.0; null: none.'],
  {
    file: file('File', 'The document, as JSON or YAML. It may refer to files below its folder.'),
    methods: {
      title: 'Methods',
      description:
        'Names of the methods that callers may call; * matches any number of characters. The command "gatehouse adapter from-openapi FILE --list" lists all.',
      type: 'array',
      minItems: 1,
      maxItems: 10_000,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 256 },
    },
    validateReplies: flag(
      'Validate replies',
      'True refuses a successful reply that is not what the document describes.',
      false,
    ),
  },
  { type: ['object', 'null'], default: null, required: ['file', 'methods'] },
);

const BASE_URL_HINT =
  'must be an http or https URL without credentials, query and fragment, for example https://nso.example:8888';

const tls = section(
  ['TLS', 'Verification of the orchestrator, and the client certificate.'],
  {
    caFile: optionalPemFile(
      'CA file',
      'PEM file of the CA certificates to trust, instead of those of Node.js.',
    ),
    certFile: optionalPemFile('Certificate file', 'PEM file of the client certificate; needs keyFile.'),
    keyFile: optionalPemFile(
      'Key file',
      'PEM file of the client key, without a pass phrase; needs certFile.',
    ),
    serverName: optionalText(
      'Server name',
      'Server name to send (SNI) and to verify, instead of the host of the base URL.',
    ),
    insecure: flag('Insecure', 'True accepts any certificate; for laboratories only.', false),
  },
  { default: {}, allOf: [requirePair('certFile', 'keyFile'), requirePair('keyFile', 'certFile')] },
);

function requirePair(given: string, needed: string): JsonSchema {
  const rule = { not: { const: null }, 'x-hint': `must be set, because ${given} is` };
  return {
    if: { required: [given], properties: { [given]: { type: 'string' } } },
    then: { required: [needed], properties: { [needed]: rule } },
  };
}

const timeouts = section(['Time-outs', 'Time limits of calls to the orchestrator.'], {
  connectMs: milliseconds('Connect', 'Milliseconds to connect.', 5000),
  firstByteMs: optionalInteger(
    'First byte',
    'Milliseconds from the last byte sent to the headers of the reply, for each attempt; null: totalMs. A lower value leaves time for a retry.',
    { minimum: 1, maximum: MAX_TIMEOUT_MS },
  ),
  totalMs: milliseconds(
    'Total',
    'Milliseconds for a whole call, including its login, its wait in the queue and its retries.',
    30_000,
  ),
  idleMs: milliseconds('Idle', 'Milliseconds that a stream may be idle in both directions.', 300_000),
  startMs: milliseconds(
    'Start',
    'Milliseconds for a start of the adapter; its wait for the starts of other adapters does not count.',
    60_000,
  ),
});

const baseUrlKeys = {
  baseUrl: text('Base URL', 'Base URL of the orchestrator; every path stays below it.', {
    pattern: BASE_URL_PATTERN,
    'x-hint': BASE_URL_HINT,
  }),
  baseUrls: {
    title: 'Base URLs',
    description: 'Several base URLs of the same orchestrator, instead of baseUrl.',
    type: 'array',
    minItems: 1,
    maxItems: 16,
    uniqueItems: true,
    items: { type: 'string', pattern: BASE_URL_PATTERN, 'x-hint': BASE_URL_HINT },
  },
  balance: choice(
    'Balance',
    'Selection of the base URL. primary: the first that works; round-robin: in turn; least-pending: the URL with the fewest pending calls.',
    ['primary', 'round-robin', 'least-pending'],
  ),
} as const;

/** Requires exactly one of `baseUrl` and `baseUrls`. */
const eitherBaseUrl: JsonSchema = {
  if: { required: ['baseUrls'], properties: { baseUrls: true } },
  then: { properties: { baseUrl: false } },
  else: { required: ['baseUrl'], properties: { baseUrl: true } },
};

const stub = {
  stub: flag('Stub', 'True answers calls from recorded replies and sends no request.', false),
  record: flag('Record', 'True stores each reply, without secrets, for the stub mode.', false),
  recordings: file('Recordings', 'Folder of the recorded replies.', { default: 'recordings' }),
} as const;

/** Schema of a file in `adapters/`, and of a member of `adapters` in the main file. */
export const adapterSchema = section(
  ['gatehouse adapter', 'One orchestrator. Paths are relative to this file.'],
  {
    plugin: text(
      'Plugin',
      'Plugin for this kind of orchestrator: http-rest, restconf, netconf, itential-adapter, or the name of an installed npm package.',
      {
        pattern: '^(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$',
        'x-hint': 'must be the name of a folder of plugins/ or of an npm package, for example http-rest',
      },
    ),
    ...baseUrlKeys,
    auth: adapterAuthSchema,
    tls,
    proxy: optionalProxy(
      'URL of an HTTP proxy to the orchestrator; the proxy variables of the environment are ignored.',
    ),
    timeouts,
    retry: retrySchema,
    queue: queueSchema,
    breaker: breakerSchema,
    health: healthSchema,
    access: accessSchema,
    secretRotation: choice(
      'Rotated secrets',
      'What follows a new value of a secret. switch: it is used at once, and then tested by a login and a read. test-first: it is tested first, and the former value stays in use while the orchestrator refuses the new one. untested: it is used without a test.',
      ['switch', 'test-first', 'untested'],
    ),
    cache: readCacheSchema,
    openapi: openApiSchema,
    replyBytes: bytes('Reply size', 'Maximum size of a reply body, in bytes.', 16_777_216),
    isolateBodies: flag(
      'Isolate bodies',
      'True sends a GET or DELETE with a body on a connection of its own. False only if the orchestrator reads such bodies.',
      true,
    ),
    reuseConnections: flag(
      'Reuse connections',
      'False opens a connection for each request. Use it for an orchestrator that drops connections when they are used again.',
      true,
    ),
    redactReplies: flag(
      'Redact replies',
      'True replaces the credentials of the adapter in the replies of restAction and restQuery.',
      true,
    ),
    replyHeaders: {
      title: 'Reply headers',
      description:
        'Names of further headers of replies that callers of /proxy and of responseBody get, for example X-Device-State.',
      type: 'array',
      maxItems: 64,
      uniqueItems: true,
      items: {
        type: 'string',
        maxLength: 256,
        pattern: ADDED_REPLY_HEADER_PATTERN,
        'x-hint':
          'must be a complete header name; headers of sessions, authentication, browsers and reverse proxies (Set-Cookie, WWW-Authenticate, X-Accel-Redirect, ...) are not allowed',
      },
      default: [],
    },
    ...stub,
    brokers: {
      title: 'Brokers',
      description: 'Names of the brokers that the adapter serves; clients of the platform read them.',
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
    },
    groups: {
      title: 'Groups',
      description: 'Groups of the adapter; clients of the platform read them.',
      type: 'array',
      default: [],
    },
    tags: {
      title: 'Tags',
      description:
        'Words by which people filter and group adapters, and by which access rules and notifications select them, for example site:berlin.',
      type: 'array',
      maxItems: MAX_TAGS,
      uniqueItems: true,
      items: { type: 'string', pattern: TAG_PATTERN, 'x-hint': TAG_HINT },
      default: [],
    },
    log: section(['Log', 'Log settings of this adapter.'], {
      level: {
        title: 'Level',
        description: 'Least severe level that is written; null uses the level of the main file.',
        enum: [null, ...LOG_LEVELS],
        default: null,
      },
    }),
    enabled: flag('Enabled', 'False keeps the adapter stopped; calls get adapter_unavailable.', true),
    options: {
      title: 'Options',
      description: 'Options of the plugin.',
      type: 'object',
      default: {},
    },
  },
  { required: ['plugin'], ...eitherBaseUrl },
);

/** Settings of an adapter with all defaults filled in and all secrets resolved. Paths are absolute. */
export type AdapterSettings = Omit<FromSchema<typeof adapterSchema>, 'brokers' | 'groups' | 'tags' | 'log'>;

/** Methods from an OpenAPI document. */
export type OpenApiSettings = NonNullable<AdapterSettings['openapi']>;

/** Conditions for retries. A request that was never sent may be retried with any method. */
export type RetrySettings = AdapterSettings['retry'];

/** Limits for concurrent and queued calls. */
export type QueueSettings = AdapterSettings['queue'];

export type BreakerSettings = AdapterSettings['breaker'];

export type AdapterAuthSettings = AdapterSettings['auth'];

/** Client credentials grant (RFC 6749 section 4.4). */
export type OAuth2Settings = FromSchema<typeof oauth2Schema>;

/** Requests that open a session, and the values from their replies that are added to every call. */
export type LoginSettings = FromSchema<typeof loginSchema>;

/** One request of a login. Strings may contain `{names}` of values from earlier steps. */
export type LoginStepSettings = LoginSettings['steps'][number];
