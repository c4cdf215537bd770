import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runCommand } from '../../support/command-io.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

const ADAPTER = `name: nso1.example.com
model: restconf
properties:
  brokers:
    - device
  properties:
    baseUrl: https://nso.example:8888
    stub: true
    auth: { type: basic, username: gatehouse, password: $VAULT_adapters/core1#password }
`;
const PROFILE = 'id: lab\nlog: { level: debug }\nservices: [nso1.example.com]\n';
const FORM = { name: 'Site: A/B $${x}', schema: { type: 'object', properties: { a: { type: 'string' } } } };

const KINDS = ['adapters', 'profiles', 'forms', 'access-rules', 'limits'];

const RULE = { name: 'noc-nso1', roles: ['noc'], adapters: ['nso1.example.com'], paths: ['/restconf/**'] };
const LIMIT = { name: 'reports', callerNames: ['reports'], requests: 1200 };

/** Faults of records that the server would refuse. */
const REFUSED = [
  'adapters/core1.yaml:1:7 /name: a file of the server has the adapter "core1" with other settings [in_file]',
  'adapters/nso1.yaml:2:8 /model: there is no such adapter plugin on the server; did you mean "restconf"? [plugin]',
  'adapters/nso2.yaml:8:5 /properties/properties/stubs: is not known here; did you mean "stub"? [schema]',
  'adapters/nso3.yaml:4:3 /properties/broker: is not known here; did you mean "brokers"? [schema]',
  'profiles/lab.yml:4:41 /roles/orchestrator-manager.restQery: there is no such operation; did you mean "orchestrator-manager.restQuery"? [roles]',
  'profiles/two.yml:2:11 /services: must be an array [schema]',
  'forms/site.json:1:19 /shema: is not known here; did you mean "schema"? [schema]',
  'access-rules/noc.yaml:2:8 /roles: must be an array [refused]',
  'access-rules/read.yaml:4:5 /operations/0: there is no such operation; did you mean "orchestrator-manager.restQuery"? [refused]',
  'limits/reports.yaml:2:13 /callerName: is not known here; did you mean "callerNames"? [refused]',
];

