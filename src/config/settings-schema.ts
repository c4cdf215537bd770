import { ADAPTER_ID_HINT, ADAPTER_ID_PATTERN } from '../core/adapter-document.js';
import { PRESENT_RELEASE, RELEASE_PATTERN } from '../core/deprecation.js';
import type { CompileSchema, JsonSchema, ValidationResult } from '../core/schema.js';
import type { Settings } from '../core/settings.js';
import { authSchema } from './auth-schema.js';
import { logSchema, tracingSchema } from './telemetry-schema.js';
import {
  bytes,
  choice,
  file,
  flag,
  HOST_PORT_PATTERN,
  integer,
  milliseconds,
  ORIGIN_PATTERN,
  PAGE_ORIGIN_PATTERN,
  section,
  text,
} from './schema-parts.js';
import { vaultSchema } from './vault-schema.js';
import { adapterSchema } from './adapter-schema.js';

const server: JsonSchema = section(['Server', 'The listener of the API.'], {
  listen: text('Listen address', 'host:port; an IPv6 host stands in brackets.', {
    pattern: HOST_PORT_PATTERN,
    'x-hint': 'must be host:port with a port up to 65535, for example 127.0.0.1:3000 or [::1]:3000',
    default: '127.0.0.1:3000',
  }),
  publicUrl: {
    ...text('Public URL', 'Origin under which browsers reach the server; sign-ins come back there.', {
      pattern: ORIGIN_PATTERN,
      'x-hint': 'must be an http or https origin, for example https://gateway.example',
    }),
    type: ['string', 'null'],
    default: null,
  },
  tls: section(
    ['TLS', 'Certificate of the listener; null serves plain http.'],
    {
      certFile: file('Certificate file', 'PEM file of the certificate and its chain.'),
      keyFile: file('Key file', 'PEM file of the private key.'),
      hsts: {
        ...text(
          'HSTS',
          'Value of Strict-Transport-Security, which binds all ports of the host; null sends none.',
          {
            pattern: '^max-age=\\d{1,10}(; includeSubDomains)?(; preload)?$',
            'x-hint': 'must be such as "max-age=31536000; includeSubDomains"',
          },
        ),
        type: ['string', 'null'],
        default: null,
      },
    },
    { type: ['object', 'null'], default: null, required: ['certFile', 'keyFile'] },
  ),
  limits: section(['Limits', 'What one caller may use.'], {
    bodyBytes: bytes('Body size', 'Largest request body, in bytes.', 1_048_576),
    headerBytes: integer('Header size', 'Largest request header section, in bytes.', {
      minimum: 1024,
      maximum: 1_048_576,
      default: 16_384,
    }),
    requestTimeoutMs: milliseconds('Request time-out', 'Milliseconds for a whole request to arrive.', 30_000),
    headersTimeoutMs: milliseconds(
      'Headers time-out',
      'Milliseconds for the headers of a request to arrive.',
      5000,
    ),
    keepAliveTimeoutMs: milliseconds(
      'Keep-alive time-out',
      'Milliseconds that an idle connection is kept.',
      65_000,
    ),
    connections: integer('Connections', 'Most connections at a time.', {
      minimum: 1,
      maximum: 1_000_000,
      default: 10_000,
    }),
  }),
  overload: section(
    ['Overload', 'Where calls begin to be turned away with 503; null turns none away.'],
    {
      loopDelayMs: milliseconds('Delay', 'Milliseconds that the event loop may be late.', 50),
      memoryPercent: integer('Memory', 'Percent of the heap, or of the memory that the process may use.', {
        minimum: 10,
        maximum: 100,
        default: 90,
      }),
      calls: integer('Calls', 'Calls in flight.', { minimum: 1, maximum: 1_000_000, default: 5000 }),
    },
    { type: ['object', 'null'], default: {} },
  ),
  drainSeconds: integer('Drain time', 'Seconds that a stop waits for running calls.', {
    minimum: 0,
    maximum: 3600,
    default: 30,
  }),
  workers: {
    title: 'Call workers',
    description: 'Processes that serve calls; 1 is the main process alone, auto is one for each processor.',
    anyOf: [{ type: 'integer', minimum: 1, maximum: 256 }, { const: 'auto' }],
    'x-hint': 'must be a number from 1 to 256, or auto',
    default: 1,
  },
});

const roles: JsonSchema = {
  title: 'Roles of operations',
  description:
    'Widens or narrows who may call one operation, for example orchestrator-manager.restQuery: [admin, readonly].',
  type: 'object',
  default: {},
  additionalProperties: {
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: { type: 'string', minLength: 1 },
  },
};

const storage: JsonSchema = section(['Storage', 'Where records are kept.'], {
  url: text(
    'Storage URL',
    'sqlite:<file>, sqlite::memory: to keep nothing, or postgres://user:password@host:port/name; the whole URL may be a $VAULT_ reference.',
    {
      pattern: '^(sqlite:.|postgres(ql)?://.)',
      'x-hint': 'must be a URL such as sqlite:../data/gatehouse.db or postgres://user@host:5432/gatehouse',
      'x-path': true,
      default: 'sqlite:../data/gatehouse.db',
    },
  ),
});

