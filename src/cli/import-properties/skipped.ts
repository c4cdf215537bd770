import type { Reason } from './import-report.js';

const reason = (why: string, instead: string): Reason => ({ why, instead });

/** Reasons for blocks of a properties file or profile that have no counterpart. */
export const BLOCK_REASONS: ReadonlyMap<string, Reason> = new Map([
  ['id', reason('A configuration has no name.', 'Nothing to do.')],
  ['description', reason('A configuration has no description.', 'Write a comment into gatehouse.yaml.')],
  ['serverName', reason('A server is identified by its host.', 'Nothing to do.')],
  ['serverId', reason('A server creates its id.', 'Nothing to do.')],
  [
    'mongoProps',
    reason(
      'Forms and registered adapters are stored in SQLite or PostgreSQL.',
      'Set storage.url to a PostgreSQL database if there are several nodes. Move the forms with GET /json-forms/forms and POST /json-forms/import/forms.',
    ),
  ],
  [
    'redisProps',
    reason('Tokens are signed, so there are no stored sessions and no Redis.', 'Nothing to do.'),
  ],
  ['rabbitmqProps', reason('Nodes exchange messages through the database.', 'Nothing to do.')],
  [
    'expressProps',
    reason(
      'The listener has no such setting.',
      'Set sizes and time-outs in server.limits. Node.js chooses the ciphers; a proxy can allow other origins.',
    ),
  ],
  ['loggerProps', reason('The log has no such setting.', 'See the key log in docs/reference/settings.md.')],
  [
    'authenticationProps',
    reason(
      'Tokens carry the roles of a caller.',
      'Add your identity provider to auth.issuers with a roleMap (docs/how-to/trust-a-token-issuer.md), or people to auth.local.users (docs/how-to/manage-local-users.md).',
    ),
  ],
  [
    'auditProps',
    reason(
      'The audit trail is always on.',
      'Set audit.file or audit.durability: docs/how-to/use-the-audit-trail.md.',
    ),
  ],
  [
    'alarmProps',
    reason(
      'No SNMP traps are sent.',
      'Scrape /metrics with Prometheus, and load deploy/prometheus/alerts.yaml.',
    ),
  ],
  ['applicationProps', reason('The applications are part of the product.', 'Nothing to do.')],
  ['uiProps', reason('The pages are part of the product.', 'Nothing to do.')],
  ['pathProps', reason('There is no SDK folder.', 'Nothing to do.')],
  [
    'systemProps',
    reason(
      'Adapters are not processes that must be supervised.',
      'Set health.intervalSeconds of an adapter, and server.drainSeconds for the wait of a stop.',
    ),
  ],
  ['taskWorkerProps', reason('There is no workflow engine.', 'Nothing to do.')],
  ['processTasksOnStart', reason('There is no workflow engine.', 'Nothing to do.')],
  ['processJobsOnStart', reason('There is no workflow engine.', 'Nothing to do.')],
  [
    'integrationProps',
    reason('There are no integrations without code.', 'Write an adapter with the plugin http-rest.'),
  ],
  ['retryStrategy', reason('A failed start of an adapter is retried automatically.', 'Nothing to do.')],
  ['adapterStrategy', reason('There is no device broker.', 'Nothing to do.')],
  ['adapterProps', reason('Only the service configs in adapters[] are read.', 'Nothing to do.')],
  ['prebuiltProps', reason('There are no prebuilts.', 'Nothing to do.')],
  [
    'services',
    reason(
      'All applications of the product are always active; other applications are not part of it.',
      'Nothing to do.',
    ),
  ],
  ['launchDelay', reason('Adapters start concurrently.', 'Nothing to do.')],
  ['launchTimeout', reason('A failed start is retried.', 'Nothing to do.')],
  [
    'vaultProps',
    reason('The login to Vault has no such setting.', 'See the key vault in docs/how-to/set-up-vault.md.'),
  ],
]);

