import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfigLoader } from '../../src/server/config-loader.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ADAPTER_TEXT = 'plugin: http-rest\nbaseUrl: https://one.example\n';

describe('createConfigLoader', () => {
  async function open() {
    const { path: folder } = temporaryFolder();
    const pathOf = (name: string) => join(folder, 'adapters', `${name}.yaml`);
    mkdirSync(join(folder, 'adapters'));
    writeFileSync(join(folder, 'gatehouse.yaml'), '');
    for (const name of ['a', 'b', 'c']) writeFileSync(pathOf(name), ADAPTER_TEXT);
    const clock = { now: () => Date.now() + 60_000 };
    const { read } = await createConfigLoader({ configPath: join(folder, 'gatehouse.yaml'), env: {}, clock });
    const writtenOf = async () => {
      const { desired, faults } = await read();
      return { written: desired.adapters.map(({ id, written }) => [id, written] as const), faults };
    };
    return { pathOf, writtenOf };
  }

  it('parses only changed files again, and returns their faults', async () => {
    const { pathOf, writtenOf } = await open();
    const { written: first } = await writtenOf();
    writeFileSync(pathOf('b'), `${ADAPTER_TEXT}tiemouts: {}\n`);
    const { written: second, faults } = await writtenOf();
    assert.deepEqual(
      faults.map(({ file, line, pointer }) => [file, line, pointer]),
      [[pathOf('b'), 3, '/tiemouts']],
    );
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
    assert.deepEqual(
      written.map(([id]) => id),
      ['b', 'c', 'd'],
    );
  });

  it('finds entries of server.trustedProxies that are no network, and PROXY headers that nobody may send', async () => {
    const faultsOf = async (server: string) => {
      const { path: folder } = temporaryFolder();
      writeFileSync(join(folder, 'gatehouse.yaml'), `server: ${server}\n`);
      const { read } = await createConfigLoader({ configPath: join(folder, 'gatehouse.yaml'), env: {} });
      return (await read()).faults.map(({ line, column, pointer, code }) => [line, column, pointer, code]);
    };
    assert.deepEqual(await faultsOf('{ trustedProxies: [10.0.0.1, 10.0.0.0/33, 1.2.3] }'), [
      [1, 38, '/server/trustedProxies/1', 'proxy'],
      [1, 51, '/server/trustedProxies/2', 'proxy'],
    ]);
    assert.deepEqual(await faultsOf('{ proxyProtocol: v2 }'), [[1, 26, '/server/proxyProtocol', 'proxy']]);
    assert.deepEqual(await faultsOf('{ proxyProtocol: any, trustedProxies: ["::1", 10.0.0.0/8] }'), []);
    for (const entry of ['lb.example', '10.0.0.0/0', '"::/0"', '10.0.0.0/255.0.0.0', '""'])
      assert.equal((await faultsOf(`{ trustedProxies: [${entry}] }`))[0]?.[3], 'schema', entry);
  });
});
