import { isLoopbackHost } from '../../lib/loopback.js';
import type { AdapterSettings } from '../../settings/adapter.js';
import type { Settings } from '../../settings/settings.js';
import { AUTH_RULES } from './auth-rules.js';
import { at, entries, isExample, isPlainHttp, isPostgres, type ProductionRule } from './rule.js';

const listensForOthers = ({ server }: Settings): boolean =>
  !isLoopbackHost(server.listen.replace(/:\d+$/, ''));

/** The rules for the section `server`. */
const LISTENER_RULES: readonly ProductionRule<Settings>[] = [
  {
    setting: 'server.tls',
    message: 'is missing, so tokens and passwords of other machines arrive in plain text',
    fix: 'Set certFile and keyFile; or listen on 127.0.0.1, or name the proxy that ends TLS in server.trustedProxies.',
    isFault: true,
    broken: (settings) =>
      at(
        '/server/tls',
        !settings.server.tls && listensForOthers(settings) && settings.server.trustedProxies.length === 0,
      ),
  },
  {
    setting: 'server.publicUrl',
    message:
      'is missing or http, so that sign-ins and links of notifications lead to another or an unprotected address',
    fix: 'Set the https origin at which browsers reach the server, for example https://gateway.example.',
    isFault: false,
    broken: (settings) =>
      at('/server/publicUrl', settings.server.publicUrl === null || isPlainHttp(settings.server.publicUrl)),
  },
  {
    setting: 'server.trustedProxies',
    message:
      'is empty although the server listens on loopback, so the log, the audit trail and the limits see the address of the proxy',
    fix: 'Name the addresses of the proxy in front, for example [127.0.0.1].',
    isFault: false,
    broken: (settings) =>
      at(
        '/server/trustedProxies',
        settings.server.trustedProxies.length === 0 && !listensForOthers(settings),
      ),
  },
  {
    setting: 'server.cors.origins',
    message:
      'is an http origin: an attacker on the path to its pages can call the server with the tokens of their users',
    fix: 'Serve these pages by https, and name the https origin.',
    isFault: false,
    broken: ({ server }) =>
      entries(server.cors.origins, (index) => `/server/cors/origins/${index}`, isPlainHttp),
  },
  {
    setting: 'server.lameDuckSeconds',
    message: 'is 0, so a load balancer still sends calls to a server that stops',
    fix: 'Set it to the time that the load balancer needs to see /readyz fail twice, for example 5.',
    isFault: false,
    broken: ({ server }) => at('/server/lameDuckSeconds', server.lameDuckSeconds === 0),
  },
  {
    setting: 'server.watchdogSeconds',
    message: 'is 0, so a plugin in an endless loop stops the server permanently',
    fix: 'Remove the setting, or set the CPU seconds after which the process ends and restarts.',
    isFault: false,
    broken: ({ server }) => at('/server/watchdogSeconds', server.watchdogSeconds === 0),
  },
  {
    setting: 'server.overload',
    message: 'is null, so an overload makes every call slow instead of a few fail',
    fix: 'Remove the setting to use the defaults.',
    isFault: false,
    broken: ({ server }) => at('/server/overload', server.overload === null),
  },
];

/** Largest network that a target of `egress.allow` should have, in bits of the prefix: a tenth of the private range 10/8. */
const MIN_PREFIX = 9;

const EXAMPLE = {
  message: 'is an address for documentation, which no server has',
  fix: 'Replace it by an address of your own.',
  isFault: false,
};

/** The rule for addresses that `gatehouse init --production` and the documentation have written. */
const EXAMPLE_RULE: ProductionRule<Settings> = {
  setting: 'server.publicUrl, auth.issuers[].issuer, vault.address, storage.url',
  ...EXAMPLE,
  broken: ({ server, auth, vault, storage }) => [
    ...at('/server/publicUrl', isExample(server.publicUrl)),
    ...entries(
      auth.issuers,
      (index) => `/auth/issuers/${index}/issuer`,
      ({ issuer }) => isExample(issuer),
    ),
    ...at('/vault/address', vault !== null && [vault.address].flat().some(isExample)),
    ...at('/storage/url', isExample(storage.url)),
  ],
};

