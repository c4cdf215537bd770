import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentOf } from '../../src/config/adapter-record.js';
import { silentLog } from '../../src/core/log.js';
import { valueAt } from '../../src/json/pointer.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { findReferences } from '../../src/secrets/find-references.js';
import { openSecrets } from '../../src/secrets/open-secrets.js';
import { createConfigLoader, settingsOf } from '../../src/server/config-loader.js';
import { referenceSyntax } from '../../src/server/state/configuration.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { columns } from '../support/columns.js';
import { writeMistake } from '../support/mistakes.js';

const ADAPTER_TEXT = 'plugin: http-rest\nbaseUrl: https://one.example\n';

describe('createConfigLoader', () => {
  async function open() {
    const names = ['a', 'b', 'c'].map((name) => [`adapters/${name}.yaml`, ADAPTER_TEXT] as const);
    const folder = writeMistake({ files: Object.fromEntries(names) });
    const pathOf = (name: string) => join(folder, 'adapters', `${name}.yaml`);
    const clock = { now: () => Date.now() + 60_000 };
    const { read } = await createConfigLoader({ configPath: join(folder, 'gatehouse.yaml'), env: {}, clock });
    const writtenOf = async () => {
      const { desired, faults } = await read();
      return { written: desired.adapters.map(({ id, written }) => [id, written] as const), faults };
    };
    return { pathOf, writtenOf };
  }

  it('knows a block of secrets that a running server has not opened (bug: "no Vault is configured")', async () => {
    const configPath = join(writeMistake({}), 'gatehouse.yaml');
    const { read, isConfigured } = await createConfigLoader({ configPath, env: {} });
    const settings = settingsOf(await read());
    const deps = { scheduler: systemScheduler, log: silentLog, env: {}, openHttpClient, isConfigured };
    const secrets = openSecrets(settings, deps);
    const { references } = findReferences({ a: '$VAULT_a#b', f: '$FILE_a' });
    const failures = async () =>
      [...(await secrets.resolve(references)).values()].map(
        (one) => 'message' in one && [one.message, one.fix],
      );
    assert.deepEqual(await failures(), [
      [
        'The value is a reference to Vault, and no Vault is configured',
        'Add a "vault" block with address and auth to the configuration.',
      ],
      [
        'The value is a reference to a file, and no folder of secrets is configured',
        'Set secrets.files.root to the folder of the secrets, for example /run/secrets.',
      ],
    ]);
    const vault = 'vault: { address: "https://vault.example", auth: { method: token, tokenEnv: T } }\n';
    writeFileSync(configPath, `${vault}secrets: { files: { root: . } }\n`);
    await read();
    const laterOf = (what: string, block: string) => [
      `The value is a reference to ${what}, and the block ${block} takes effect at the next start`,
      'Restart gatehouse.',
    ];
    assert.deepEqual(await failures(), [laterOf('Vault', 'vault'), laterOf('a file', 'secrets.files')]);
    await secrets.close();
  });

  it('parses only changed files again, and returns their faults', async () => {
    const { pathOf, writtenOf } = await open();
    const { written: first } = await writtenOf();
    writeFileSync(pathOf('b'), `${ADAPTER_TEXT}tiemouts: {}\n`);
    const { written: second, faults } = await writtenOf();
    assert.deepEqual(columns(faults, 'file', 'line', 'pointer'), [[pathOf('b'), 3, '/tiemouts']]);
    assert.deepEqual(
      second.map(([id, written], nth) => [id, written === first[nth]?.[1]]),
      [
        ['a', true],
        ['b', false],
        ['c', true],
      ],
    );
    assert.equal((await writtenOf()).faults.length, 1);
    writeFileSync(pathOf('b'), ADAPTER_TEXT);
    assert.deepEqual((await writtenOf()).faults, []);
  });

  it('notices added and deleted files', async () => {
    const { pathOf, writtenOf } = await open();
    await writtenOf();
    rmSync(pathOf('a'));
    writeFileSync(pathOf('d'), ADAPTER_TEXT);
    const { written } = await writtenOf();
    assert.deepEqual(Object.keys(Object.fromEntries(written)), ['b', 'c', 'd']);
  });

  it('converts variables of adapter files, of the main file and of the options of a plugin', async () => {
    const folder = writeMistake({
      main: 'server: { workers: "${N}" }\nadapters: { b: { plugin: ported, baseUrl: http://b, stub: "${ON}" } }\n',
      files: {
        'plugins/ported/index.js': `export const plugin = {
          type: 'ported', apiVersion: 1, summary: 'Has a port.',
          options: { type: 'object', properties: { port: { type: 'integer' }, name: { type: 'string' } } },
          create: () => ({}),
        };\n`,
        'adapters/a.yaml':
          'plugin: ported\nbaseUrl: http://a\nqueue:\n  waitMs: ${N}\noptions: { port: "${N}", name: "${N}" }\n',
      },
    });
    const { read } = await createConfigLoader({
      configPath: join(folder, 'gatehouse.yaml'),
      env: { N: '8', ON: 'true' },
      pluginFolder: join(folder, 'plugins'),
    });
    const { desired, faults } = await read();
    assert.deepEqual(faults, []);
    assert.equal(settingsOf({ desired, faults }).server.workers, 8);
    const [a, b] = ['a', 'b'].map((name) => desired.adapters.find(({ id }) => id === name)?.written);
    assert.ok(a && b);
    assert.deepEqual(
      [valueAt(a.value, '/options'), valueAt(b.value, '/stub')],
      [{ port: 8, name: '8' }, true],
    );
    // Clients read an adapter with the values that it runs with.
    const { queue, options } = documentOf('a', a, referenceSyntax).properties.properties;
    assert.deepEqual([queue, options], [{ waitMs: 8 }, { port: 8, name: '8' }]);
    assert.equal(documentOf('b', b, referenceSyntax).properties.properties['stub'], true);
  });

  async function readFaults(text: string) {
    const configPath = join(writeMistake({ main: text }), 'gatehouse.yaml');
    return (await (await createConfigLoader({ configPath, env: {} })).read()).faults;
  }

  it('finds entries of server.trustedProxies that are no network, and PROXY headers that nobody may send', async () => {
    const faultsOf = async (server: string) =>
      columns(await readFaults(`server: ${server}\n`), 'line', 'column', 'pointer', 'code');
    assert.deepEqual(await faultsOf('{ trustedProxies: [10.0.0.1, 10.0.0.0/33, 1.2.3] }'), [
      [1, 38, '/server/trustedProxies/1', 'proxy'],
      [1, 51, '/server/trustedProxies/2', 'proxy'],
    ]);
    assert.deepEqual(await faultsOf('{ proxyProtocol: v2 }'), [[1, 26, '/server/proxyProtocol', 'proxy']]);
    assert.deepEqual(await faultsOf('{ proxyProtocol: any, trustedProxies: ["::1", 10.0.0.0/8] }'), []);
    for (const entry of ['lb.example', '10.0.0.0/0', '"::/0"', '10.0.0.0/255.0.0.0', '""'])
      assert.equal((await faultsOf(`{ trustedProxies: [${entry}] }`))[0]?.[3], 'schema', entry);
  });

  it('finds entries of server.cors.origins that no browser sends', async () => {
    const faultsOf = async (origin: string) =>
      (await readFaults(`server: { cors: { origins: ["${origin}"] } }\n`)).map(
        ({ code, message }) => `${code} ${message}`,
      );
    assert.deepEqual(await faultsOf('https://portal.example'), []);
    assert.deepEqual(await faultsOf('http://localhost:5173'), []);
    assert.deepEqual(await faultsOf('https://Portal.example'), [
      'cors matches no page: browsers send https://portal.example',
    ]);
    assert.deepEqual(await faultsOf('https://portal.example:443'), [
      'cors matches no page: browsers send https://portal.example',
    ]);
    for (const entry of ['*', 'https://portal.example/', 'null', 'portal.example'])
      assert.match((await faultsOf(entry))[0] ?? '', /^schema must be an http or https origin/, entry);
  });
});
