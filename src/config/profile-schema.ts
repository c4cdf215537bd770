import type { CompileSchema, JsonSchema, ValidationResult } from '../core/schema.js';
import { isJsonObject } from '../json/json-object.js';
import { settingsSchema } from '../settings/settings.js';

/**
 * Default values of a profile (wire section 5.4). All of them belong to the platform: clients expect a full
 * profile back. This server stores it for them and uses only `services`.
 */
const PROFILE_DEFAULTS = {
  description: '',
  services: [],
  launchDelay: 0,
  launchTimeout: 0,
  applicationProps: { directory: './node_modules/', description: '' },
  uiProps: {
    description: '',
    layout: '',
    home: '',
    login: '',
    profile: '',
    user_config: '',
    group_config: '',
    new_user: '',
    edit_user: '',
    new_group: '',
    fav_icon: '',
    apple_touch_icon: '',
  },
  authenticationProps: {
    uniqueSession: false,
    admins: [{ group: 'pronghorn_admin', provenance: 'local_aaa' }],
    brokerPrincipal: '',
    sso: { enabled: false, config: {} },
    logoutTime: 60,
    cookieName: 'token',
  },
  expressProps: {
    cacheControl: false,
    timeout: 600_000,
    express_http: { enable: true, port: 3000 },
    express_https: {
      enable: false,
      port: 3443,
      key: '',
      cert: '',
      secureProtocol: '',
      ciphers: '',
      client_reneg_limit: 3,
      client_reneg_window: 600,
    },
    access_control_allow_origin: '*',
    allowedHttpOptionalVerbs: [],
  },
  loggerProps: {
    description: 'Logging',
    log_max_files: 100,
    log_max_file_size: 1_048_576,
    log_level: 'info',
    log_directory: '/var/log/pronghorn',
    log_filename: 'pronghorn.log',
    log_timezone_offset: 0,
    console_level: 'info',
    syslog: {
      level: 'warning',
      host: '127.0.0.1',
      port: 514,
      protocol: 'udp4',
      facility: 'local0',
      type: 'BSD',
      path: '',
      pid: 'process.pid',
      localhost: '',
      app_name: '',
      eol: '',
    },
  },
  redisProps: {
    host: '127.0.0.1',
    port: 6379,
    db: 0,
    maxRetriesPerRequest: 20,
    maxHeartbeatWriteRetries: 20,
  },
  auditProps: { audit: true, brokerValidation: false },
  pathProps: { sdk_dir: '', encrypted: true },
  alarmProps: [],
  taskWorkerProps: { active: true, tick: 100 },
  systemProps: {
    deadProcessCheck: true,
    deadProcessCheckInterval: 5,
    deadProcessMaxPeriod: 15,
    shutdownTimeout: 3,
    launchDelay: 2,
    launchTimeout: 120,
    serviceHealthCheckInterval: 5,
    serviceHealthCheckUnhealthyThreshold: 3,
    externalRequestTimeout: 5,
    deviceCountPollingInterval: 24,
    servicesBlacklist: [],
  },
  integrationProps: { timeout: 15_000, threadCount: 5 },
  retryStrategy: { maxRetries: 10, retryResetTimer: 60_000 },
  adapterStrategy: { device: { adapterTypes: [], exceptions: { runCommand: [] } } },
  adapterProps: { adapters: [] },
  prebuiltProps: { repoConfigs: {} },
} as const;

/** Keys of the main file that a profile may override, by block; undefined: all keys of the block. */
const OVERLAY_KEYS: Readonly<Record<string, readonly string[] | undefined>> = {
  // Without `adapters`: who registers an adapter could activate a profile that opens its target.
  egress: [
    ...['public', 'allow', 'deny', 'maxReplyBytes', 'timeoutMs'],
    ...['concurrent', 'concurrentPerSubject', 'memoryBytes'],
  ],
  roles: undefined,
  access: undefined,
  limits: undefined,
  forms: ['maxBytes', 'maxForms', 'maxVersions'],
  log: ['level'],
};

/** Blocks of the main file that a profile may override. */
export const OVERLAID_BLOCKS: readonly string[] = Object.keys(OVERLAY_KEYS);

const overlaySchema: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(OVERLAY_KEYS).map(([blockSchema, keys]) => [
      blockSchema,
      selectKeys(blockOf(blockSchema), keys),
    ]),
  ),
};

/** Validates the overriding blocks of a profile. */
export function validateOverlay(value: unknown, compile: CompileSchema): ValidationResult {
  return compile(overlaySchema)(value);
}

function selectKeys(blockSchema: JsonSchema, keys: readonly string[] | undefined): JsonSchema {
  if (!keys) return blockSchema;
  const all = blockSchema['properties'] as Readonly<Record<string, JsonSchema>>;
  return { ...blockSchema, properties: Object.fromEntries(keys.map((key) => [key, all[key]])) };
}