/** The rules for the main file, in the order of its keys. */
export const MAIN_RULES: readonly ProductionRule<Settings>[] = [
  EXAMPLE_RULE,
  ...LISTENER_RULES,
  ...AUTH_RULES,
  {
    setting: 'access',
    message:
      'is empty, and so are the rules of adapters: a caller of one adapter may call every path of all adapters',
    fix: 'Write rules by adapter, role, method and path, as in the how-to "Control access".',
    isFault: false,
    broken: ({ access }, adapters) =>
      at('/access', access.length === 0 && adapters.every((adapter) => adapter.access.length === 0)),
  },
  {
    setting: 'limits',
    message: 'is empty, so one caller can use all places of an orchestrator',
    fix: 'Limit calls by subject, for example { people: { requests: 600, concurrent: 20 } }.',
    isFault: false,
    broken: ({ limits }) => at('/limits', Object.keys(limits).length === 0),
  },
  {
    setting: 'vault',
    message: 'is missing, and so is secrets.files: secrets can only stand in the files of the configuration',
    fix: 'Connect Vault, as in the how-to "Set up Vault", or mount secrets as files.',
    isFault: false,
    broken: ({ vault, secrets }) => at('/vault', vault === null && secrets.files === null),
  },
  {
    setting: 'vault.address',
    message: 'is http, so the login and every secret travel in plain text',
    fix: 'Use https, and name the CA in vault.tls.caFile.',
    isFault: true,
    broken: ({ vault }) => at('/vault/address', vault !== null && [vault.address].flat().some(isPlainHttp)),
  },
  {
    setting: 'vault.auth.method',
    message: 'is a token from outside, which no program renews beyond its maximum lifetime',
    fix: 'Use approle, kubernetes, cert or jwt, or token_file with Vault Agent.',
    isFault: false,
    broken: ({ vault }) => at('/vault/auth/method', vault?.auth.method === 'token'),
  },
  {
    setting: 'vault.literals',
    message: 'only warns of secrets in plain text in the files',
    fix: 'Set it to refuse.',
    isFault: true,
    broken: ({ vault }) => at('/vault/literals', vault?.literals === 'warn'),
  },
  {
    setting: 'storage.url',
    message: 'is in memory: adapters, forms, tasks and revoked tokens are lost when the process ends',
    fix: 'Use sqlite:FILE for one node, or postgres://... for several.',
    isFault: true,
    broken: ({ storage }) => at('/storage/url', storage.url === 'sqlite::memory:'),
  },
  {
    setting: 'storage.url (sslmode)',
    message: 'does not verify the certificate of the database',
    fix: 'Add ?sslmode=verify-full.',
    isFault: false,
    broken: (settings) =>
      at(
        '/storage/url',
        isPostgres(settings) &&
          !/@(?:localhost|127\.0\.0\.1|\[::1\])[:/]/.test(settings.storage.url) &&
          !/[?&]sslmode=verify-/.test(settings.storage.url),
      ),
  },
  {
    setting: 'egress',
    message:
      'opens more than the targets of your calls, so restCall can be used to look around in the network',
    fix: 'List hosts or small networks with their ports, for example 10.20.0.0/16:443.',
    isFault: false,
    broken: ({ egress }) => [
      ...at('/egress/public', egress.public),
      ...entries(
        egress.allow,
        (index) => `/egress/allow/${index}`,
        (target) => Number(/\/(\d+)/.exec(target)?.[1] ?? 128) < MIN_PREFIX,
      ),
    ],
  },
  {
    setting: 'mcp.actions',
    message: 'lets agents change the network without a person who approves',
    fix: 'Set it to task.',
    isFault: false,
    broken: ({ mcp }) => at('/mcp/actions', mcp.enabled && mcp.actions === 'allowed'),
  },
  {
    setting: 'log.level',
    message: 'writes details of every call, which fill the disk',
    fix: 'Set it to info, and set the level of one adapter while you look for a fault.',
    isFault: false,
    broken: ({ log }) => at('/log/level', !['error', 'warn', 'info'].includes(log.level)),
  },
  {
    setting: 'audit.durability',
    message: 'is written, so that a power failure loses the last records',
    fix: 'Set it to fsync, or to store with PostgreSQL.',
    isFault: false,
    broken: ({ audit }) => at('/audit/durability', audit.durability === 'written'),
  },
  {
    setting: 'notifications.receivers',
    message: 'is empty, so no person is told when an orchestrator, Vault or a certificate fails',
    fix: 'Name a webhook or a mail address, or use the alerts for Prometheus in deploy/prometheus.',
    isFault: false,
    broken: ({ notifications }) => at('/notifications/receivers', notifications.receivers.length === 0),
  },
];

export const ADAPTER_RULES: readonly ProductionRule<AdapterSettings>[] = [
  {
    setting: 'baseUrl (example)',
    ...EXAMPLE,
    broken: ({ baseUrl, baseUrls }) => at('/baseUrl', [baseUrl, baseUrls].flat().some(isExample)),
  },
  {
    setting: 'baseUrl',
    message: 'is http, so the login and every call travel in plain text',
    fix: 'Use https, and name the CA in tls.caFile.',
    isFault: false,
    broken: ({ baseUrl, baseUrls }) => at('/baseUrl', [baseUrl, baseUrls].flat().some(isPlainHttp)),
  },
  {
    setting: 'tls.insecure',
    message: 'accepts any certificate, so an attacker on the path receives the login',
    fix: 'Remove it, and name the CA, or the self-signed certificate of the device, in tls.caFile.',
    isFault: true,
    broken: ({ tls }) => at('/tls/insecure', tls.insecure),
  },
  {
    setting: 'stub',
    message: 'answers calls from recordings instead of the orchestrator',
    fix: 'Remove stub and recordings.',
    isFault: true,
    broken: ({ stub }) => at('/stub', stub),
  },
  {
    setting: 'record',
    message: 'writes every reply to a folder, with the data of your network',
    fix: 'Remove it when you have the recordings.',
    isFault: false,
    broken: ({ record }) => at('/record', record),
  },
  {
    setting: 'health.intervalSeconds',
    message: 'is 0, so the first call finds out that the orchestrator is away',
    fix: 'Remove the setting to use the default.',
    isFault: false,
    broken: ({ health }) => at('/health/intervalSeconds', health.intervalSeconds === 0),
  },
];
