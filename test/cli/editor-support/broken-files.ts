import { type CheckedFile, VAULT } from './findings.js';

/** A file with a fault, and the first finding of each tool. An empty text means that the tool finds nothing. */
interface BrokenFile extends CheckedFile {
  readonly title: string;
  readonly check: string;
  readonly ajv: string;
  readonly editor: string;
}

/**
 * A text, and the fault at `LINE:COLUMN POINTER`, with the words of the editor there; without words if only gatehouse can know the
 * fault. Otherwise the findings of the other tools are at other places.
 */
type Row = readonly [title: string, text: string, found: string, others?: Pick<BrokenFile, 'ajv' | 'editor'>];

const NSO = 'plugin: restconf\nbaseUrl: https://nso.example:8888\n';

const MAIN: readonly Row[] = [
  ['a misspelt key', 'server:\n  drainSecond: 3', '2:3 /server/drainSecond Property drainSecond is not'],
  [
    'a size with a unit',
    'server: { limits: { bodyBytes: 1MiB } }',
    '1:32 /server/limits/bodyBytes Body size must be',
  ],
  ['a negative number', 'server: { drainSeconds: -1 }', '1:25 /server/drainSeconds Value is below the'],
  ['a release without quotes', 'release: 2023.2', '1:10 /release Release must be a'],
  ['a word that is none of several', 'log: { level: loud }', '1:15 /log/level Level must be one'],
  ['yes as a boolean', 'console: { enabled: yes }', '1:21 /console/enabled Enabled must be true'],
  ['a section without a value', 'server:', '1:8 /server Incorrect type. Expected "Server".'],
  ['a list', '[]', '1:1', { ajv: '/', editor: '1:1 Incorrect type. Expected one' }],
  ['an encrypted value', 'storage: { url: $ENC0123456789abcdef }', '1:17 /storage/url A value that starts'],
  [
    'an encrypted name',
    'roles: { $ENC0123456789abcdef: [admin] }',
    '1:8 /roles',
    { ajv: '/roles/$ENC0123456789abcdef', editor: '1:10 A value that starts' },
  ],
  [
    'a reference before Vault is read',
    `${VAULT}audit: { file: $VAULT_a#b }`,
    '2:16 /audit/file This cannot be a',
  ],
  [
    'a reference in the block of Vault',
    'vault: { address: $VAULT_a#b, auth: { method: token } }',
    '1:19 /vault/address/0',
    { ajv: '/vault/address', editor: '1:19 This cannot be a' },
  ],
  [
    'a reference of another tool',
    `${VAULT}storage: { url: "vault://a#b" }`,
    '2:17 /storage/url This is a reference',
  ],
  [
    'a reference in place of a section',
    `${VAULT}auth: $VAULT_a#b`,
    '2:7 /auth Incorrect type. Expected "Authentication".',
  ],
  ['a reference without Vault', 'storage: { url: $VAULT_a#b }', '1:17 /storage/url'],
  ['a variable that is not set', 'server:\n  listen: 0.0.0.0:${PORT}', '2:11 /server/listen'],
  ['a "${" that starts no variable', 'server: { listen: "${1X}" }', '1:19 /server/listen A "${" does not'],
  ['a variable that is no number', 'server:\n  drainSeconds: ${DRAIN}', '2:17 /server/drainSeconds'],
  [
    'a number with text around its variable',
    'server: { drainSeconds: "${DRAIN}0" }',
    '1:25 /server/drainSeconds Drain time must be',
  ],
  [
    'a login of Vault without its role',
    'vault: { address: https://v, auth: { method: kubernetes } }',
    '1:36 /vault/auth/role',
    { ajv: '/vault/auth/role', editor: '1:30 Missing property "role".' },
  ],
  [
    'a key source that is missing',
    'auth: { issuers: [{ issuer: i, audience: a, algorithms: [RS256] }] }',
    '1:19 /auth/issuers/0',
    { ajv: '/auth/issuers/0/publicKeyFile', editor: '1:19 Token issuer must have' },
  ],
  [
    'two key sources',
    'auth: { issuers: [{ issuer: i, audience: a, algorithms: [RS256], discovery: true, jwksUri: https://i/k }] }',
    '1:19 /auth/issuers/0',
    { ajv: '/auth/issuers/0/discovery', editor: '1:66 Token issuer must have' },
  ],
  [
    'a certificate without its key',
    'server: { tls: { certFile: a.pem } }',
    '1:16 /server/tls/keyFile',
    { ajv: '/server/tls/keyFile', editor: '1:11 Missing property "keyFile".' },
  ],
  ['a network that is none', 'egress: { allow: [10.0.0.0/99] }', '1:19 /egress/allow/0'],
  ['an unknown operation', 'roles: { nothing.atAll: [admin] }', '1:25 /roles/nothing.atAll'],
  [
    'an adapterId with a slash',
    'adapters: { a/b: { plugin: http-rest, baseUrl: http://x } }',
    '1:13 /adapters/a~1b The name is no',
  ],
  [
    'a key twice',
    'log: { level: info }\nlog: { level: info }',
    '2:1 /log',
    { ajv: 'yaml', editor: '2:1 Map keys must be' },
  ],
  [
    'a tab',
    'server:\n\tlisten: 127.0.0.1:1',
    '2:1',
    { ajv: 'yaml', editor: '1:8 Incorrect type. Expected "Server".' },
  ],
  ['two documents', 'log: { level: info }\n---\nlog: { level: info }', '2:1', { ajv: 'yaml', editor: '' }],
  [
    'an open bracket',
    'server: { listen: 127.0.0.1:1',
    '1:9',
    { ajv: 'yaml', editor: '2:1 Flow map in block' },
  ],
];

