import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { ROOT } from '../shape/source-files.js';
import { runCommand } from '../support/command-io.js';
import { COMMAND } from '../support/gatehouse-command.js';
import { listenOnLoopback } from '../support/loopback.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function runProcess(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

describe('gatehouse adapter from-openapi', () => {
  const { path: folder } = temporaryFolder();
  const main = join(folder, 'gatehouse.yaml');
  const apis = join(folder, 'apis');
  const devices = join(apis, 'devices.yaml');
  const run = (...args: readonly string[]) =>
    runCommand(['adapter', 'from-openapi', ...args, '--config', main]);

  before(() => {
    writeFileSync(
      main,
      'vault: { address: "https://vault.example", auth: { method: token, tokenFile: t } }\n',
    );
    writeFileSync(join(folder, 't'), 'x', { mode: 0o600 });
    mkdirSync(join(folder, 'adapters'));
    cpSync(join(ROOT, 'test/adapters/openapi/documents'), apis, { recursive: true });
  });

  it('names the failed hop of a download (bug: it said "fetch failed")', async () => {
    const closed = await listenOnLoopback(createServer());
    await closed.close();
    const { code, err } = await run(`http://${closed.host}/api.json`);
    assert.equal(code, 64);
    assert.match(
      err,
      /cannot be read: 127\.0\.0\.1:\d+ refuses connections on this port.*; download the document yourself/,
    );
  });

  it('lists the methods, all or those of some names', async () => {
    const all = await run(devices, '--list');
    assert.deepEqual([all.code, all.err], [0, '12 of 12 methods\n']);
    assert.match(
      all.out,
      /listDevices +GET +\/sites\/\{site\}\/devices +Devices +List the devices of a site/,
    );
    const some = await run(devices, '--list', '--methods', 'get*, putTree');
    assert.deepEqual([some.err, some.out.includes('listDevices')], ['5 of 12 methods\n', false]);
  });

  it('writes an adapter that check accepts, with the proposed authentication, and says what to do next', async () => {
    const { code, out } = await run(devices, '--name', 'lab');
    assert.equal(code, 0);
    assert.match(
      out,
      /lab\.yaml: written\. Next:[^]*store the secret adapters\/lab#key in Vault[^]*check the files with "gatehouse check"/,
    );
    assert.equal(
      readFileSync(join(folder, 'adapters', 'lab.yaml'), 'utf8'),
      `# Devices
plugin: http-rest
baseUrl: https://controller.example/api/v1
auth:
  type: header
  name: X-Auth-Token
  value: $VAULT_adapters/lab#key
openapi:
  file: ../apis/devices.yaml
  methods:
    - listDevices
    - getDevice
    - getImage
    - getStatus
`,
    );
    const checked = await runCommand(['check', '--config', main]);
    assert.deepEqual([checked.code, checked.out], [0, `${main}: no fault found (1 adapter)\n`]);
  });

  for (const [place, config, text, advice] of [
    [
      'files',
      'secrets: { files: { root: s } }',
      '$FILE_adapters/lab-2/key',
      'write the secret to the file adapters/lab-2/key in the folder secrets.files.root',
    ],
    ['the environment', '{}', '${LAB_2_KEY}', 'set the environment variable LAB_2_KEY to the secret'],
  ] as const)
    it(`proposes ${place} for secrets if that is configured (bug: always Vault)`, async () => {
      const other = join(folder, 'other.yaml');
      writeFileSync(other, config);
      const adapterFile = join(folder, 'adapters', 'lab-2.yaml');
      const args = ['adapter', 'from-openapi', devices, '--name', 'lab-2', '--config', other];
      const { out } = await runCommand(args);
      assert.ok(out.includes(`\n  ${advice}\n`), out);
      assert.ok(readFileSync(adapterFile, 'utf8').includes(`\n  value: ${text}\n`));
      rmSync(adapterFile);
    });

  it('fills in the variables of the server, and completes the address of tokens (bug: the path was lost)', async () => {
    const file = join(apis, 'variables.yaml');
    writeFileSync(
      file,
      `openapi: 3.0.3
info: { title: Variables }
servers:
  - url: https://{host}:{port}/api/{version}
    variables: { host: { default: nms.example }, port: { default: '8443' }, version: { enum: [v1, v2], default: v1 } }
components:
  securitySchemes:
    o: { type: oauth2, flows: { clientCredentials: { tokenUrl: /oauth/token, scopes: {} } } }
paths: { /a: { get: { operationId: a, responses: {} } } }
`,
    );
    assert.equal((await run(file)).code, 0);
    const adapterFile = join(folder, 'adapters', 'variables.yaml');
    const text = readFileSync(adapterFile, 'utf8');
    assert.match(text, /^baseUrl: https:\/\/nms\.example:8443\/api\/v1$/m);
    assert.match(text, /^ {2}tokenUrl: https:\/\/nms\.example:8443\/oauth\/token$/m);
    rmSync(adapterFile);
  });

  it('never overwrites an adapter without --force, and prints how its methods would change', async () => {
    const before = readFileSync(join(folder, 'adapters', 'lab.yaml'), 'utf8');
    const next = join(apis, 'next.yaml');
    const text = readFileSync(devices, 'utf8');
    writeFileSync(
      next,
      text.replace('maximum: 500', 'maximum: 50').replace('operationId: getImage', 'operationId: readImage'),
    );
    const args = [next, '--name', 'lab', '--methods', 'listDevices,getStatus,readImage'];
    const refused = await run(...args);
    assert.equal(refused.code, 64);
    assert.equal(refused.out, '+ readImage\n- getDevice\n- getImage\n~ listDevices\n');
    assert.match(refused.err, /lab\.yaml exists already; overwrite it with --force/);
    const compared = await run(...args, '--diff');
    assert.deepEqual([compared.code, compared.out], [2, refused.out]);
    assert.deepEqual((await run(devices, '--name', 'lab', '--diff')).code, 0);
    assert.equal(readFileSync(join(folder, 'adapters', 'lab.yaml'), 'utf8'), before);
    assert.equal((await run(next, '--name', 'lab', '--methods', 'getStatus', '--force')).code, 0);
    assert.match(
      readFileSync(join(folder, 'adapters', 'lab.yaml'), 'utf8'),
      /next\.yaml\n {2}methods:\n {4}- getStatus\n$/,
    );
  });

  it('compares two documents as a process of its own (bug: it ended without output)', () => {
    const adapterFile = join(folder, 'adapters', 'compared.yaml');
    writeFileSync(
      adapterFile,
      'plugin: http-rest\nbaseUrl: https://nms.example\nopenapi: { file: ../apis/next.yaml, methods: [getStatus] }\n',
    );
    const args = ['--name', 'compared', '--methods', 'getStatus,getImage', '--config', main];
    const compared = runProcess('adapter', 'from-openapi', devices, ...args, '--diff');
    assert.deepEqual(compared, { code: 2, out: '+ getImage\n', err: '' });
    const refused = runProcess('adapter', 'from-openapi', devices, ...args);
    assert.deepEqual([refused.code, refused.out], [64, '+ getImage\n']);
    assert.match(refused.err, /compared\.yaml exists already; overwrite it with --force/);
    rmSync(adapterFile);
  });

  it('saves the document of a URL beside the configuration', async () => {
    const legacy = readFileSync(join(apis, 'legacy.json'));
    const listener = await listenOnLoopback(createServer((_request, response) => response.end(legacy)));
    try {
      const { code, err } = await run(`http://${listener.host}/api-docs`, '--name', 'old', '--methods', '*');
      assert.deepEqual([code, err], [0, '']);
    } finally {
      await listener.close();
    }
    assert.deepEqual(readFileSync(join(apis, 'old.json')), legacy);
    const text = readFileSync(join(folder, 'adapters', 'old.yaml'), 'utf8');
    assert.match(text, /baseUrl: https:\/\/old\.example\/rest\nauth:\n {2}type: basic\n/);
    assert.match(text, /^# The document also has the security scheme key\.$/m);
  });

  it('names a method that does not exist, and what it resembles', async () => {
    const { code, err } = await run(devices, '--name', 'other', '--methods', 'listDevice');
    assert.equal(code, 64);
    assert.match(err, /the document has no method "listDevice"; did you mean "listDevices"\?/);
  });
});

describe('gatehouse check of an OpenAPI document', () => {
  const { path: folder } = temporaryFolder();
  const main = join(folder, 'gatehouse.yaml');
  const check = async (
    document: string,
    methods = "['*']",
    { name = 'api.yaml', plugin = 'http-rest' } = {},
  ) => {
    writeFileSync(join(folder, name), document);
    const adapter = `plugin: ${plugin}\nbaseUrl: https://nms.example\nopenapi: { file: ../${name}, methods: ${methods} }\n`;
    writeFileSync(join(folder, 'adapters', 'nms.yaml'), adapter);
    const { code, out, err } = await runCommand(['check', '--config', main]);
    return { code, out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') };
  };
  const HEAD = 'openapi: 3.0.3\ninfo: { title: A, version: "1" }\n';

  before(() => {
    mkdirSync(join(folder, 'adapters'));
    writeFileSync(main, '{}\n');
  });

  it('names faults with file, line and column', async () => {
    const wrong = `${HEAD}paths:\n  /a:\n    get:\n      parameters:\n        - { name: x }\n      responses: { '200': { $ref: '#/components/responses/Gone' } }\n`;
    const { code, out } = await check(wrong);
    assert.equal(code, 78);
    assert.match(
      out,
      /^api\.yaml:7:11 \/paths\/~1a\/get\/parameters\/0: is no parameter with a valid "name" and "in" \[openapi\]/m,
    );
    assert.match(
      out,
      /^api\.yaml:8:\d+ \S*\/responses\/200\/\$ref: refers to "#\/components\/responses\/Gone", which does not exist/m,
    );
  });

  it('names the place in JSON, also of malformed JSON', async () => {
    const json =
      '{\n  "openapi": "3.0.0",\n  "paths": {\n    "/a": { "$ref": "https://elsewhere.example/a.json" }\n  }\n}\n';
    const { out } = await check(json, "['*']", { name: 'api.json' });
    assert.match(
      out,
      /^api\.json:4:\d+ \/paths\/~1a\/\$ref: refers to "https:\/\/elsewhere\.example\/a\.json"; documents of other servers are never fetched/m,
    );
    const malformed = await check('{\n  "openapi": "3.0.0",\n  "paths": {\n', "['*']", { name: 'api.json' });
    assert.match(
      malformed.out,
      /^api\.json:3:12: \{ on line 3 is not closed \[openapi\]|^api\.json:\d+:\d+: /m,
    );
    assert.equal(malformed.code, 78);
  });

  it('ignores faults of operations that are not chosen, and names patterns that match nothing', async () => {
    const mixed = `${HEAD}paths:\n  /a:\n    get: { operationId: good, responses: {} }\n    put: { operationId: bad, parameters: [{ $ref: '#/nothing' }] }\n`;
    assert.equal((await check(mixed, '[good]')).code, 0);
    assert.equal((await check(mixed, '[bad]')).code, 78);
    const { out } = await check(mixed, '[good, goods]');
    assert.match(
      out,
      /adapters\/nms\.yaml:3:\d+ \/openapi\/methods\/1: names no method of the document; did you mean "good"\?/,
    );
  });

  it('reads the documents of several adapters, as a process of its own (bug: it ended after the first)', () => {
    writeFileSync(
      join(folder, 'api.yaml'),
      `${HEAD}paths: { /a: { get: { operationId: a, responses: {} } } }\n`,
    );
    const names = ['one', 'two'].map((name) => join(folder, 'adapters', `${name}.yaml`));
    for (const name of names)
      writeFileSync(
        name,
        'plugin: http-rest\nbaseUrl: https://nms.example\nopenapi: { file: ../api.yaml, methods: [a] }\n',
      );
    rmSync(join(folder, 'adapters', 'nms.yaml'), { force: true });
    const { out } = runProcess('check', '--config', main);
    for (const name of names) rmSync(name);
    assert.equal(out, `${main}: no fault found (2 adapters)\n`);
  });

  it('warns of an operation with another server than the document (bug: it was called at the base URL without a word)', async () => {
    const own = `${HEAD}servers: [{ url: 'https://x.example/api' }]
paths:
  /a:
    servers: [{ url: 'https://x.example/api' }]
    get: { operationId: a, responses: {} }
  /b:
    servers: [{ url: 'https://{host}/v2', variables: { host: { default: y.example } } }]
    get: { operationId: b, responses: {} }
    put: { operationId: c, responses: {}, servers: [{ url: 'https://z.example' }] }
`;
    const { code, err } = await check(own);
    assert.equal(code, 0);
    const warnings = err.split('\n').filter((line) => line.includes('is not used'));
    assert.deepEqual(
      warnings.map((line) => line.replace(/:\d+:\d+ /, ' ')),
      [
        ['/paths/~1b/servers', 'https://y.example/v2'],
        ['/paths/~1b/put/servers', 'https://z.example'],
      ].map(
        ([pointer, url]) =>
          `warning: api.yaml ${pointer}: name the server "${url}", which is not used: calls go to the base URL of the adapter [openapi]`,
      ),
    );
    assert.doesNotMatch((await check(own, '[a]')).err, /is not used/);
  });

  it('refuses files outside of the folder of the document', async () => {
    writeFileSync(join(folder, '..', 'outside.yaml'), 'a: { type: string }\n');
    const outside = `${HEAD}paths:\n  /a:\n    get:\n      operationId: a\n      parameters: [{ $ref: '../outside.yaml#/a' }]\n      responses: {}\n`;
    assert.match(
      (await check(outside)).out,
      /refers to "\.\.\/outside\.yaml#\/a": the file does not exist, cannot be read, or is outside/,
    );
  });

  it('warns of parts that are left out, and of a base URL without the path of the server', async () => {
    const sloppy = `${HEAD}servers: [{ url: 'https://x.example/api' }]\npaths:\n  /a/{id}:\n    get: { operationId: a, responses: {} }\n`;
    const { code, err } = await check(sloppy);
    assert.equal(code, 0);
    assert.match(err, /warning: api\.yaml:6:\d+ \S+: declares no parameter "id" of its path/);
    assert.match(
      err,
      /warning: adapters\/nms\.yaml:2:\d+ \/baseUrl: does not end with "\/api", the path of the server/,
    );
  });

  it('accepts a base URL without the path of the server if the plugin moves paths to the root of the API', async () => {
    const module = join(folder, 'dev.yang');
    writeFileSync(module, 'module dev { namespace urn:dev; prefix d; rpc reboot; }\n');
    const { out: document } = await runCommand(['yang', 'openapi', module]);
    assert.match(document, /"url": ?"\/restconf"/);
    const { code, err } = await check(document, "['*']", { name: 'dev.json', plugin: 'restconf' });
    assert.deepEqual({ code, err }, { code: 0, err: '' });
  });
});
