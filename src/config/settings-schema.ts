import { ADAPTER_ID_HINT, ADAPTER_ID_PATTERN } from '../core/adapter-document.js';
import { PRESENT_RELEASE, RELEASE_PATTERN } from '../core/deprecation.js';
import type { CompileSchema, JsonSchema, ValidationResult } from '../core/schema.js';
import type { Settings } from '../core/settings.js';
import { globalAccessSchema } from './access-schema.js';
import { authSchema } from './auth-schema.js';
import { egressSchema } from './egress-schema.js';
import { limitsSchema } from './limits-schema.js';
import { mcpSchema } from './mcp-schema.js';
import { notificationsSchema } from './notifications-schema.js';
import { bytes, choice, file, flag, integer, milliseconds, section, text } from './schema-parts.js';
import { secretsSchema } from './secret-files-schema.js';
import { serverSchema } from './server-schema.js';
import { tasksSchema } from './tasks-schema.js';
import { logSchema, metricsSchema, tracingSchema } from './telemetry-schema.js';
import { vaultSchema } from './vault-schema.js';

const roles: JsonSchema = {
  title: 'Roles of operations',
  description:
    'Roles that may call an operation, by operation, in place of its default roles, for example orchestrator-manager.restQuery: [admin, readonly].',
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
    'sqlite:<file> for one node, sqlite::memory: (lost at the end of the process), or postgres://user:password@host:port/name for a cluster, with several hosts separated by commas. The whole URL may be a $VAULT_ reference.',
    {
      pattern: '^(sqlite:.|postgres(ql)?://.)',
      'x-hint': 'must be a URL such as sqlite:../data/gatehouse.db or postgres://user@host:5432/gatehouse',
      'x-path': true,
      default: 'sqlite:../data/gatehouse.db',
    },
  ),
});

const forms: JsonSchema = section(['Forms', 'JSON forms, and the JSON Schemas that callers send.'], {
  maxBytes: bytes('Form size', 'Maximum size of a form, and of a schema with its data, in bytes.', 1_048_576),
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
    'Maximum time of one validation against the schema of a caller or a form, in milliseconds. A separate limit of steps does not depend on the load of the machine.',
    10_000,
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
  yang: yangSchema(),
  tasks: tasksSchema,
});

function yangSchema(): JsonSchema {
  return section(['YANG', 'Limits of one conversion of YANG modules to JSON Schema.'], {
    maxBytes: bytes(
      'Size of the texts',
      'Maximum size of a request with YANG modules in bytes, and maximum number of characters of all modules with their imports.',
      67_108_864,
    ),
    maxStatements: integer('Statements', 'Maximum number of statements of all modules.', {
      minimum: 1,
      maximum: 100_000_000,
      default: 4_000_000,
    }),
    maxNodes: integer('Nodes', 'Maximum number of schema nodes after groupings are expanded.', {
      minimum: 1,
      maximum: 100_000_000,
      default: 1_000_000,
    }),
    timeoutMs: milliseconds('Time-out', 'Maximum time of one conversion, in milliseconds.', 60_000),
    memoryMb: integer('Memory', 'Megabytes of heap that one conversion may use.', {
      minimum: 64,
      maximum: 16_384,
      default: 1024,
    }),
  });
}

const lists: JsonSchema = section(['Lists', 'Lists of adapters, applications and profiles.'], {
  defaultLimit: integer(
    'Default limit',
    'Maximum number of entries in a reply to a request without a limit; the header Link names the next page.',
    { minimum: 1, maximum: 1_000_000, default: 10_000 },
  ),
});

/** Schema of the main file. The members of `adapters` have a separate schema. */
export const settingsSchema: JsonSchema = section(
  ['gatehouse', 'Main configuration. Every key is optional; paths are relative to this file.'],
  {
    release: text(
      'Release',
      'Release of the platform that clients see. It decides which deprecated operations are served.',
      {
        pattern: RELEASE_PATTERN,
        'x-hint': 'must be a year and a number in quotes, for example "2023.2"',
        default: PRESENT_RELEASE,
      },
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
    forms,
    console: section(['Console', 'Web pages for people, below /ui.'], {
      enabled: flag('Enabled', 'True serves the pages; false serves only the API.', true),
    }),
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
    ),
    tracing: tracingSchema,
    metrics: metricsSchema,
    notifications: notificationsSchema,
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
