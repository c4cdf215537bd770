import { ADAPTER_ID_HINT, ADAPTER_ID_PATTERN } from '../core/adapter-names.js';
import { PRESENT_RELEASE, RELEASE_PATTERN } from '../core/deprecation.js';
import { globalAccessSchema } from './access.js';
import { authSchema } from './auth.js';
import { formsSchema } from './forms.js';
import type { FromSchema } from './from-schema.js';
import { limitsSchema } from './limits.js';
import { logSchema } from './log.js';
import { mcpSchema } from './mcp.js';
import { notificationsSchema } from './notifications.js';
import { metricsSchema, tracingSchema } from './otlp.js';
import { atStart, choice, file, flag, integer, section, text, bytes, milliseconds } from './schema-parts.js';
import { secretsSchema } from './secret-files.js';
import { serverSchema } from './server.js';
import { vaultSchema } from './vault.js';

/** Schema of the key `egress`. */
const egressSchema = section(['Egress', 'Targets that POST /tools/restCall may reach.'], {
  public: flag('Public addresses', 'True allows all public addresses; false only those of allow.', false),
  allow: targets(
    'Allowed targets',
    'Host, address or CIDR, each with an optional port. Private and special ranges are denied unless they are listed here. Ports of other services, such as 22 or 5432, are denied unless an entry names the port.',
  ),
  deny: targets('Denied targets', 'Same syntax as allow; takes precedence over allow.'),
  adapters: targets(
    'Targets of adapters',
    'Loopback, link-local, metadata and multicast addresses that adapters registered through the API may reach. Same syntax as allow.',
  ),
  maxReplyBytes: bytes('Reply size', 'Maximum size of a reply, in bytes.', 10_485_760),
  timeoutMs: milliseconds('Time-out', 'Milliseconds for a whole call.', 30_000),
  concurrent: integer(
    'Calls',
    'Maximum number of concurrent calls of all callers, until their replies are sent; others get egress_busy.',
    {
      minimum: 1,
      maximum: 10_000,
      default: 16,
    },
  ),
  concurrentPerSubject: integer(
    'Calls of a caller',
    'Maximum number of concurrent calls of one caller; others get too_many_requests.',
    {
      minimum: 1,
      maximum: 10_000,
      default: 4,
    },
  ),
  memoryBytes: bytes(
    'Memory',
    'Maximum memory for replies, in bytes; each call counts twice maxReplyBytes. One call is always admitted.',
    335_544_320,
  ),
});

function targets(title: string, description: string) {
  const hint = 'must be a host, host:port, CIDR or CIDR:port, for example 10.20.0.0/16:443';
  return {
    title,
    description,
    type: 'array',
    default: [],
    items: { type: 'string', pattern: '^[^\\s/]+(?:/[^\\s/]+)?$', 'x-hint': hint },
  } as const;
}

const roles = {
  title: 'Roles of operations',
  description:
    'Roles that may call an operation, by operation, in place of its default roles, for example orchestrator-manager.restQuery: [admin, readonly]. An empty list admits nobody.',
  type: 'object',
  default: {},
  additionalProperties: {
    type: 'array',
    uniqueItems: true,
    items: { type: 'string', minLength: 1 },
  },
} as const;

const storage = section(
  ['Storage', 'Where records are stored.'],
  {
    url: text(
      'Storage URL',
      'sqlite:<file> for one node, sqlite::memory: (lost at the end of the process), or postgres://user:password@host:port/name for a cluster, with several hosts separated by commas. The whole URL may be a $VAULT_ reference.',
      {
        pattern: '^(sqlite:.|postgres(ql)?://.)',
        'x-hint': 'must be a URL such as sqlite:../data/gatehouse.db or postgres://user@host:5432/gatehouse',
        'x-path': true,
        default: 'sqlite:../data/gatehouse.db',
      },
    ),
  },
  { default: {}, 'x-restart': true },
);

