import { ADAPTER_ID_HINT, ADAPTER_ID_PATTERN } from '../core/adapter-document.js';
import { PRESENT_RELEASE, RELEASE_PATTERN } from '../core/deprecation.js';
import type { CompileSchema, JsonSchema, ValidationResult } from '../core/schema.js';
import type { Settings } from '../core/settings.js';
import { CLIENT_CERTIFICATES } from '../core/listener-tls.js';
import { authSchema } from './auth-schema.js';
import { egressSchema } from './egress-schema.js';
import { logSchema, metricsSchema, tracingSchema } from './telemetry-schema.js';
import {
  bytes,
  choice,
  file,
  flag,
  HOST_PORT_PATTERN,
  integer,
  milliseconds,
  optionalFile,
  ORIGIN_PATTERN,
  section,
  text,
} from './schema-parts.js';
import { tasksSchema } from './tasks-schema.js';
import { vaultSchema } from './vault-schema.js';

const server: JsonSchema = section(['Server', 'The listener of the API.'], {
  listen: text('Listen address', 'host:port; an IPv6 host is in brackets.', {
    pattern: HOST_PORT_PATTERN,
    'x-hint': 'must be host:port with a port up to 65535, for example 127.0.0.1:3000 or [::1]:3000',
    default: '127.0.0.1:3000',
  }),
  publicUrl: {
    ...text('Public URL', 'Origin at which browsers reach the server; the issuer redirects sign-ins to it.', {
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
      clientCaFile: optionalFile(
        'Client CA file',
        'PEM file of the CA certificates that the certificates of callers must come from; null accepts none.',
      ),
      clientCrlFile: optionalFile(
        'Client CRL file',
        'PEM file with one revocation list for each CA of callers; null checks no revocation.',
      ),
      clientCertificates: choice(
        'Client certificates',
        'none: callers are not asked for a certificate; optional: they may present one; required: connections without one are refused.',
        CLIENT_CERTIFICATES,
      ),
      hsts: {
        ...text(
          'HSTS',
          'Value of Strict-Transport-Security, which applies to all ports of the host; null sends no header.',
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
  limits: section(['Limits', 'Limits of requests and connections.'], {
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
      'Milliseconds that an idle connection stays open.',
      65_000,
    ),
    connections: integer('Connections', 'Maximum number of concurrent connections.', {
      minimum: 1,
      maximum: 1_000_000,
      default: 10_000,
    }),
    connectionsPerAddress: integer(
      'Connections of an address',
      'Maximum number of concurrent connections of an IPv4 address or an IPv6 /64 network; null allows half of all.',
      { type: ['integer', 'null'], minimum: 1, maximum: 1_000_000, default: null },
    ),
  }),
  overload: section(
    ['Overload', 'Load above which calls are refused with 503; null refuses none.'],
    {
      loopDelayMs: milliseconds('Delay', 'Maximum delay of the event loop, in milliseconds.', 50),
      memoryPercent: integer('Memory', 'Maximum use of the heap or of the available memory, in percent.', {
        minimum: 10,
        maximum: 100,
        default: 90,
      }),
      calls: integer('Calls', 'Maximum number of calls in flight.', {
        minimum: 1,
        maximum: 1_000_000,
        default: 5000,
      }),
      unreadySeconds: integer('Not ready after', 'Seconds of overload after which /readyz answers 503.', {
        minimum: 1,
        maximum: 86_400,
        default: 30,
      }),
    },
    { type: ['object', 'null'], default: {} },
  ),
  trustedProxies: {
    title: 'Trusted proxies',
    description:
      'Addresses and networks (CIDR) of load balancers in front of the server. Their X-Forwarded-For and X-Forwarded-Proto, or PROXY header, name the client.',
    type: 'array',
    uniqueItems: true,
    items: text('Proxy', 'An IP address, or a network such as 10.1.0.0/16 or 2001:db8::/48.', {
      pattern: '^[0-9A-Fa-f:.]+(?:/(?!0+$)\\d{1,3})?$',
      'x-hint': 'must be an IP address or a network, for example 10.1.2.3, 10.1.0.0/16 or 2001:db8::/48',
    }),
    default: [],
  },
  proxyProtocol: {
    title: 'PROXY protocol',
    description:
      'Version of the PROXY header with which every connection of a trusted proxy starts: v1, v2, or any of both; null: connections start with TLS or HTTP.',
    enum: ['v1', 'v2', 'any', null],
    default: null,
  },
  lameDuckSeconds: integer(
    'Lame duck time',
    'Seconds after SIGTERM or SIGINT in which /readyz answers 503 and calls are still accepted, so that load balancers send new calls elsewhere.',
    { minimum: 0, maximum: 600, default: 0 },
  ),
  drainSeconds: integer('Drain time', 'Seconds that a stop waits for running calls.', {
    minimum: 0,
    maximum: 3600,
    default: 30,
  }),
  watchdogSeconds: integer(
    'Watchdog',
    'CPU seconds after which code that does not return, such as an endless loop of a plugin, ends the process; 0: never.',
    { minimum: 0, maximum: 3600, default: 30 },
  ),
  workers: {
    title: 'Call workers',
    description:
      'Number of processes that serve calls. 1: only the main process; auto: one process per processor.',
    anyOf: [{ type: 'integer', minimum: 1, maximum: 256 }, { const: 'auto' }],
    'x-hint': 'must be a number from 1 to 256, or auto',
    default: 1,
  },
  adapterStarts: {
    title: 'Adapter starts',
    description:
      'Number of adapters that may start at the same time, if their start takes processor time, as that of community adapters; auto: one per processor.',
    anyOf: [{ type: 'integer', minimum: 1, maximum: 256 }, { const: 'auto' }],
    'x-hint': 'must be a number from 1 to 256, or auto',
    default: 'auto',
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

const storage: JsonSchema = section(['Storage', 'Where records are stored.'], {
  url: text(
    'Storage URL',
    'sqlite:<file>, sqlite::memory: (lost at the end of the process), or postgres://user:password@host:port/name. The whole URL may be a $VAULT_ reference.',
    {
      pattern: '^(sqlite:.|postgres(ql)?://.)',
      'x-hint': 'must be a URL such as sqlite:../data/gatehouse.db or postgres://user@host:5432/gatehouse',
      'x-path': true,
      default: 'sqlite:../data/gatehouse.db',
    },
  ),
});

const forms: JsonSchema = section(['Forms', 'JSON forms, and the JSON Schemas that callers send.'], {
  maxBytes: bytes('Form size', 'Largest form, and largest schema with its data, in bytes.', 1_048_576),
  maxForms: integer('Forms', 'Maximum number of forms.', {
    minimum: 1,
    maximum: 10_000_000,
    default: 100_000,
  }),
  maxVersions: integer('Versions', 'Maximum number of previous versions of each form.', {
    minimum: 0,
    maximum: 1000,
    default: 20,
  }),
  validateTimeoutMs: milliseconds(
    'Validation time-out',
    'Maximum time of one validation against the schema of a caller or a form, in milliseconds.',
    250,
  ),
  validateMemoryMb: integer('Validation memory', 'Megabytes of heap that one validation may use.', {
    minimum: 32,
    maximum: 4096,
    default: 64,
  }),
  yangPath: {
    title: 'YANG folders',
    description: 'Folders that are searched for imported YANG modules.',
    type: 'array',
    default: [],
    items: file('Folder', 'Folder with YANG modules.'),
  },
  tasks: tasksSchema,
});

const lists: JsonSchema = section(['Lists', 'Lists of adapters, applications and profiles.'], {
  defaultLimit: integer(
    'Default limit',
    'Entries of a reply to a request without a limit; the header Link names the next page.',
    { minimum: 1, maximum: 1_000_000, default: 10_000 },
  ),
});

/** Schema of the main file. The members of `adapters` have a separate schema. */
export const settingsSchema: JsonSchema = section(
  ['gatehouse', 'Main configuration. Every key is optional; paths are relative to this file.'],
  {
    release: text('Release', 'Release of the platform that clients see, in quotes: year.number.', {
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
      description:
        'Adapters by adapterId, with the content of a file of adapters/. An id that also has a file is a fault.',
      type: 'object',
      propertyNames: { type: 'string', pattern: ADAPTER_ID_PATTERN, 'x-hint': ADAPTER_ID_HINT },
    },
    egress: egressSchema,
    lists,
    forms,
    console: section(['Console', 'Web pages for people, below /ui.'], {
      enabled: flag('Enabled', 'True serves the pages; false serves only the API.', true),
    }),
    log: logSchema,
    audit: section(
      ['Audit trail', 'Records of who did what. A call whose record cannot be written is refused.'],
      {
        file: file('File', 'File that records are appended to.', { default: '../data/audit.log' }),
        durability: choice(
          'Durability',
          'Where the record is before the reply. written: in the file; fsync: on the disk; store: in the database.',
          ['written', 'fsync', 'store'],
        ),
      },
    ),
    tracing: tracingSchema,
    metrics: metricsSchema,
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
