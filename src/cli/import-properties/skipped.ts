import type { Reason } from './import-report.js';

const reason = (why: string, instead: string): Reason => ({ why, instead });

/** Reasons for blocks of a properties file or profile that have no counterpart. */
export const BLOCK_REASONS: ReadonlyMap<string, Reason> = new Map([
  ['id', reason('A configuration has no name.', 'Nothing to do.')],
  ['description', reason('A configuration has no description.', 'Write a comment into gatehouse.yaml.')],
  ['serverName', reason('A server is known by its host.', 'Nothing to do.')],
  ['serverId', reason('A server makes its own id.', 'Nothing to do.')],
  [
    'mongoProps',
    reason(
      'Forms and registered adapters are kept in SQLite or PostgreSQL.',
      'Set storage.url to a PostgreSQL database where there are several nodes; bring the forms over with GET /json-forms/forms and POST /json-forms/import/forms.',
    ),
  ],
  [
    'redisProps',
    reason('Tokens prove themselves, so no sessions are kept and there is no Redis.', 'Nothing to do.'),
  ],
  ['rabbitmqProps', reason('Nodes tell each other through the database.', 'Nothing to do.')],
  [
    'expressProps',
    reason(
      'The listener has no such setting.',
      'Set server.limits where it is about sizes and times; leave ciphers to Node.js, and origins of other pages to a proxy.',
    ),
  ],
  ['loggerProps', reason('The log has no such setting.', 'See the key log in docs/guides/configuring.md.')],
  [
    'authenticationProps',
    reason(
      'Who may do what stands in tokens.',
      'Name your identity provider in auth.issuers with its roleMap, or people in auth.local.users: docs/guides/tokens.md.',
    ),
  ],
  [
    'auditProps',
    reason('The audit trail is always on.', 'Set audit.file or audit.durability: docs/guides/audit.md.'),
  ],
  [
    'alarmProps',
    reason('No SNMP traps are sent.', 'Let Prometheus watch /metrics with deploy/prometheus/alerts.yaml.'),
  ],
  ['applicationProps', reason('The applications are part of the product.', 'Nothing to do.')],
  ['uiProps', reason('The pages are part of the product.', 'Nothing to do.')],
  ['pathProps', reason('There is no SDK folder.', 'Nothing to do.')],
  [
    'systemProps',
    reason(
      'There are no processes for each adapter that have to be watched.',
      'Set health.intervalSeconds for an adapter; server.drainSeconds is how long a stop waits.',
    ),
  ],
  ['taskWorkerProps', reason('There is no workflow engine.', 'Nothing to do.')],
  ['processTasksOnStart', reason('There is no workflow engine.', 'Nothing to do.')],
  ['processJobsOnStart', reason('There is no workflow engine.', 'Nothing to do.')],
  [
    'integrationProps',
    reason('There are no codeless integrations.', 'Write an adapter with the plugin http-rest.'),
  ],
  ['retryStrategy', reason('Adapters that do not start are tried again by themselves.', 'Nothing to do.')],
  ['adapterStrategy', reason('There is no device broker.', 'Nothing to do.')],
  ['adapterProps', reason('Only the service configs in adapters[] are read.', 'Nothing to do.')],
  ['prebuiltProps', reason('There are no prebuilts.', 'Nothing to do.')],
  [
    'services',
    reason('The applications are always there, and others are none of this product.', 'Nothing to do.'),
  ],
  ['launchDelay', reason('Adapters start side by side.', 'Nothing to do.')],
  ['launchTimeout', reason('A start that does not succeed is tried again.', 'Nothing to do.')],
  [
    'vaultProps',
    reason('The login to Vault has no such setting.', 'See the key vault in docs/guides/secrets.md.'),
  ],
]);

