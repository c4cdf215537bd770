import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { loadConfig, type LoadedConfig } from '../../src/config/load.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { valueAt } from '../../src/json/pointer.js';
import { anyText } from '../support/any-text.js';
import { column, columns } from '../support/columns.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

const NSO = 'plugin: restconf\nbaseUrl: https://nso.example:8888\n';

describe('loadConfig', () => {
  let root: string;
  before(async () => (root = await mkdtemp(join(tmpdir(), 'gatehouse-'))));
  after(() => rm(root, { recursive: true }));

  async function load(files: Files, env = {}): Promise<LoadedConfig & { readonly folder: string }> {
    const folder = await mkdtemp(join(root, 'config-'));
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    const isReference = (text: string) => text.startsWith('$VAULT_');
    const syntax = { isReference, isPlain: (text: string) => !text.startsWith('$') };
    const loaded = await loadConfig({ path: join(folder, 'main.yaml'), env, compile: compileSchema, syntax });
    return { ...loaded, folder };
  }

  /** Returns one line for each fault: `file:line:column pointer code message`. */
  async function faults(files: Files, env = {}): Promise<readonly string[]> {
    const { folder, faults } = await load(files, env);
    return faults.map(({ file, line, column, pointer, code, message }) => {
      const said = message.replaceAll(`${folder}/`, '');
      return `${file.slice(folder.length + 1)}:${line}:${column} ${pointer} ${code} ${said}`;
    });
  }

  const main = (text: string) => faults({ 'main.yaml': text });
  const adapter = (text: string) => faults({ 'main.yaml': '', 'adapters/a.yaml': text });

  // The values themselves are in the schemas below config/, which schema-files.test.ts compares.
  it('fills in the defaults of the schemas, and resolves the paths among them', async () => {
    const text = 'adapters: { a: { plugin: p, baseUrl: http://a } }';
    const { main, adapters, faults, folder } = await load({ 'main.yaml': text });
    const data = (name: string) => join(dirname(folder), 'data', name);
    assert.deepEqual([faults, main.secrets, main.at], [[], [], '']);
    const at = (pointer: string) => valueAt(main.value, pointer);
    assert.equal(at('/server/listen'), '127.0.0.1:3000');
    assert.deepEqual(at('/server/cors'), { origins: [], maxAgeSeconds: 600 });
    assert.equal(at('/auth/local/keyFile'), data('local-issuer.pem'));
    assert.equal(at('/storage/url'), `sqlite:${data('gatehouse.db')}`);
    assert.deepEqual(at('/audit'), { file: data('audit.log'), durability: 'written' });
    assert.equal(valueAt(adapters[0]?.value, '/timeouts/totalMs'), 30_000);
    assert.equal(valueAt(adapters[0]?.value, '/recordings'), join(folder, 'recordings'));
    assert.deepEqual((await load({ 'main.yaml': '' })).adapters, []);
  });

  it('keeps the adapters out of the main file, whose paths are checked again with a profile', async () => {
    const { main } = await load({ 'main.yaml': 'adapters: { a: { plugin: p, baseUrl: http://a } }' });
    assert.ok(!('adapters' in (main.value as object)));
    assert.equal(main.paths, undefined);
    const list = await load({ 'main.yaml': '[a]' });
    assert.deepEqual([list.main.value, list.main.secrets], [['a'], []]);
  });

  it('names a main file among the adapters, and the file of an adapter in its place', async () => {
    const isMain = 'adapters/a.yaml:1:1  file is a main file, not the file of an adapter';
    for (const name of ['server', 'storage', 'vault', 'audit'])
      assert.deepEqual((await adapter(`${name}: {}\n`))[0], isMain);
    for (const text of ['plugin: restconf\nserver: {}\n', 'log: {}\n', '- server\n'])
      assert.ok(!(await adapter(text)).includes(isMain), text);
    const isOfAdapter = 'main.yaml:1:1  file is the file of an adapter, not the main file';
    assert.deepEqual((await main(NSO))[0], isOfAdapter);
    for (const text of ['plugin: restconf\n', 'baseUrl: https://a.example\n'])
      assert.ok(!(await main(text)).includes(isOfAdapter), text);
  });

  it('keeps the URL of a database server unchanged', async () => {
    const url = 'postgres://u@127.0.0.1/db?sslmode=disable';
    const { main, faults } = await load({ 'main.yaml': `storage: { url: "${url}" }` });
    assert.deepEqual([faults, (main.value as { storage: unknown }).storage], [[], { url }]);
  });

  it('loads adapters from the folder and the main file and ignores other files', async () => {
    const { adapters, faults } = await load({
      'main.yaml': `adapters:\n  Local NSO:\n    plugin: restconf\n    baseUrl: https://nso.example:8888\n`,
      'adapters/b.yml': NSO,
      'adapters/a.b.yaml': NSO,
      'adapters/c.json': '{"plugin": "http-rest", "baseUrl": "http://c.example"}',
      'adapters/.hidden.yaml': ': [',
      'adapters/.yaml': ': [',
      'adapters/b.yaml~': ': [',
      'adapters/README.md': ': [',
      'adapters/more/d.yaml': ': [',
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(columns(adapters, 'id', 'at'), [
      ['Local NSO', '/adapters/Local NSO'],
      ['a.b', ''],
      ['b', ''],
      ['c', ''],
    ]);
  });

  it('resolves paths against their file and keeps references and in-memory databases', async () => {
    const { main, adapters, folder } = await load({
      'main.yaml': `server: { tls: { certFile: tls/a.pem, keyFile: /etc/key.pem } }
auth: { issuers: [{ issuer: x, audience: [y], algorithms: [ES256], publicKeyFile: ../idp.pem }] }
storage: { url: 'sqlite::memory:' }
log: { file: $VAULT_log#file }
adapters: { a: { plugin: p, baseUrl: http://a, tls: { caFile: ca.pem } } }`,
      'adapters/b.yaml': `${NSO}tls: { caFile: ca.pem }`,
    });
    const { server, auth, storage, log } = main.value as Record<string, Record<string, unknown>>;
    assert.deepEqual(server?.['tls'], {
      certFile: join(folder, 'tls/a.pem'),
      keyFile: '/etc/key.pem',
      ...{ clientCaFile: null, clientCrlFile: null, clientCertificates: 'none', hsts: null },
    });
    const [issuer] = auth?.['issuers'] as Record<string, unknown>[];
    assert.equal(issuer?.['publicKeyFile'], join(dirname(folder), 'idp.pem'));
    assert.equal(storage?.['url'], 'sqlite::memory:');
    assert.equal(log?.['file'], '$VAULT_log#file');
    const caFiles = adapters.map(({ value }) => (value as { tls: { caFile: string } }).tls.caFile);
    assert.deepEqual(caFiles, [join(folder, 'ca.pem'), join(folder, 'adapters/ca.pem')]);
  });

  it('marks secrets by pointers into the value of each file', async () => {
    const auth = 'auth: { type: basic, username: u, password: $VAULT_a#b }';
    const { main, adapters, faults } = await load({
      'main.yaml': `auth: { issuers: [{ issuer: x, audience: [y], algorithms: [HS512], secret: s }] }
adapters: { a: { plugin: p, baseUrl: http://a, ${auth} } }`,
      'adapters/b.yaml': `${NSO}auth: { type: bearer, token: t }`,
      'adapters/c.yaml': `${NSO}auth: { type: header, name: X-Auth-Token, value: v }`,
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(column([main, ...adapters], 'secrets'), [
      ['/auth/issuers/0/secret'],
      ['/auth/password'],
      ['/auth/token'],
      ['/auth/value'],
    ]);
  });

  it('defers the check of a reference until it is resolved', async () => {
    assert.deepEqual(
      await main('server: { listen: $VAULT_a#b, drainSeconds: $VAULT_a#c }\nstorage: { url: $VAULT_a#d }'),
      [],
    );
    assert.deepEqual(await main('server: { lisen: $VAULT_a#b }'), [
      'main.yaml:1:11 /server/lisen schema is not known here; known: listen, publicUrl, tls, limits, overload, trustedProxies, proxyProtocol, cors, lameDuckSeconds, drainSeconds, watchdogSeconds, workers, adapterStarts, reloadPlugins; did you mean "listen"?',
    ]);
  });

  it('accepts plain origins for tasks and rejects wildcards and header syntax', async () => {
    const faultsOf = (origin: string) =>
      main(`forms: { tasks: { frameAncestors: ['${origin}'], messageOrigins: ['${origin}'] } }`);
    for (const origin of ['self', 'https://a.example', 'http://127.0.0.1:8080', 'https://[2001:db8::1]:8443'])
      assert.deepEqual(await faultsOf(origin), [], origin);
    for (const origin of [
      ...[
        ...['*', 'none', 'https://*', 'https://*.a.example', 'https://a.example/', 'a.example'],
        ...['https:', 'data:'],
      ],
      ...['https://a; script-src *', 'https://u@a', 'https://a:99999', 'https://a b', ''],
    ])
      assert.equal((await faultsOf(origin)).length, 2, origin);
  });

  it('requires a release that clients can read as a number', async () => {
    assert.deepEqual(await main('release: "2020.1"'), []);
    for (const [written, fault] of [
      ['2023.2', 'must be a string'],
      ['"2023"', 'must be a year and a number in quotes, for example "2023.2"'],
      ['"2023.2.1"', 'must be a year and a number in quotes, for example "2023.2"'],
    ] as const)
      assert.deepEqual(await main(`release: ${written}`), [`main.yaml:1:10 /release schema ${fault}`]);
  });

  it('expands variables before it validates, and skips values with missing variables', async () => {
    const text = 'server:\n  listen: ${HOST}:${PORT:-3000}\nlog: { level: "${LEVEL}" }';
    assert.deepEqual(await faults({ 'main.yaml': text }, { HOST: '::1', LEVEL: 'debug' }), [
      'main.yaml:2:11 /server/listen schema must be host:port with a port up to 65535, for example 127.0.0.1:3000 or [::1]:3000',
    ]);
    assert.deepEqual(await faults({ 'main.yaml': text }, { LEVEL: 'debug' }), [
      'main.yaml:2:11 /server/listen env needs the environment variable HOST, which is not set',
    ]);
    assert.deepEqual(await faults({ 'main.yaml': text }, { HOST: 'localhost', LEVEL: 'debug' }), []);
  });

  it('reports every fault of an invalid configuration at once', async () => {
    const found = await faults({
      'main.yaml': `server:
  listen: 3000
  tls: { certFile: a.pem }
edition: "2023.2"
auth:
  issuers:
    - issuer: https://idp.example
      audience: []
      algorithms: [none]
      discovery: true
      jwksUri: ftp://x
vault:
  auth: { method: aprole }
storage: { url: "mysql://u:hunter2@db/x" }
log: { levl: info, level: loud }
log: {}
audit:
adapters:
  a: { plugin: p }
  b: *none
  .c: { plugin: p, baseUrl: "\${NONE}" }
`,
      'adapters/a.yaml': 'plugin: p\nbaseUrl: http://u:hunter2@x\nauth:\n  type: basic\n  password: 7\n',
      'adapters/b.json': '{"plugin": "p", "baseUrl": ',
      'adapters/d.json': '{}',
      'adapters/d.yaml': NSO,
      'adapters/e .yaml': 'hunter2',
      'adapters/é.yaml': `${NSO}options: []`,
      'adapters/f.yaml': Buffer.from([0xff]),
    });
    assert.deepEqual(found, [
      'main.yaml:2:11 /server/listen schema must be a string',
      'main.yaml:3:8 /server/tls/keyFile schema is missing',
      'main.yaml:4:1 /edition schema is not known here; known: release, server, auth, roles, access, limits, vault, secrets, storage, adapters, egress, lists, forms, console, mcp, log, audit, tracing, metrics, notifications',
      'main.yaml:7:7 /auth/issuers/0 schema must have exactly one of publicKeyFile, secret, jwksUri, discovery',
      'main.yaml:8:17 /auth/issuers/0/audience schema must have at least 1 item',
      'main.yaml:9:20 /auth/issuers/0/algorithms/0 schema must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519 with a public key',
      'main.yaml:11:16 /auth/issuers/0/jwksUri schema must be an http or https URL without credentials',
      'main.yaml:13:3 /vault/address schema is missing',
      'main.yaml:13:19 /vault/auth/method schema must be one of token, token_file, approle, kubernetes, jwt, cert, userpass, ldap; did you mean "approle"?',
      'main.yaml:14:17 /storage/url schema must be a URL such as sqlite:../data/gatehouse.db or postgres://user@host:5432/gatehouse',
      'main.yaml:15:8 /log/levl schema is not known here; known: level, format, file, rotation, syslog; did you mean "level"?',
      'main.yaml:15:27 /log/level schema must be one of error, warn, info, debug, trace, spam',
      'main.yaml:16:1 /log yaml occurs twice in its object: on line 15 and on line 16',
      'main.yaml:17:7 /audit schema must be an object',
      'main.yaml:19:3 /adapters/a adapter-id is also defined in adapters/a.yaml',
      'main.yaml:19:6 /adapters/a/baseUrl schema is missing',
      'main.yaml:20:3 /adapters/b adapter-id is also defined in adapters/b.json',
      'main.yaml:20:6 /adapters/b yaml is an alias without an anchor before it',
      'main.yaml:21:3 /adapters/.c schema is no adapterId: use 1 to 64 letters, digits, spaces, ".", "_" and "-", the first neither a space nor a "."',
      'main.yaml:21:29 /adapters/.c/baseUrl env needs the environment variable NONE, which is not set',
      'adapters/é.yaml:0:0  adapter-id has a name that is no adapterId: use 1 to 64 letters, digits, spaces, ".", "_" and "-", the first neither a space nor a "."',
      'adapters/d.yaml:0:0  adapter-id defines the adapter of adapters/d.json again',
      'adapters/a.yaml:2:10 /baseUrl schema must be an http or https URL without credentials, query and fragment, for example https://nso.example:8888',
      'adapters/a.yaml:4:3 /auth/username schema is missing',
      'adapters/a.yaml:5:13 /auth/password schema must be a string',
      'adapters/b.json:1:1  yaml { on line 1 is not closed',
      'adapters/d.json:1:1 /baseUrl schema is missing',
      'adapters/d.json:1:1 /plugin schema is missing',
      'adapters/e .yaml:1:1  schema must be an object',
      'adapters/f.yaml:0:0  file is not valid UTF-8',
      'adapters/é.yaml:3:10 /options schema must be an object',
    ]);
    assert.ok(!JSON.stringify(found).includes('hunter2'));
  });

  for (const [title, files, ...expected] of [
    ['only the missing main file', { 'adapters/a.yaml': '[' }, 'main.yaml:0:0  file does not exist'],
    [
      'the adapters as well if the main file is not well-formed',
      { 'main.yaml': 'a: [', 'adapters/a.yaml': '@' },
      'main.yaml:1:4  yaml [ on line 1 is not closed',
      'adapters/a.yaml:1:1  yaml starts with a reserved character',
    ],
    [
      'that adapters is a file instead of a folder',
      { 'main.yaml': '', adapters: '' },
      'adapters:0:0  file is expected in a folder that is a file',
    ],
  ] as readonly (readonly [string, Files, ...string[]])[])
    it(`reports ${title}`, async () => {
      assert.deepEqual(await faults(files), expected);
    });

  for (const [text, fix] of [
    ['server: { tls: { certFile: a.pem } }', 'Add "keyFile": PEM file of the private key.'],
    ['adapters: { .c: { plugin: p, baseUrl: http://c } }', 'Choose another name.'],
    ['auth: { issuers: [{ issuer: x, audience: y, algorithms: [RS256] }] }', 'Keep exactly one.'],
  ] as const)
    it(`recommends a fix for ${JSON.stringify(text)}`, async () => {
      const { faults } = await load({ 'main.yaml': text });
      assert.ok(
        faults.some((fault) => fault.fix === fix),
        JSON.stringify(faults),
      );
    });

  describe('with a main file', () => {
    for (const [text, ...expected] of [
      ['[]', '1:1  schema must be an object'],
      ['server: { limits: { bodyBytes: 0 } }', '1:32 /server/limits/bodyBytes schema must be at least 1'],
      ['server: { drainSeconds: 1.5 }', '1:25 /server/drainSeconds schema must be a whole number of seconds'],
      ['roles: { login.whoami: [] }'],
      ['adapters:', '1:10 /adapters schema must be an object'],
      ['adapters: { a: }', '1:16 /adapters/a schema must be an object'],
      ['adapters: { __proto__: {} }', '1:13 /adapters/__proto__ yaml is a reserved name'],
      ['egress: { deny: ["[fd00::]/8", "10.0.0.0/8:443", "*.example"] }'],
      [
        'vault: { address: https://x, auth: { method: approle } }',
        '1:36 /vault/auth/roleIdFile schema is missing',
      ],
      [
        'vault: { address: https://x, auth: { method: token, token: x } }',
        '1:53 /vault/auth/token schema is not known here; known: method, tokenFile, tokenEnv',
      ],
      [
        'auth: { issuers: [{ issuer: x, audience: y, algorithms: [RS256], secret: s }] }',
        '1:58 /auth/issuers/0/algorithms/0 schema must be one of HS256, HS384, HS512 with a secret',
      ],
      [
        'auth: { issuers: [{ issuer: x, audience: y, algorithms: [RS256], discovery: false }] }',
        '1:77 /auth/issuers/0/discovery schema must be true or absent',
      ],
      ...['127.0.0.1:3000', 'localhost:0', '"[::1]:3000"', 'edge-1.example:65535'].map(
        (ok) => [`server: { listen: ${ok} }`] as const,
      ),
      ...['"3000"', 'localhost', 'x:65536', ':3000', '::1:3000', 'http://x:1'].map(
        (bad) =>
          [
            `server: { listen: ${bad} }`,
            '1:19 /server/listen schema must be host:port with a port up to 65535, for example 127.0.0.1:3000 or [::1]:3000',
          ] as const,
      ),
    ] as const)
      it(`${expected.length === 0 ? 'accepts' : 'rejects'} ${text}`, async () => {
        assert.deepEqual(
          await main(text),
          expected.map((fault) => `main.yaml:${fault}`),
        );
      });
  });

  describe('with an adapter file', () => {
    const BASE_URL =
      '2:10 /baseUrl schema must be an http or https URL without credentials, query and fragment, for example https://nso.example:8888';
    const NAME =
      '3:29 /auth/name schema must be a header name such as X-Auth-Token; headers of the connection (Host, Content-Length, ...) are not allowed';
    const header = (name: string) => `${NSO}auth: { type: header, name: ${name}, value: x }`;
    for (const [text, ...expected] of [
      [
        'plugin: ../x\nbaseUrl: http://x',
        '1:9 /plugin schema must be the name of a folder of plugins/ or of an npm package, for example http-rest',
      ],
      ...'x ftp://x http:// http://u@x http://u:p@x http://x?y http://x/y#z http://x:99999 http://x\\y'
        .split(' ')
        .map((url) => [`plugin: p\nbaseUrl: ${url}`, BASE_URL] as const),
      ...['http://x', 'https://x.example:8888/a/b%20c', 'https://[fd00::1]:443/'].map(
        (url) => [`plugin: p\nbaseUrl: ${url}`] as const,
      ),
      ...['Host', 'content-LENGTH', 'transfer-encoding', 'TE', '"X Y"', '"X:"', '""'].map(
        (name) => [header(name), NAME] as const,
      ),
      ...['X-Auth-Token', 'hosts', 'PRIVATE-TOKEN'].map((name) => [header(name)] as const),
      [
        `${NSO}auth: { type: bearer, token: "x\\n" }`,
        '3:30 /auth/token schema must be a token without spaces and control characters (is there a newline at its end?)',
      ],
      [
        `${NSO}auth: { type: basic, username: "a:b", password: "" }`,
        '3:32 /auth/username schema must be a user name without colons and control characters',
        '3:49 /auth/password schema must be a password without control characters (is there a newline at its end?)',
      ],
      [`${NSO}auth: { type: none, token: x }`, '3:21 /auth/token schema is not known here; known: type'],
      [`${NSO}tls: { certFile: a.pem }`, '3:6 /tls/keyFile schema is missing'],
      [
        `${NSO}tls: { keyFile: a.pem, certFile: ~ }`,
        '3:34 /tls/certFile schema must be set, because keyFile is',
      ],
      [`${NSO}options: { anything: { at: [all] } }`],
    ] as const)
      it(`${expected.length === 0 ? 'accepts' : 'rejects'} ${JSON.stringify(text)}`, async () => {
        assert.deepEqual(
          await adapter(text),
          expected.map((fault) => `adapters/a.yaml:${fault}`),
        );
      });
  });

  it('never throws and never quotes a value (property)', async () => {
    const main =
      'server: { listen: hunter2, tls: { certFile: a } }\nadapters:\n  a: { plugin: p, baseUrl: "${X}" }\n';
    const cut = fc.record({ at: fc.nat(main.length), length: fc.nat(9), put: anyText({ maxLength: 9 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { maxLength: 4 }), async (cuts) => {
        const mutated = cuts.reduce(
          (text, { at, length, put }) => text.slice(0, at) + put + text.slice(at + length),
          main,
        );
        const { faults } = await load({ 'main.yaml': mutated, 'adapters/b.yaml': mutated });
        assert.notEqual(faults.length, 0);
        for (const { message, fix, line, column } of faults) {
          assert.ok(!(message + fix).includes('hunter2') && message !== '' && fix !== '');
          assert.ok(Number.isInteger(line) && Number.isInteger(column));
        }
      }),
      { numRuns: 60 },
    );
  });
});
