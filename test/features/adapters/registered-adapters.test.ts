import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findPlugins } from '../../../src/adapters/plugins.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { adapterFolder } from '../../../src/server/state/configuration.js';
import { readRecords } from '../../../src/server/state/read-records.js';
import {
  MAIN,
  fileOf,
  openRuntime,
  recordOf,
  type TestRuntime,
  type TestRuntimeOptions,
} from '../../support/adapter-runtime.js';
import { makeCertificate } from '../../support/certificates.js';

const CIPHERTEXT = '$ENC0f2b9a6c4d8e';
const good = recordOf('good');

function addCataloguePlugin({ pluginFolder }: { readonly pluginFolder: string }): void {
  const source = `export const plugin = { type: 'itential-adapter', apiVersion: 1, summary: '', options: { type: 'object',
    required: ['folder', 'properties'], properties: { folder: { type: 'string', 'x-path': true }, properties: { type: 'object' } } },
    create: () => ({ translate: () => [] }) };`;
  mkdirSync(join(pluginFolder, 'itential-adapter'));
  writeFileSync(join(pluginFolder, 'itential-adapter', 'index.js'), source);
}

const bearer = (token: string) => ({ auth: { type: 'bearer', token } });

/** Registers an adapter with each of the settings, named a0, a1 and so on, and returns their states. */
async function statesOf(settings: readonly object[], options: TestRuntimeOptions = {}) {
  const records = settings.map((own, at) => recordOf(`a${at}`, { ...own }));
  const runtime = await openRuntime({ ...options, records });
  const states = runtime.states();
  await runtime.close();
  return records.map(({ name }) => states[name] ?? 'absent');
}

describe('registered adapters', () => {
  let runtime: TestRuntime;
  const open = async (options: TestRuntimeOptions): Promise<TestRuntime> =>
    (runtime = await openRuntime(options));
  afterEach(() => runtime.close());

  it('are dead, without affecting other adapters, for a fault for which an adapter file would be refused', async () => {
    const strict = `export const plugin = { type: 'strict', apiVersion: 1, summary: '',
      options: { type: 'object', properties: { site: { type: 'string' } }, required: ['site'] }, create: () => ({ translate: () => [] }) };`;
    const FAULTS = [
      [recordOf('plugin', {}, 'left-behind'), /^DEAD: \/plugin there is no such adapter plugin \[plugin\]$/],
      [recordOf('settings', { baseUrl: 'no url' }), /^DEAD: \/baseUrl .* \[schema\]$/],
      [recordOf('options', {}, 'strict'), /^DEAD: \/options\/site is missing/],
      [recordOf('certificate', { tls: { caFile: '../ca.pem' } }), /^DEAD: \/tls\/caFile .* \[tls\]$/],
    ] as const; // prettier-ignore
    const { states } = await open({
      records: [good, ...FAULTS.map(([record]) => record)],
      arrange: ({ folder, pluginFolder }) => {
        writeFileSync(join(folder, 'ca.pem'), 'no certificate');
        mkdirSync(join(pluginFolder, 'strict'));
        writeFileSync(join(pluginFolder, 'strict', 'index.js'), strict);
      },
    });
    assert.equal(states()['good'], 'RUNNING');
    for (const [{ name }, state] of FAULTS) assert.match(states()[name] ?? '', state);
  });

  it('from the public catalog are dead while their package is missing, and run once it is back', async () => {
    const properties = { host: 'a.example', port: 443, authentication: {}, healthcheck: { type: 'none' } };
    const { folder, register, applyRecords, states } = await open({ arrange: addCataloguePlugin });
    register(recordOf('a', properties, '@acme/adapter-a'));
    await applyRecords();
    assert.match(states()['a'] ?? '', /^DEAD: \/plugin there is no such adapter plugin/);
    const packageFolder = join(folder, 'node_modules', '@acme', 'adapter-a');
    mkdirSync(packageFolder, { recursive: true });
    writeFileSync(join(packageFolder, 'pronghorn.json'), '{}');
    await applyRecords();
    assert.equal(states()['a'], 'RUNNING');
  });

  it('are dead with an encrypted value or key, which is never shown (bug: a key was shown)', async () => {
    const value = recordOf('a', { options: { token: CIPHERTEXT, [CIPHERTEXT]: 1 } });
    const { states, lines } = await open({ records: [value, recordOf('b', { [CIPHERTEXT]: 1 })] });
    assert.match(states()['a'] ?? '', /^DEAD: .*\[ENC_REJECTED\]$/);
    assert.match(states()['b'] ?? '', /^DEAD: \/\$ENC…/);
    assert.ok(!JSON.stringify([lines, states()]).includes(CIPHERTEXT.slice(4)));
  });

  it('are dead while their secret is missing, and run once it is available', async () => {
    const { values, reloader, states } = await open({ records: [recordOf('a', bearer('$VAULT_a#t')), good] });
    assert.match(states()['a'] ?? '', /^DEAD: VAULT_UNAVAILABLE at \/auth\/token$/);
    values.set('a/auth/token', { value: 'token-1' });
    await reloader.renew(['a']);
    assert.deepEqual(states(), { a: 'RUNNING', good: 'RUNNING' });
  });

  it('are dead if their database record is invalid (bug: no adapter started)', async () => {
    const { applyRecords, register, states } = await open({ records: [good] });
    register({ ...recordOf('a'), document: {} }, { ...recordOf('b'), document: { properties: null } });
    assert.deepEqual(await applyRecords(), []);
    for (const id of ['a', 'b'])
      assert.match(states()[id] ?? '', /^DEAD: its record in the database is not an adapter/);
    assert.equal(states()['good'], 'RUNNING');
  });

  it('give way to a file with the same name, and run with their latest settings once it is deleted', async () => {
    const { write, erase, reload, applyRecords, instance, current, register } = await open({
      records: [good],
    });
    const url = (): unknown => (current.current().written.get('good') as { baseUrl: unknown }).baseUrl;
    const registered = instance('good');
    write('good', 'plugin: recording\nbaseUrl: http://127.0.0.1:10\n');
    await reload();
    assert.equal(url(), 'http://127.0.0.1:10');
    assert.notEqual(instance('good'), registered);
    const filed = instance('good');
    register(recordOf('good', { baseUrl: 'http://127.0.0.1:11' }));
    await applyRecords();
    assert.equal(instance('good'), filed);
    erase('good');
    await reload();
    assert.equal(url(), 'http://127.0.0.1:11');
    assert.equal(runtime.states()['good'], 'RUNNING');
  });
});