/** Reasons for adapter settings that have no counterpart in http-rest and restconf. */
export const ADAPTER_BLOCK_REASONS: ReadonlyMap<string, Reason> = new Map([
  ['host', reason('It is no host name that a URL can have.', 'Write baseUrl by hand.')],
  ['port', reason('It is no port.', 'Write it into baseUrl.')],
  ['protocol', reason('Orchestrators are reached over http and https.', 'Write baseUrl by hand.')],
  ['base_path', reason('It is no path that can be written into baseUrl.', 'Write baseUrl by hand.')],
  ['version', reason('It is no path that can be written into baseUrl.', 'Write baseUrl by hand.')],
  [
    'authentication',
    reason(
      'The way to log in that was taken over does not need it.',
      'See auth in docs/guides/upstream.md where the orchestrator needs more.',
    ),
  ],
  ['healthcheck', reason('A look is a GET of health.path.', 'Set health.path.')],
  [
    'throttle',
    reason(
      'Calls wait in one queue for each adapter, whether a limit was set or not.',
      'See queue in docs/guides/upstream.md.',
    ),
  ],
  [
    'request',
    reason(
      'Calls are sent as they come, and redirects are not followed.',
      'See retry and timeouts in docs/guides/upstream.md, and options.headers of http-rest.',
    ),
  ],
  [
    'proxy',
    reason(
      'A proxy is spoken to over http, without credentials; one that is switched off is none.',
      'Set proxy.',
    ),
  ],
  [
    'ssl',
    reason(
      'Node.js chooses versions, ciphers and curves; what is switched off is not used.',
      'Set tls.caFile, tls.certFile and tls.keyFile where they are needed.',
    ),
  ],
  ['mongo', reason('Adapters have no database of their own.', 'Nothing to do.')],
  ['devicebroker', reason('There is no device broker.', 'Nothing to do.')],
  ['cache', reason('Answers are not cached.', 'Nothing to do.')],
  ['cache_location', reason('Answers are not cached.', 'Nothing to do.')],
  ['save_metric', reason('Calls are always measured.', 'See GET /metrics.')],
  ['encode_pathvars', reason('Callers encode their paths.', 'Nothing to do.')],
  ['encode_queryvars', reason('Callers encode their queries.', 'Nothing to do.')],
  ['choosepath', reason("A path is the caller's.", 'Nothing to do.')],
]);

/** Reasons for leaving out a whole service config. */
export const SERVICE_CONFIG_REASONS = {
  application: reason('The applications are part of the product.', 'Nothing to do.'),
  integration: reason('There are no codeless integrations.', 'Write an adapter with the plugin http-rest.'),
  people: reason(
    'People are not looked up through adapters.',
    'Name your identity provider in auth.issuers, or people in auth.local.users: docs/guides/tokens.md.',
  ),
  mail: reason('No mail is sent.', 'Nothing to do.'),
  name: reason(
    'Its name cannot be that of a file: 1 to 64 letters, digits, spaces, ".", "_" and "-".',
    'Choose another one, and tell it to its callers.',
  ),
  twin: reason('An adapter of this name was there before it.', 'Give one of them another name.'),
  address: reason(
    'Its settings name no host that it connects to.',
    'Write an adapter file by hand: docs/guides/configuring.md.',
  ),
} as const;

/** Reason for the rest of settings that are imported unchanged. */
export const UNKNOWN_MEMBER: Reason = reason(
  'A configuration has no members of this name.',
  'See whether the adapter needs it; leave ciphertext behind.',
);

/** Reason for login settings that do not define the login. */
export const LOGIN_IN_CODE: Reason = reason(
  'How it logs in stands in the code of the adapter, not in its settings.',
  'Write auth by hand: docs/guides/upstream.md.',
);

/** Reason for an HTTP listener next to an HTTPS listener, and for a disabled listener. */
export const SECOND_LISTENER: Reason = reason(
  'There is one listener: that of https where there is one.',
  'Redirect from http in the load balancer.',
);

/** Reason for settings of syslog messages that were not imported. */
export const SYSLOG_SETTING: Reason = reason(
  'Messages are those of RFC 5424 over UDP, TCP or TLS, and all outputs have one level.',
  'See whether the receiver reads them. The level of one output can be asked for at run time: docs/guides/managing.md.',
);

/** Reason for other members of a service config. */
export const SERVICE_SETTING: Reason = reason('A service config has no such setting here.', 'Nothing to do.');

/** Reason for the log settings of a service config. */
export const SERVICE_LOG_SETTING: Reason = reason(
  'All lines go to one log; an adapter has a level of its own in it.',
  'Set log.level in its file.',
);