const ADAPTER: readonly Row[] = [
  ['a base URL without a scheme', 'plugin: restconf\nbaseUrl: nso.example', '2:10 /baseUrl Base URL must be'],
  [
    'both base URLs',
    `${NSO}baseUrls: [http://x]`,
    '2:10 /baseUrl',
    { ajv: '/baseUrl', editor: '2:1 Property baseUrl is not' },
  ],
  ['an unknown plugin', 'plugin: http-rset\nbaseUrl: http://x', '1:9 /plugin'],
  ['a reference as plugin', 'plugin: $VAULT_a#b\nbaseUrl: http://x', '1:9 /plugin This cannot be a'],
  [
    'a key of another login',
    `${NSO}auth: { type: bearer, token: x, username: a }`,
    '3:33 /auth/username Property username is not',
  ],
  [
    'a header of the connection',
    `${NSO}auth: { type: header, name: Host, value: x }`,
    '3:29 /auth/name Header name must be',
  ],
  [
    'an encrypted option',
    'plugin: http-rest\nbaseUrl: http://x\noptions: { headers: { X-Key: $ENC0123456789abcdef } }',
    '3:30 /options/headers/X-Key A value that starts',
  ],
  [
    'an unknown option of the plugin',
    'plugin: http-rest\nbaseUrl: http://x\noptions: { rot: {} }',
    '3:12 /options/rot',
  ],
  ['an empty file', '', '1:1 /baseUrl', { ajv: '/', editor: '' }],
];

function rowsOf(kind: CheckedFile['kind'], rows: readonly Row[]): readonly BrokenFile[] {
  return rows.map(([title, text, found, others]) => {
    const [, place = '', pointer = '', words] = /^(\S+) ?(\/\S*|)(?: (.*))?$/.exec(found) ?? [];
    return {
      ...{ kind, title, text: `${text}\n`, check: `${place} ${pointer}`.trim(), env: { DRAIN: 'two' } },
      ...(words === undefined ? { ajv: '', editor: '' } : { ajv: pointer, editor: `${place} ${words}` }),
      ...others,
    };
  });
}

/** Files with one fault each. `gatehouse check` finds all of them. */
export const BROKEN_FILES: readonly BrokenFile[] = [...rowsOf('main', MAIN), ...rowsOf('adapter', ADAPTER)];