const lists = section(
  ['Lists', 'Lists of adapters, applications and profiles.'],
  {
    defaultLimit: integer(
      'Default limit',
      'Maximum number of entries in a reply to a request without a limit; the header Link names the next page.',
      { minimum: 1, maximum: 1_000_000, default: 10_000 },
    ),
  },
  { default: {}, 'x-restart': true },
);

/** Schema of the main file. The members of `adapters` have a separate schema. */
export const settingsSchema = section(
  ['gatehouse', 'Main configuration. Every key is optional; paths are relative to this file.'],
  {
    release: atStart(
      text(
        'Release',
        'Release of the platform that clients see. It decides which deprecated operations are served.',
        {
          pattern: RELEASE_PATTERN,
          'x-hint': 'must be a year and a number in quotes, for example "2023.2"',
          default: PRESENT_RELEASE,
        },
      ),
    ),
    server: serverSchema,
    auth: authSchema,
    roles,
    access: globalAccessSchema,
    limits: limitsSchema,
    vault: vaultSchema,
    secrets: secretsSchema,
    storage,
    adapters: {
      title: 'Adapters',
      description:
        'Adapters by adapterId, with the keys of a file in adapters/. An id that also has a file is an error.',
      type: 'object',
      propertyNames: { type: 'string', pattern: ADAPTER_ID_PATTERN, 'x-hint': ADAPTER_ID_HINT },
    },
    egress: egressSchema,
    lists,
    forms: formsSchema,
    console: section(
      ['Console', 'Web pages for people, below /ui.'],
      {
        enabled: flag('Enabled', 'True serves the pages; false serves only the API.', true),
      },
      { default: {}, 'x-restart': true },
    ),
    mcp: mcpSchema,
    log: logSchema,
    audit: section(
      ['Audit trail', 'Records of who did what. A call whose record cannot be written is rejected.'],
      {
        file: file('File', 'File that records are appended to.', { default: '../data/audit.log' }),
        durability: choice(
          'Durability',
          'Where a record is before the reply is sent. written: in the file; fsync: on the disk; store: in the database, in place of the file.',
          ['written', 'fsync', 'store'],
        ),
      },
      { default: {}, 'x-restart': true },
    ),
    tracing: tracingSchema,
    metrics: metricsSchema,
    notifications: notificationsSchema,
  },
  {},
);

/** Settings of the main configuration file, with all defaults. Paths are absolute. */
export type Settings = Omit<FromSchema<typeof settingsSchema>, 'adapters'>;

export type AuthSettings = Settings['auth'];

export type SessionLifetimes = AuthSettings['sessions'];

/** How certificates of callers become principals. */
export type ClientCertificateSettings = AuthSettings['clientCertificates'];

/** The built-in issuer, whose key is created on the first start. */
export type LocalIssuerSettings = AuthSettings['local'];

/** Limits for wrong passwords. */
export type AttemptSettings = LocalIssuerSettings['attempts'];

/** One trusted token issuer. Exactly one of the four key sources is set. */
export type IssuerSettings = AuthSettings['issuers'][number];

export type ClaimRoles = NonNullable<IssuerSettings['claimRoles']>[number];

export type ClaimValue = ClaimRoles['values'][number];

/** Settings of gatehouse as an OpenID Connect client of an identity provider. */
export type SignInSettings = NonNullable<IssuerSettings['signIn']>;

export type ServerSettings = Settings['server'];

/** Access of pages of other origins (CORS). */
export type CorsSettings = ServerSettings['cors'];

/** Thresholds above which calls are refused. */
export type OverloadSettings = NonNullable<ServerSettings['overload']>;

/**
 * Allowed destinations of `POST /tools/restCall`. An entry is `host`, `host:port`, `CIDR` or `CIDR:port`,
 * with IPv6 in brackets. The block of a profile has no `adapters`.
 */
export type EgressSettings = Omit<Settings['egress'], 'adapters'> &
  Partial<Pick<Settings['egress'], 'adapters'>>;

export type AuditSettings = Settings['audit'];