function withoutLists(line: string): string {
  return line.replace(/known: [^;]*; /, '').replace(/\?\.? Write one of .*(?= \[)/, '?');
}

describe('gatehouse dump, diff and apply', () => {
  let server: TestServer;
  let folder = '';
  let env: Readonly<Record<string, string>> = {};

  before(async () => {
    server = await startTestServer({ folder: temporaryFolder().path });
  });
  after(() => server.close());
  beforeEach(async () => {
    env = {
      GATEHOUSE_URL: server.url,
      GATEHOUSE_TOKEN: server.issueToken('admin'),
      XDG_CONFIG_HOME: temporaryFolder().path,
    };
    folder = temporaryFolder().path;
    for (const kind of KINDS) mkdirSync(join(folder, kind));
    assert.equal((await run('apply', folder, '--prune')).code, 0);
    write('adapters/nso1.yaml', ADAPTER);
    write('profiles/lab.yml', PROFILE);
    write('forms/site.json', JSON.stringify(FORM));
  });

  const run = (...args: readonly string[]): Promise<CommandResult> => runCommand(args, { env });
  const write = (path: string, text: string): void => {
    writeFileSync(join(folder, path), text);
  };
  /** Asserts that the files of a folder declare what the server has. */
  const assertSame = async (...args: readonly string[]): Promise<void> => {
    assert.deepEqual(await run('diff', ...args), { code: 0, out: '', err: 'no differences\n' });
  };

  it('creates what the files declare, and changes nothing the second time', async () => {
    const created = '+ adapter nso1.example.com\n+ profile lab\n+ form Site: A/B ${x}\n';
    assert.deepEqual(await run('diff', folder), {
      code: 2,
      out: created,
      err: '3 to create, 0 to update, 0 to delete\n',
    });
    assert.deepEqual(await run('apply', folder), { code: 0, out: created, err: '3 changes made\n' });
    const second = await run('apply', folder, '--prune');
    assert.deepEqual(second, { code: 0, out: '', err: '0 changes made\n' });
    await assertSame(folder, '--prune');
  });

  it('reads only variables that are meant for records (bug: a record showed any variable of the pipeline)', async () => {
    env = {
      ...env,
      CI_SECRET: 'do-not-show',
      GATEHOUSE_RECORD_SITE: 'zurich',
      GATEHOUSE_RECORD_CI_SECRET: 'x',
    };
    const record = (site: string) => PROFILE + `description: "at ${site}"\n`;
    for (const site of ['${CI_SECRET}', '${CI_SECRET:-none}', '${GATEHOUSE_TOKEN}']) {
      write('profiles/lab.yml', record(site));
      for (const command of ['diff', 'apply']) {
        const { code, out, err } = await run(command, folder);
        assert.equal(code, 78);
        assert.match(err, /start with GATEHOUSE_RECORD_[\s\S]*Rename it to GATEHOUSE_RECORD_/);
        assert.doesNotMatch(out + err, /do-not-show/);
      }
    }
    write('profiles/lab.yml', record('${GATEHOUSE_RECORD_SITE}'));
    assert.equal((await run('apply', folder)).code, 0);
    write('profiles/lab.yml', record('zurich'));
    await assertSame(folder);
  });

  it('refuses records that the server would refuse, before the first change (bug: apply changed a part)', async () => {
    write('adapters/nso1.yaml', ADAPTER.replace('model: restconf', 'model: restcnf'));
    write('adapters/nso2.yaml', ADAPTER.replace('nso1', 'nso2').replace('stub: true', 'stubs: true'));
    write('adapters/nso3.yaml', ADAPTER.replace('nso1', 'nso3').replace('  brokers:', '  broker:'));
    write('profiles/lab.yml', `${PROFILE}roles: { orchestrator-manager.restQery: [admin] }\n`);
    write('profiles/two.yml', 'id: two\nservices: lab\n');
    write('forms/site.json', '{ "name": "Site", "shema": {} }');
    write('access-rules/noc.yaml', 'name: noc\nroles: noc\n');
    write('adapters/core1.yaml', ADAPTER.replace('nso1.example.com', 'core1'));
    write(
      'access-rules/read.yaml',
      'name: read\nroles: [noc]\noperations:\n  - orchestrator-manager.restQery\n',
    );
    write('limits/reports.yaml', 'name: reports\ncallerName: [reports]\nrequests: 10\n');
    for (const command of ['diff', 'apply']) {
      const { code, out, err } = await run(command, folder);
      assert.deepEqual([code, out], [78, '']);
      const lines = err.replaceAll(`${folder}/`, '').split('\n');
      assert.deepEqual(lines.filter((line) => /^\w/.test(line)).map(withoutLists), REFUSED);
    }
    for (const path of ['adapters', 'profiles', 'json-forms/forms', 'access/rules', 'limits'])
      assert.doesNotMatch((await server.call(`GET /${path}`)).text, /nso\d|"lab"|Site|noc|reports/);
  });

  it('warns of a folder that is not the folder of a kind', async () => {
    for (const [name, file] of [
      ['limit', 'reports.yaml'],
      ['rules', 'noc.yaml'],
      ['scripts', 'run.sh'],
    ] as const) {
      mkdirSync(join(folder, name));
      write(`${name}/${file}`, '');
    }
    const { err } = await run('diff', folder);
    assert.equal(
      err.replaceAll(`${folder}/`, ''),
      `warning: limit is ignored: it is not the folder of a kind; did you mean "limits"?
warning: rules is ignored: it is not the folder of a kind; the folders are adapters, profiles, forms, access-rules, limits
3 to create, 0 to update, 0 to delete
`,
    );
  });

  it('shows each member that differs, updates it, and gives the reason to the history', async () => {
    await run('apply', folder);
    write('adapters/nso1.yaml', ADAPTER.replace(':8888', ':8889'));
    write('profiles/lab.yml', PROFILE.replace('debug', 'warn'));
    const { out, code } = await run('diff', folder);
    assert.equal(code, 2);
    assert.equal(
      out,
      `~ adapter nso1.example.com
    /properties/properties/baseUrl: "https://nso.example:8888" -> "https://nso.example:8889"
~ profile lab
    /log/level: "debug" -> "warn"
`,
    );
    const json = await run('diff', folder, '--kind', 'profiles', '--json');
    const differences = [{ pointer: '/log/level', present: 'debug', declared: 'warn' }];
    assert.deepEqual(JSON.parse(json.out), [{ action: 'update', kind: 'profile', name: 'lab', differences }]);
    assert.equal((await run('apply', folder, '--comment', 'change 7')).code, 0);
    const history = await server.call('GET /adapters/nso1.example.com/history');
    assert.match(history.text, /"comment":"change 7"/);
    await assertSame(folder);
  });

  it('removes a setting that the file of an adapter leaves out, and keeps other members', async () => {
    await run('apply', folder);
    write(
      'adapters/nso1.yaml',
      ADAPTER.replace('  brokers:\n    - device\n', '').replace(/ {4}auth.*\n/, ''),
    );
    const { out } = await run('diff', folder);
    assert.match(
      out,
      /^~ adapter nso1\.example\.com\n {4}\/properties\/properties\/auth: \{.*\} -> \(absent\)\n$/,
    );
    assert.equal((await run('apply', folder)).code, 0);
    const { text } = await server.call('GET /adapters/nso1.example.com/export');
    assert.doesNotMatch(text, /VAULT/);
    assert.match(text, /"brokers":\["device"\]/);
  });

  it('deletes what no file declares only with --prune, and never adapters in files of the server', async () => {
    await run('apply', folder);
    for (const path of ['adapters/nso1.yaml', 'profiles/lab.yml', 'forms/site.json'])
      rmSync(join(folder, path));
    await assertSame(folder);
    const dry = await run('apply', folder, '--prune', '--dry-run');
    assert.equal(dry.out, '- form Site: A/B ${x}\n- profile lab\n- adapter nso1.example.com\n');
    assert.match(dry.err, /nothing was changed/);
    assert.equal((await run('diff', folder, '--prune')).code, 2);
    assert.equal((await run('apply', folder, '--prune')).err, '3 changes made\n');
    assert.equal((await server.call('GET /adapters/core1')).status, 200);
    assert.equal((await server.call('GET /adapters/nso1.example.com')).status, 404);
  });

  it('dumps files that declare the same records', async () => {
    await run('apply', folder);
    const other = temporaryFolder().path;
    const { code, out, err } = await run('dump', other);
    assert.equal(code, 0);
    assert.match(err, /1 adapter in files of the server left out/);
    assert.deepEqual(
      out.trim().split('\n'),
      ['adapters/nso1.example.com.yaml', 'profiles/lab.yaml', 'forms/Site%3A A%2FB %24%7Bx%7D.yaml'].map(
        (path) => join(other, path),
      ),
    );
    await assertSame(other, '--prune');
    const [profile = ''] = readdirSync(join(other, 'profiles'));
    assert.equal(
      readFileSync(join(other, 'profiles', profile), 'utf8'),
      'id: lab\nlog:\n  level: debug\nservices:\n  - nso1.example.com\n',
    );
    assert.match(readFileSync(join(other, 'adapters', 'nso1.example.com.yaml'), 'utf8'), /\$VAULT_adapters/);
  });

  it('finds -0 equal to 0 (bug: each apply changed a form with -0, and diff never ended with 0)', async () => {
    write(
      'forms/minus.yaml',
      'name: Minus\nschema: { properties: { a: { enum: [-0, { b: -0.0 }], default: -0 } } }\n',
    );
    assert.equal((await run('apply', folder)).code, 0);
    await assertSame(folder);
  });

  it('dumps and applies members with names of JavaScript (bug: the dump was refused as a whole)', async () => {
    const names = { __proto: 1, constructor: 2, ['__proto__']: { type: 'string' } };
    const form = { ...FORM, name: 'Names', schema: { type: 'object', properties: names } };
    await server.call('POST /json-forms/forms', { body: form });
    await server.call('POST /profiles', { body: { properties: { id: 'names', custom: names } } });
    const other = temporaryFolder().path;
    await run('dump', other);
    assert.match(readFileSync(join(other, 'forms/Names.yaml'), 'utf8'), /^ {4}__proto__:$/m);
    await assertSame(other, '--prune');
    await run('apply', folder, '--prune', '--kind', 'forms', '--kind', 'profiles');
    assert.equal((await run('apply', other)).code, 0);
    await assertSame(other);
    const { text } = await server.call('GET /profiles/names/export');
    assert.ok(text.includes('"__proto__":{"type":"string"}'), text);
  });

  it('dumps names that begin alike to files of their own (bug: the second replaced the first)', async () => {
    const start = '東京データセンターの構成変更の承認フォーム第二版';
    for (const end of ['甲', '乙'])
      write(`forms/${end}.json`, JSON.stringify({ ...FORM, name: start + end }));
    for (const name of ['Edge', 'edge']) write(`forms/${name}-1.json`, JSON.stringify({ ...FORM, name }));
    await run('apply', folder);
    const other = temporaryFolder().path;
    const { out } = await run('dump', other, '--kind', 'forms');
    const paths = out.trim().split('\n');
    assert.equal(new Set(paths.map((path) => path.toLowerCase())).size, 5);
    for (const path of paths) assert.doesNotThrow(() => decodeURIComponent(path), path);
    await assertSame(other, '--kind', 'forms', '--prune');
  });

  it('prints a name as one line without control characters (bug: a form printed a forged change)', async () => {
    const name = 'x\u001b]0;PWNED\u0007\n+ adapter fake';
    write('forms/site.json', JSON.stringify({ ...FORM, name }));
    const { out } = await run('diff', folder, '--kind', 'forms');
    assert.equal(out, '+ form x\\u001b]0;PWNED\\u0007\\n+ adapter fake\n');
  });

  it('goes on after a record that the server refuses, and says why', async () => {
    // Only the server knows whether it writes secrets to Vault.
    write(
      'adapters/bad.yaml',
      ADAPTER.replace('nso1.example.com', 'bad').replace('$VAULT_adapters/core1#password', 'plain'),
    );
    const { code, out, err } = await run('apply', folder);
    assert.equal(code, 1);
    assert.equal(out, '+ adapter nso1.example.com\n+ profile lab\n+ form Site: A/B ${x}\n');
    assert.match(err, /^! adapter bad: .*\n3 changes made, 1 refused\n$/s);
  });

  it('creates, changes, dumps and deletes access rules and limits, with their history', async () => {
    const writeRules = (requests: number): void => {
      write('access-rules/noc.json', JSON.stringify(RULE));
      write('limits/reports.json', JSON.stringify({ ...LIMIT, requests }));
    };
    writeRules(1200);
    await run('apply', folder);
    await assertSame(folder, '--prune');
    writeRules(4321);
    write('access-rules/noc.json', JSON.stringify({ ...RULE, paths: undefined }));
    const changed = await run('apply', folder, '--comment', 'change 4711');
    assert.deepEqual(changed.out.split('\n'), [
      '~ access rule noc-nso1',
      '    /paths: ["/restconf/**"] -> (absent)',
      '~ limit reports',
      '    /requests: 1200 -> 4321',
      '',
    ]);
    for (const path of ['/access/rules/noc-nso1/history', '/limits/reports/history'] as const)
      assert.match((await server.call(`GET ${path}`)).text, /"comment":"change 4711"/);
    const other = temporaryFolder().path;
    await run('dump', other, '--kind', 'access-rules', '--kind', 'limits');
    assert.equal(
      readFileSync(join(other, 'limits', 'reports.yaml'), 'utf8'),
      'name: reports\ncallerNames:\n  - reports\nrequests: 4321\n',
    );
    await assertSame(other, '--prune');
    for (const path of ['access-rules/noc.json', 'limits/reports.json']) rmSync(join(folder, path));
    const pruned = await run('apply', folder, '--prune');
    assert.equal(pruned.out, '- limit reports\n- access rule noc-nso1\n');
  });

  it('reports all faults of the files, and asks for nothing then', async () => {
    write('adapters/nso1.yaml', 'name: [\n');
    write('profiles/a.yaml', 'log: { level: info }\n');
    write('forms/again.json', JSON.stringify(FORM));
    env = { ...env, GATEHOUSE_URL: 'http://127.0.0.1:9' };
    const { code, err } = await run('apply', folder);
    assert.equal(code, 78);
    assert.match(err, /adapters\/nso1\.yaml:.*\[yaml\]/);
    assert.match(err, /profiles\/a\.yaml:1:1.*is missing: each file has one profile/);
    assert.match(err, /forms\/site\.json.*also in .*forms\/again\.json/);
  });

  it('limits itself to a kind, and to folders that are there', async () => {
    const { out } = await run('diff', folder, '--kind', 'profiles');
    assert.equal(out, '+ profile lab\n');
    const unknown = await run('diff', folder, '--kind', 'tasks');
    assert.equal(unknown.code, 64);
    assert.match(
      unknown.err,
      /there is no kind "tasks": use adapters, profiles, forms, access-rules, limits/,
    );
    await run('apply', folder);
    rmSync(join(folder, 'forms'), { recursive: true });
    await assertSame(folder, '--prune');
  });

  it('says what a pipeline lacks', async () => {
    const noUrl = await runCommand(['diff', folder], { env: { ...env, GATEHOUSE_URL: '' } });
    assert.equal(noUrl.code, 64);
    assert.match(noUrl.err, /GATEHOUSE_TOKEN is set without its server: set GATEHOUSE_URL as well/);
    const viewer = { ...env, GATEHOUSE_TOKEN: server.issueToken('none') };
    const refused = await runCommand(['diff', folder], { env: viewer });
    assert.equal(refused.code, 77);
  });
});