describe('files that registered adapters reference', () => {
  const tls = (caFile: string) => ({ tls: { caFile } });

  it('are refused outside the configuration folder', async () => {
    const { cert } = await makeCertificate({ dns: 'a' });
    const outside = ['/etc/hosts', '../../ca.pem', 'x/../../../ca.pem', '..', '$$VAULT_../../../x#y'];
    const [inside, ...others] = await statesOf(['../ca.pem', ...outside].map(tls), {
      arrange: ({ folder }) => {
        writeFileSync(join(folder, 'ca.pem'), cert);
      },
    });
    assert.equal(inside, 'RUNNING');
    for (const [at, state] of others.entries())
      assert.match(state, /^DEAD: \/tls\/caFile names a file outside/, outside[at]);
  });

  it('are found with a configuration path relative to the working folder (bug: every file was refused)', async () => {
    const runtime = await openRuntime();
    const plugins = await findPlugins(runtime.pluginFolder);
    const folder = adapterFolder(relative(process.cwd(), runtime.configPath));
    const records = [recordOf('a', tls('../ca.pem')), recordOf('b', tls('../../ca.pem'))];
    const { main } = runtime.current.current().desired.files;
    const [a, b] = await readRecords(records, { compile: compileSchema, plugins, folder, main });
    assert.equal(a?.recordFault, undefined);
    assert.match(b?.recordFault ?? '', /outside/);
    await runtime.close();
  });

  it('are refused outside the configuration folder if the path comes from Vault (bug: a secret could name any file)', async () => {
    const runtime = await openRuntime({ records: [recordOf('a', tls('$VAULT_a#ca'))] });
    runtime.values.set('a/tls/caFile', { value: '/etc/hosts' });
    await runtime.reloader.renew(['a']);
    assert.match(runtime.states()['a'] ?? '', /^DEAD: \/tls\/caFile names a file outside/);
    const { cert } = await makeCertificate({ dns: 'a' });
    runtime.values.set('a/tls/caFile', { value: cert });
    await runtime.reloader.renew(['a']);
    assert.equal(runtime.states()['a'], 'RUNNING');
    await runtime.close();
  });
});

describe('secrets that registered adapters reference', () => {
  const main = `vault: { address: "https://vault.example", mount: kv, auth: { method: token }, adapterScope: "" }
egress: { adapters: [127.0.0.0/8] }
storage: { url: "$VAULT_gatehouse/db?version=2#url" }
`;
  for (const [title, expected, tokens] of [
    [
      'are refused if the main file references them (bug: an adapter could send them anywhere)',
      /^DEAD: \/auth\/token refers to a secret of the main file/,
      [
        ...['$VAULT_gatehouse/db#url', '$VAULT_/kv/gatehouse/db#url', '$VAULT_gatehouse/db#/url/0'],
        ...['$VAULT_gatehouse/db?version=1&encoding=base64#url', '$VAULT_gatehouse/db'],
        '$SECRET_gatehouse/db $KEY_url',
      ],
    ],
    [
      'are allowed beside those of the main file',
      /^DEAD: VAULT_UNAVAILABLE/,
      ['$VAULT_gatehouse/db#other', '$VAULT_/secret/gatehouse/db#url', '$VAULT_gatehouse#url'],
    ],
  ] as const)
    it(title, async () => {
      const states = await statesOf(tokens.map(bearer), { main, values: ['/storage/url'] });
      for (const [at, state] of states.entries()) assert.match(state, expected, tokens[at]);
    });
});