const egress: JsonSchema = section(['Egress', 'Where POST /tools/restCall may go.'], {
  public: flag('Public addresses', 'false closes public addresses too, but for those of allow.', true),
  allow: targets(
    'Allowed targets',
    'Host, host:port, CIDR or CIDR:port. Private and special ranges are closed unless named here.',
  ),
  deny: targets('Denied targets', 'Same entries as allow; they win over it.'),
  maxReplyBytes: bytes('Reply size', 'Largest reply, in bytes.', 10_485_760),
  timeoutMs: milliseconds('Time-out', 'Milliseconds for a whole call.', 30_000),
});

const forms: JsonSchema = section(['Forms', 'JSON forms, and the JSON Schemas that callers send.'], {
  maxBytes: bytes('Form size', 'Largest form, and largest schema with its data, in bytes.', 1_048_576),
  maxForms: integer('Forms', 'Most forms.', { minimum: 1, maximum: 10_000_000, default: 100_000 }),
  maxVersions: integer('Versions', 'Former states that are kept of each form.', {
    minimum: 0,
    maximum: 1000,
    default: 20,
  }),
  validateTimeoutMs: milliseconds(
    'Validation time-out',
    'Milliseconds in which the schema of a caller or a form must be applied.',
    250,
  ),
  validateMemoryMb: integer('Validation memory', 'Megabytes of heap that one validation may use.', {
    minimum: 32,
    maximum: 4096,
    default: 64,
  }),
  yangPath: {
    title: 'YANG folders',
    description: 'Folders in which the YANG modules that others import are looked for.',
    type: 'array',
    default: [],
    items: file('Folder', 'Folder with YANG modules.'),
  },
  tasks: section(['Tasks', 'Questions to people, and the pages that ask them.'], {
    maxTasks: integer('Tasks', 'Most tasks; beyond it the oldest finished ones are removed.', {
      minimum: 1,
      maximum: 1_000_000,
      default: 10_000,
    }),
    frameAncestors: origins('Frames', 'Origins of pages in which a task may be shown; none by default.'),
    messageOrigins: origins('Messages', 'Origins of pages that may be told an outcome; none by default.'),
  }),
});

function origins(title: string, description: string): JsonSchema {
  const hint = 'must be an origin without a path, for example https://portal.example, or self';
  return {
    title,
    description,
    type: 'array',
    maxItems: 64,
    default: [],
    items: { type: 'string', pattern: PAGE_ORIGIN_PATTERN, 'x-hint': hint },
  };
}

function targets(title: string, description: string): JsonSchema {
  const hint = 'must be a host, host:port, CIDR or CIDR:port, for example 10.20.0.0/16:443';
  return {
    title,
    description,
    type: 'array',
    default: [],
    items: { type: 'string', pattern: '^[^\\s/]+(?:/[^\\s/]+)?$', 'x-hint': hint },
  };
}

/** Schema of the main file. The members of `adapters` have a separate schema. */
export const settingsSchema: JsonSchema = section(
  ['gatehouse', 'Main configuration. Every key is optional; paths are relative to this file.'],
  {
    release: text('Release', 'Release of the platform that clients are told, in quotes: year.number.', {
      pattern: RELEASE_PATTERN,
      'x-hint': 'must be a year and a number in quotes, for example "2023.2"',
      default: PRESENT_RELEASE,
    }),
    server,
    auth: authSchema,
    roles,
    vault: vaultSchema,
    storage,
    adapters: {
      title: 'Adapters',
      description: 'Same content as the files of adapters/, by adapterId; an id in both places is a fault.',
      type: 'object',
      propertyNames: { type: 'string', pattern: ADAPTER_ID_PATTERN, 'x-hint': ADAPTER_ID_HINT },
    },
    egress,
    forms,
    console: section(['Console', 'The pages for people, below /ui.'], {
      enabled: flag('Enabled', 'Serve them; false serves the API alone.', true),
    }),
    log: logSchema,
    audit: section(['Audit trail', 'Who did what. A call whose record cannot be kept is refused.'], {
      file: file('File', 'File that is appended to.', { default: '../data/audit.log' }),
      durability: choice(
        'Durability',
        'written: in the file before the reply; fsync: on the disk; store: a row of the database.',
        ['written', 'fsync', 'store'],
      ),
    }),
    tracing: tracingSchema,
  },
  {},
);

/** Validates the main part again after its references were resolved. */
export function validateMain(value: unknown, compile: CompileSchema): ValidationResult {
  return compile(settingsSchema)(value);
}

/**
 * Returns the valid and resolved main part as its type. Converts a single audience or address of Vault into a
 * list.
 */
export function asSettings(value: unknown): Settings {
  const settings = value as Settings;
  const issuers = settings.auth.issuers.map((issuer) => ({ ...issuer, audience: listOf(issuer.audience) }));
  const vault = settings.vault && { ...settings.vault, address: listOf(settings.vault.address) };
  return { ...settings, auth: { ...settings.auth, issuers }, vault };
}

function listOf(value: readonly string[] | string): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Returns the schemas of the folder `config/` for editors, by file name, with the meaning and default of each
 * key.
 */
export function schemaFiles(): Readonly<Record<string, JsonSchema>> {
  const properties = settingsSchema['properties'] as Readonly<Record<string, JsonSchema>>;
  const adapters = { ...properties['adapters'], additionalProperties: { $ref: 'adapter.schema.json' } };
  return {
    'gatehouse.schema.json': { $schema: DRAFT, ...settingsSchema, properties: { ...properties, adapters } },
    'adapter.schema.json': { $schema: DRAFT, ...adapterSchema },
  };
}
