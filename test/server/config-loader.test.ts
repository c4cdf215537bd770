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
});