describe('finding F12: the secrets of a registered adapter', () => {
  const OUTSIDE = /^DEAD: .*refers to a secret outside of "adapters.* vault\.adapterScope/;
  const VAULT = 'vault: { address: "https://vault.example", auth: { method: token }';

  for (const [scope, paths, outside] of [
    [
      '',
      ['adapters/a0#token', 'adapters/a1/deeper#token', '/secret/adapters/a2#token'],
      ['adapters/b#t', 'adapters/a4b#t', 'adapters/A5#t', 'adapters#t', '/other/adapters/a7#t'],
    ],
    [', adapterScope: adapters', ['adapters/b#token'], ['team/x#token']],
    [', adapterScope: ""', ['/database/creds/x#token'], []],
  ] as const)
    it(`are those in its scope only${scope}`, async () => {
      const all = [...paths, ...outside];
      const tokens = all.map((path) => bearer(`$VAULT_${path}`));
      const main = `${VAULT}${scope} }\negress: { adapters: [127.0.0.0/8] }\n`;
      const states = await statesOf(tokens, { main, values: all.map((_, at) => `a${at}/auth/token`) });
      for (const [at, state] of states.entries())
        assert.match(state, at < paths.length ? /^RUNNING$/ : OUTSIDE, all[at]);
    });

  it('are not bound for an adapter of a file', async () => {
    const runtime = await openRuntime({
      main: `${VAULT} }\n`,
      values: ['a/auth/token'],
      arrange: ({ folder }) => {
        const auth = 'auth: { type: bearer, token: $VAULT_adapters/b#token }\n';
        writeFileSync(join(folder, 'adapters', 'a.yaml'), fileOf(auth));
      },
    });
    assert.equal(runtime.states()['a'], 'RUNNING');
    await runtime.close();
  });
});

describe('finding F12: the targets of a registered adapter', () => {
  const targetsOf = (settings: readonly object[], egress = '') => {
    const main = `vault: { address: "https://vault.example", auth: { method: token } }\n${egress}`;
    return statesOf(settings, { main });
  };

  it('exclude loopback and link-local addresses, also as a proxy, as one of several, and in an option', async () => {
    const hosts = ['127.0.0.1:9', 'localhost', '[::1]:9', '169.254.169.254', '2130706433', '0.0.0.0:80'];
    const refused = await targetsOf(hosts.map((host) => ({ baseUrl: `http://${host}` })));
    for (const [at, state] of refused.entries())
      assert.match(state, /^DEAD: \/baseUrl names a target .* egress\.adapters/, hosts[at]);
    const baseUrl = 'https://10.0.0.1';
    const [proxy = '', one = '', option = ''] = await targetsOf([
      { baseUrl, proxy: 'http://127.0.0.1:3128' },
      { baseUrl: undefined, baseUrls: [baseUrl, 'http://127.0.0.2:9'] },
      { baseUrl, options: { host: '127.1' } },
    ]);
    assert.match(proxy, /^DEAD: \/proxy/);
    assert.match(one, /^DEAD: \/baseUrls\/1/);
    assert.match(option, /^DEAD: \/options\/host/);
  });

  it('include private networks, and what the operator opens', async () => {
    const urls = ['https://10.0.0.1', 'http://127.0.0.1:8080', 'http://127.0.0.1:8081'];
    const settings = urls.map((baseUrl) => ({ baseUrl }));
    const [own, opened, closed = ''] = await targetsOf(
      settings,
      'egress: { adapters: ["127.0.0.1:8080"] }\n',
    );
    assert.deepEqual([own, opened], ['RUNNING', 'RUNNING']);
    assert.match(closed, /^DEAD/);
  });

  it('change with the settings when the files are read again', async () => {
    const runtime = await openRuntime({ main: MAIN, records: [recordOf('a')] });
    assert.equal(runtime.states()['a'], 'RUNNING');
    writeFileSync(runtime.configPath, MAIN.replace('127.0.0.0/8', '127.0.0.8'));
    await runtime.reloader.reload();
    assert.match(runtime.states()['a'] ?? '', /^DEAD/);
    await runtime.close();
  });
});