function blockOf(name: string): JsonSchema {
  return (settingsSchema['properties'] as Readonly<Record<string, JsonSchema>>)[name] ?? {};
}

/** Name that is used in a URL, after `/profiles/`. */
const PROFILE_NAME: JsonSchema = {
  type: 'string',
  description: 'The name, which does not change.',
  pattern: '^(?!\\.{1,2}$)[^/\\u0000-\\u001f\\u007f\\ud800-\\udfff]{1,128}$',
  'x-hint': 'must be a name of at most 128 characters, without /, control characters and lone surrogates',
};

/** Members that hold secrets in profiles of the platform. They stay empty here. */
const SECRET_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  redisProps: ['password', 'sentinelPassword'],
  mongoProps: ['password'],
  vaultProps: ['token', 'secret_id'],
};

/** Description of members that are stored for clients and have no effect here. */
const STORED_ONLY = 'Kept for clients of the platform; this server does not use it.';

/** Blocks whose members clients decode individually, as texts. */
const STRICT_BLOCKS = new Set(['applicationProps', 'uiProps']);

/**
 * Schema of a profile: the platform's members with their defaults, and the blocks that override the main
 * file.
 */
export const profileSchema: JsonSchema = {
  title: 'Profile',
  description: 'Members that are not listed are kept as they are.',
  type: 'object',
  required: ['id'],
  properties: {
    id: PROFILE_NAME,
    ...Object.fromEntries(
      Object.entries(PROFILE_DEFAULTS).map(([name, preset]) => [name, memberSchema(name, preset)]),
    ),
    ...Object.fromEntries(
      Object.entries(SECRET_MEMBERS).map(([name, secrets]) => [name, withSecrets(name, secrets)]),
    ),
    services: {
      type: 'array',
      default: [],
      items: { type: 'string' },
      description: 'Adapters that run while the profile is active, and applications; empty: all.',
    },
    alarmProps: {
      type: 'array',
      default: [],
      description: STORED_ONLY,
      items: { type: 'object', properties: { community: { type: 'string', 'x-secret': true } } },
    },
    ...(withoutDefaults(overlaySchema)['properties'] as Readonly<Record<string, JsonSchema>>),
  },
};

/** Validates a profile and fills in the defaults of the platform's members. */
export function validateProfile(profile: unknown, compile: CompileSchema): ValidationResult {
  return compile(profileSchema)(profile);
}

/**
 * Returns a profile without blank members: null, and an empty text if the member is not a text. Programs send
 * them for unknown values.
 */
export function withoutBlanks(
  profile: Readonly<Record<string, unknown>>,
  schema: JsonSchema = profileSchema,
): Record<string, unknown> {
  const known = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const schemaOf = (name: string): JsonSchema => (Object.hasOwn(known, name) ? known[name] : undefined) ?? {};
  return Object.fromEntries(
    Object.entries(profile)
      .filter(([name, value]) => !Object.hasOwn(known, name) || !isBlank(value, schemaOf(name)))
      .map(([name, value]) => [name, isJsonObject(value) ? withoutBlanks(value, schemaOf(name)) : value]),
  );
}

function isBlank(value: unknown, { type, default: preset }: JsonSchema): boolean {
  return value === null || (value === '' && type !== 'string' && typeof preset !== 'string');
}

function memberSchema(name: string, preset: unknown): JsonSchema {
  if (!isJsonObject(preset)) return { ...typedSchema(preset), description: STORED_ONLY };
  const inner = (value: unknown): JsonSchema => {
    if (isJsonObject(value)) return blockSchema(value, inner);
    return STRICT_BLOCKS.has(name) ? typedSchema(value) : { default: value };
  };
  return { ...blockSchema(preset, inner), description: STORED_ONLY };
}

function blockSchema(preset: object, inner: (value: unknown) => JsonSchema): JsonSchema {
  const properties = Object.entries(preset).map(([name, value]) => [name, inner(value)] as const);
  return { type: 'object', default: {}, properties: Object.fromEntries(properties) };
}

function typedSchema(preset: unknown): JsonSchema {
  if (Array.isArray(preset)) return { type: 'array', default: preset };
  return { type: typeof preset === 'number' ? 'integer' : typeof preset, default: preset };
}

function withSecrets(name: string, secrets: readonly string[]): JsonSchema {
  const preset: unknown = (PROFILE_DEFAULTS as Readonly<Record<string, unknown>>)[name];
  const all = isJsonObject(preset)
    ? memberSchema(name, preset)
    : { type: 'object', description: STORED_ONLY, properties: {} };
  const secretSchemas = secrets.map((secret) => [secret, { type: 'string', 'x-secret': true }] as const);
  return { ...all, properties: { ...(all['properties'] as object), ...Object.fromEntries(secretSchemas) } };
}

/** Returns a schema without defaults. Keys that a profile leaves out of a block come from the main file. */
function withoutDefaults(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => keyword !== 'default');
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, isJsonObject(value) ? withoutDefaults(value) : value]),
  );
}
