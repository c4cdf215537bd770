import { MAX_TAGS, TAG_HINT, TAG_PATTERN } from '../core/adapter-document.js';
import type { AdapterSettings } from '../core/adapter-settings.js';
import { LOG_LEVELS } from '../core/log.js';
import type { CompileSchema, JsonSchema, ValidationResult } from '../core/schema.js';
import { adapterAuthSchema } from './adapter-auth-schema.js';
import {
  accessSchema,
  breakerSchema,
  healthSchema,
  queueSchema,
  retrySchema,
} from './adapter-policy-schema.js';
import { readCacheSchema } from './read-cache-schema.js';
import {
  BASE_URL_PATTERN,
  bytes,
  choice,
  file,
  flag,
  milliseconds,
  optionalFile,
  optionalProxy,
  optionalText,
  section,
  text,
} from './schema-parts.js';

const BASE_URL_HINT =
  'must be an http or https URL without credentials, query and fragment, for example https://nso.example:8888';

const tls: JsonSchema = section(
  ['TLS', 'Verification of the orchestrator, and the client certificate.'],
  {
    caFile: optionalFile('CA file', 'PEM file of the CA certificates to trust, instead of those of Node.js.'),
    certFile: optionalFile('Certificate file', 'PEM file of the client certificate; needs keyFile.'),
    keyFile: optionalFile('Key file', 'PEM file of the client key, without a pass phrase; needs certFile.'),
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

const timeouts: JsonSchema = section(['Time-outs', 'Time limits of calls to the orchestrator.'], {
  connectMs: milliseconds('Connect', 'Milliseconds to connect.', 5000),
  firstByteMs: {
    ...milliseconds(
      'First byte',
      'Milliseconds from the last byte sent to the headers of the reply, for each attempt; null: totalMs. A lower value leaves time for a retry.',
      30_000,
    ),
    type: ['integer', 'null'],
    default: null,
  },
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

const baseUrlKeys: Readonly<Record<string, JsonSchema>> = {
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
};

/** Requires exactly one of `baseUrl` and `baseUrls`. */
const eitherBaseUrl: JsonSchema = {
  if: { required: ['baseUrls'], properties: { baseUrls: true } },
  then: { properties: { baseUrl: false } },
  else: { required: ['baseUrl'], properties: { baseUrl: true } },
};

const stub: Readonly<Record<string, JsonSchema>> = {
  stub: flag('Stub', 'True answers calls from recorded replies and sends no request.', false),
  record: flag('Record', 'True stores each reply, without secrets, for the stub mode.', false),
  recordings: file('Recordings', 'Folder of the recorded replies.', { default: 'recordings' }),
};

/** Schema of a file in `adapters/`, and of a member of `adapters` in the main file. */
export const adapterSchema: JsonSchema = section(
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
    cache: readCacheSchema,
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

/** Validates an adapter again after its references were resolved. */
export function validateAdapter(value: unknown, compile: CompileSchema): ValidationResult {
  return compile(adapterSchema)(value);
}

/** Returns a valid and resolved adapter as its type. */
export function asAdapterSettings(value: unknown): AdapterSettings {
  return value as AdapterSettings;
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const OPTIONS_POINTER = '#/properties/options';

/** Keys that clients send outside the adapter's settings. */
const KEYS_OUTSIDE_SETTINGS = ['plugin', 'brokers', 'groups', 'tags', 'log'];

/**
 * Returns the schema of an adapter's settings as clients send them (`properties.properties` of an
 * AdapterDocument). The plugin's own schema replaces `options` and determines the draft.
 */
export function completeAdapterSchema(options: JsonSchema): JsonSchema {
  const { $schema = DRAFT, ...own } = options;
  const { properties, required, ...rest } = adapterSchema as unknown as SectionSchema;
  const settings = Object.entries(properties).filter(([key]) => !KEYS_OUTSIDE_SETTINGS.includes(key));
  const placed = { ...properties['options'], ...(rebaseReferences(own) as object) };
  return {
    $schema,
    ...rest,
    required: required.filter((key) => !KEYS_OUTSIDE_SETTINGS.includes(key)),
    properties: { ...Object.fromEntries(settings), options: placed },
  };
}

/** Returns the schema of a catalog adapter's settings, taken from the schema of its options. */
export function catalogueSchema({ $schema = DRAFT, $defs = {}, properties }: JsonSchema): JsonSchema {
  const { properties: own = { type: 'object' } } = (properties ?? {}) as { readonly properties?: object };
  return { $schema, $defs, ...own };
}

interface SectionSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** Adjusts local `$ref`s of the plugin's schema to its position below `options`. */
function rebaseReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebaseReferences);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    const isLocal = key === '$ref' && typeof member === 'string' && /^#(?:\/|$)/.test(member);
    return [key, isLocal ? OPTIONS_POINTER + member.slice(1) : rebaseReferences(member)] as const;
  });
  return Object.fromEntries(members);
}
