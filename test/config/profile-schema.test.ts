import assert from 'node:assert/strict';
import {
  OVERLAID_BLOCKS,
  profileSchema,
  validateOverlay,
  validateProfile,
  withoutBlanks,
} from '../../src/config/profile-schema.js';
import { compileSchema } from '../../src/json-schema/compile.js';

/** The members of a profile that clients expect, with their defaults. */
const DEFAULTS = {
  ...{ id: 'p', description: '', services: [], launchDelay: 0, launchTimeout: 0, alarmProps: [] },
  applicationProps: { directory: './node_modules/', description: '' },
  uiProps: {
    ...{ description: '', layout: '', home: '', login: '', profile: '', user_config: '', group_config: '' },
    ...{ new_user: '', edit_user: '', new_group: '', fav_icon: '', apple_touch_icon: '' },
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
      ...{ enable: false, port: 3443, key: '', cert: '', secureProtocol: '', ciphers: '' },
      ...{ client_reneg_limit: 3, client_reneg_window: 600 },
    },
    access_control_allow_origin: '*',
    allowedHttpOptionalVerbs: [],
  },
  loggerProps: {
    ...{ description: 'Logging', log_max_files: 100, log_max_file_size: 1_048_576, log_level: 'info' },
    ...{ log_directory: '/var/log/pronghorn', log_filename: 'pronghorn.log', log_timezone_offset: 0 },
    console_level: 'info',
    syslog: {
      ...{
        level: 'warning',
        host: '127.0.0.1',
        port: 514,
        protocol: 'udp4',
        facility: 'local0',
        type: 'BSD',
      },
      ...{ path: '', pid: 'process.pid', localhost: '', app_name: '', eol: '' },
    },
  },
  redisProps: {
    ...{ host: '127.0.0.1', port: 6379, db: 0, maxRetriesPerRequest: 20, maxHeartbeatWriteRetries: 20 },
  },
  auditProps: { audit: true, brokerValidation: false },
  pathProps: { sdk_dir: '', encrypted: true },
  taskWorkerProps: { active: true, tick: 100 },
  systemProps: {
    ...{ deadProcessCheck: true, deadProcessCheckInterval: 5, deadProcessMaxPeriod: 15, shutdownTimeout: 3 },
    ...{ launchDelay: 2, launchTimeout: 120, serviceHealthCheckInterval: 5 },
    ...{ serviceHealthCheckUnhealthyThreshold: 3, externalRequestTimeout: 5 },
    ...{ deviceCountPollingInterval: 24, servicesBlacklist: [] },
  },
  integrationProps: { timeout: 15_000, threadCount: 5 },
  retryStrategy: { maxRetries: 10, retryResetTimer: 60_000 },
  adapterStrategy: { device: { adapterTypes: [], exceptions: { runCommand: [] } } },
  adapterProps: { adapters: [] },
  prebuiltProps: { repoConfigs: {} },
};

