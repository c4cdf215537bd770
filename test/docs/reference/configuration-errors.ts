import { blocks, code, table } from './write-markdown.js';
import type { ReferencePage } from './page.js';

/** The codes of errors and warnings of a configuration, without those of secrets. A test finds every code. */
export const CONFIGURATION_ERRORS: Readonly<Record<string, string>> = {
  file: 'A file cannot be read.',
  yaml: 'A text is not valid YAML, or uses a feature that configurations do not have.',
  env: 'A variable `${NAME}` is not set, or its value does not fit.',
  schema: 'A key is unknown or missing, or a value is wrong.',
  reference: 'A reference is in a place that has none, or has a space before `#field` (a warning).',
  'adapter-id': 'The name of an adapter is invalid, duplicate, or probably a mistake (a warning).',
  plugin: 'A plugin does not exist or breaks its contract, or accepts options of any name (a warning).',
  plugin_failed: 'The code of a plugin threw an error.',
  base_url: 'A base URL is invalid.',
  auth: 'Credentials of an adapter cannot be sent.',
  tls: 'A certificate or key file of an adapter or of the listener cannot be used.',
  certificate: 'A certificate is expired, weak, or does not match its key.',
  health: 'The health path of an adapter is invalid.',
  path: 'A registered adapter names a file outside the folder of the configuration.',
  egress: 'An entry of `egress` is invalid, or a registered adapter must not reach its target.',
  roles: 'An operation does not exist, or nothing gives a role to a caller (a warning).',
  access:
    'An access rule names an operation that sends no calls through adapters, or selects no adapter (a warning).',
  cache: 'A rule of the read cache contradicts itself, or an earlier rule decides all of its paths.',
  mcp: 'An operation of `mcp.operations` cannot be a tool, or approvals need the pages.',
  limits: 'A limit names an unknown operation or contradicts itself, or matches no adapter (a warning).',
  receivers: 'Two receivers of notifications have the same name.',
  proxy: 'An entry of `server.trustedProxies` is invalid, or PROXY headers have no trusted proxy.',
  cors: 'No browser sends an entry of `server.cors.origins`.',
  syslog: 'The URL of the syslog receiver has no port (a warning).',
  sqlite_driver: 'The SQLite driver cannot be loaded.',
  lock_out: 'With the roles of a profile, no caller could log in or activate another profile.',
  profile_secret: 'A profile contains a secret.',
  reserved_secret: 'A registered adapter refers to a secret of the server.',
  secret_scope: 'A registered adapter refers to a secret outside `adapterScope`.',
  name: 'Two files of `gatehouse apply` describe the same record.',
  auth_issuer: 'An issuer is duplicate, or has the name of the built-in issuer.',
  auth_algorithm: 'The key of an issuer does not fit an algorithm.',
  auth_key: 'The key of an issuer cannot be used.',
  auth_address: 'An address of an issuer is not https, or contains credentials.',
  auth_file: 'A file of an issuer cannot be used.',
  auth_sign_in: 'A sign-in needs `discovery` and `server.publicUrl`.',
  auth_introspection: 'An introspection needs `discovery`.',
  auth_name: 'The name of a user or a client is duplicate.',
  auth_hash: 'The hash of a password is invalid.',
  auth_roles: 'The roles of an account do not fit into a token.',
  issuer_unreachable: '`check --probe`: the issuer cannot be reached.',
  issuer_metadata: '`check --probe`: the metadata of the issuer cannot be used.',
  issuer_name: '`check --probe`: the issuer has another name.',
  issuer_keys: '`check --probe`: the issuer has no key for an algorithm.',
  issuer_pkce: '`check --probe`: the issuer does not support PKCE.',
  issuer_client: '`check --probe`: the issuer does not know the client.',
  issuer_client_secret: '`check --probe`: the issuer rejects the secret of the client, or requires one.',
  issuer_redirect_uri: '`check --probe`: the issuer rejects the redirect URI.',
  local_key_missing: 'The key file of the built-in issuer does not exist.',
  local_key_mode: 'Other users may read the key file of the built-in issuer.',
  local_key_kind: 'The key file of the built-in issuer has another kind of key.',
  local_key_read: 'The key file of the built-in issuer cannot be read.',
  local_key_write: 'The key file of the built-in issuer cannot be written.',
};

const RULES = `\`gatehouse check\`, a failed start and the log print an error as \`file:line:column pointer: message [code]\`, with advice in the next line.
\`gatehouse check --json\` prints objects with \`file\`, \`line\`, \`column\`, \`pointer\`, \`code\`, \`message\` and \`fix\`. Values are not printed.
A warning is printed in the same form, but does not change the [exit code](cli.md#exit-codes).`;

export const configurationErrors: ReferencePage = {
  file: 'configuration-errors.md',
  title: 'Configuration errors',
  about:
    'The codes of errors and warnings of a configuration. [Secret errors](secret-errors.md) has those of secrets.',
  body: () => {
    const rows = Object.entries(CONFIGURATION_ERRORS).map(([name, meaning]) => [code(name), meaning]);
    return blocks(RULES, table(['Code', 'Meaning'], rows));
  },
};