/** Reasons for adapter settings that have no counterpart in http-rest and restconf. */
export const ADAPTER_BLOCK_REASONS: ReadonlyMap<string, Reason> = new Map([
  ['host', reason('The value is not a valid host name of a URL.', 'Write baseUrl by hand.')],
  ['port', reason('The value is not a valid port.', 'Write the port into baseUrl.')],
  ['protocol', reason('Orchestrators are reached over http and https.', 'Write baseUrl by hand.')],
  ['base_path', reason('The value is not a valid path of a URL.', 'Write baseUrl by hand.')],
  ['version', reason('The value is not a valid path of a URL.', 'Write baseUrl by hand.')],
  [
    'authentication',
    reason(
      'The imported login does not use this value.',
      'See docs/how-to/log-in-to-an-orchestrator.md if the orchestrator requires more.',
    ),
  ],
  ['healthcheck', reason('A health check is a GET of health.path.', 'Set health.path.')],
  [
    'throttle',
    reason(
      'Each adapter has one queue of waiting calls, with or without a limit.',
      'See queue in docs/how-to/tune-an-adapter.md.',
    ),
  ],
  [
    'request',
    reason(
      'Requests are forwarded unchanged, and redirects are not followed.',
      'See retry and timeouts in docs/how-to/tune-an-adapter.md, and options.headers of http-rest.',
    ),
  ],
  [
    'proxy',
    reason(
      'A proxy is used over http and without credentials; a disabled proxy is not imported.',
      'Set proxy.',
    ),
  ],
  [
    'ssl',
    reason(
      'Node.js chooses versions, ciphers and curves; disabled settings are not imported.',
      'Set tls.caFile, tls.certFile and tls.keyFile if they are needed.',
    ),
  ],
  ['mongo', reason('Adapters have no database.', 'Nothing to do.')],
  ['devicebroker', reason('There is no device broker.', 'Nothing to do.')],
  ['cache', reason('The read cache has other settings.', 'Set cache if replies may be cached.')],
  ['cache_location', reason('Each process has its own read cache.', 'Nothing to do.')],
  ['save_metric', reason('Calls are always measured.', 'See GET /metrics.')],
  ['encode_pathvars', reason('Callers encode their paths.', 'Nothing to do.')],
  ['encode_queryvars', reason('Callers encode their queries.', 'Nothing to do.')],
  ['choosepath', reason('The caller chooses the path.', 'Nothing to do.')],
]);

/** Reasons for leaving out a whole service config. */
export const SERVICE_CONFIG_REASONS = {
  application: reason('The applications are part of the product.', 'Nothing to do.'),
  integration: reason(
    'There are no integrations without code.',
    'Write an adapter with the plugin http-rest.',
  ),
  people: reason(
    'People are not looked up through adapters.',
    'Add your identity provider to auth.issuers (docs/how-to/trust-a-token-issuer.md), or people to auth.local.users (docs/how-to/manage-local-users.md).',
  ),
  mail: reason('Adapters send no mail.', 'Set notifications.receivers for messages about problems.'),
  name: reason(
    'The name is not valid: 1 to 64 letters, digits, spaces, ".", "_" and "-" are allowed.',
    'Choose another name, and use it in all calls.',
  ),
  twin: reason('An earlier adapter has the same name.', 'Rename one of the two adapters.'),
  address: reason(
    'The settings name no host to connect to.',
    'Write an adapter file by hand: docs/how-to/register-an-adapter.md.',
  ),
} as const;

/** Reason for the rest of settings that are imported unchanged. */
export const UNKNOWN_MEMBER: Reason = reason(
  'A configuration cannot contain a member with this name.',
  'Check whether the adapter needs it; do not copy ciphertext.',
);

/** Reason for login settings that do not define the login. */
export const LOGIN_IN_CODE: Reason = reason(
  'The login is defined by the code of the adapter, not by its settings.',
  'Write auth by hand: docs/how-to/log-in-to-an-orchestrator.md.',
);

/** Reason for an HTTP listener next to an HTTPS listener, and for a disabled listener. */
export const SECOND_LISTENER: Reason = reason(
  'There is one listener: HTTPS if it is enabled, otherwise HTTP.',
  'Redirect from http in the load balancer.',
);

/** Reason for settings of syslog messages that were not imported. */
export const SYSLOG_SETTING: Reason = reason(
  'Messages follow RFC 5424 over UDP, TCP or TLS, and all outputs have the same level.',
  'Check that the receiver accepts them. Set the level of one output at run time: docs/how-to/manage-adapters-through-the-api.md.',
);

export const SERVICE_SETTING: Reason = reason('A service config has no such setting here.', 'Nothing to do.');

export const SERVICE_LOG_SETTING: Reason = reason(
  'All lines go to one log, in which each adapter can have its level.',
  'Set log.level in the adapter file.',
);