describe('the schema of a profile', () => {
  const violationsOf = (profile: object): readonly string[] =>
    validateProfile({ id: 'p', ...profile }, compileSchema).violations.map(
      ({ pointer, message }) => `${pointer} ${message}`,
    );

  it('fills in the defaults of the platform, and nothing else', () => {
    const profile = { id: 'p' };
    assert.deepEqual(validateProfile(profile, compileSchema).violations, []);
    assert.deepEqual(profile, DEFAULTS);
  });

  it('marks the members that hold secrets', () => {
    const profile = {
      id: 'p',
      redisProps: { password: 'a', sentinelPassword: 'b', host: 'c' },
      mongoProps: { password: 'd', url: 'e' },
      vaultProps: { token: 'f', secret_id: 'g', role_id: 'h' },
      alarmProps: [{ community: 'i', ip: 'j' }],
    };
    assert.deepEqual([...validateProfile(profile, compileSchema).secrets].sort(), [
      ...['/alarmProps/0/community', '/mongoProps/password', '/redisProps/password'],
      ...['/redisProps/sentinelPassword', '/vaultProps/secret_id', '/vaultProps/token'],
    ]);
    assert.deepEqual(violationsOf({ vaultProps: { secret_id: 1 } }), [
      '/vaultProps/secret_id must be a string',
    ]);
  });

  it('requires the types that clients decode, and no others', () => {
    assert.deepEqual(
      violationsOf({
        ...{ description: 1, launchDelay: 'x', alarmProps: {}, services: 'a', mongoProps: 1 },
        ...{ uiProps: { login: 1 }, applicationProps: { directory: 1 }, redisProps: [] },
      }).map((line) => line.split(' ')[0]),
      [
        ...['/alarmProps', '/applicationProps/directory', '/description', '/launchDelay', '/mongoProps'],
        ...['/redisProps', '/services', '/uiProps/login'],
      ],
    );
    assert.deepEqual(violationsOf({ pathProps: { encrypted: 'yes' }, redisProps: { port: '1' } }), []);
  });

  it('says what a name must be', () => {
    const hint =
      'must be a name of at most 128 characters, without /, control characters and lone surrogates';
    assert.deepEqual(violationsOf({ id: 'a/b' }), [`/id ${hint}`]);
    assert.deepEqual(violationsOf({ id: 'x'.repeat(128) }), []);
    assert.equal(violationsOf({ id: 'x'.repeat(129) }).length, 1);
  });

  it('describes what it stores only for clients', () => {
    const properties = profileSchema['properties'] as Readonly<Record<string, { description?: string }>>;
    const stored = 'Kept for clients of the platform; this server does not use it.';
    const others = new Set(['id', 'services', ...OVERLAID_BLOCKS]);
    for (const [name, { description }] of Object.entries(properties))
      assert.equal(description === stored, !others.has(name), name);
    assert.equal(
      properties['services']?.description,
      'Adapters that run while the profile is active, and applications; empty: all.',
    );
    assert.equal(properties['id']?.description, 'The name, which does not change.');
    assert.equal(profileSchema['description'], 'Members that are not listed are kept as they are.');
  });
});

describe('the blocks of the main file that a profile may override', () => {
  const unknownIn = (blocks: object): readonly string[] =>
    validateOverlay(blocks, compileSchema).violations.map(({ pointer }) => pointer);

  it('are six, some of them with a part of their keys', () => {
    assert.deepEqual(OVERLAID_BLOCKS, ['egress', 'roles', 'access', 'limits', 'forms', 'log']);
    const egress = {
      ...{ public: true, allow: [], deny: [], maxReplyBytes: 1_000_000, timeoutMs: 1000 },
      ...{ concurrent: 8, concurrentPerSubject: 8, memoryBytes: 100_000_000 },
    };
    const forms = { maxBytes: 100_000, maxForms: 10, maxVersions: 10 };
    assert.deepEqual(unknownIn({ egress, forms, log: { level: 'debug' } }), []);
    assert.deepEqual(unknownIn({ egress: { adapters: [] }, forms: { folder: 'a' }, log: { file: 'a' } }), [
      '/egress/adapters',
      '/forms/folder',
      '/log/file',
    ]);
  });

  it('keep what a profile leaves out of them', () => {
    const profile = { id: 'p', log: {}, egress: {} };
    validateProfile(profile, compileSchema);
    assert.deepEqual([profile.log, profile.egress], [{}, {}]);
  });
});

describe('withoutBlanks', () => {
  it('removes null, and empty texts of members that are no texts', () => {
    const blank = {
      ...{ id: '', description: '', services: '', launchDelay: null, uiProps: '', mongoProps: null },
      redisProps: { host: '', port: '', db: null, password: '', own: '' },
      ...{ own: null, more: '' },
    };
    assert.deepEqual(withoutBlanks(blank), {
      ...{ id: '', description: '' },
      redisProps: { host: '', password: '', own: '' },
      ...{ own: null, more: '' },
    });
  });

  it('keeps members with the names of what every object has', () => {
    const own = { constructor: null, redisProps: { toString: '' } };
    assert.deepEqual(withoutBlanks(own), own);
  });
});
