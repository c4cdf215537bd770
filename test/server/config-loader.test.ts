import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfigLoader } from '../../src/server/config-loader.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const PLAIN = 'plugin: http-rest\nbaseUrl: https://one.example\n';

describe('createConfigLoader', () => {
  async function open() {
    const { path: folder } = temporaryFolder();
    const at = (name: string) => join(folder, 'adapters', `${name}.yaml`);
    mkdirSync(join(folder, 'adapters'));
    writeFileSync(join(folder, 'gatehouse.yaml'), '');
    for (const name of ['a', 'b', 'c']) writeFileSync(at(name), PLAIN);
    const clock = { now: () => Date.now() + 60_000 };
    const { read } = await createConfigLoader({ configPath: join(folder, 'gatehouse.yaml'), env: {}, clock });
    const writtenOf = async () => {
      const { desired, faults } = await read();
      return { written: desired.adapters.map(({ id, written }) => [id, written] as const), faults };
    };
    return { at, writtenOf };
  }

  it('parses only changed files again, and returns their faults', async () => {
    const { at, writtenOf } = await open();
    const { written: first } = await writtenOf();
    writeFileSync(at('b'), `${PLAIN}tiemouts: {}\n`);
    const { written: second, faults } = await writtenOf();
    assert.deepEqual(
      faults.map(({ file, line, pointer }) => [file, line, pointer]),
      [[at('b'), 3, '/tiemouts']],
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
    writeFileSync(at('b'), PLAIN);
    assert.deepEqual((await writtenOf()).faults, []);
  });

  it('notices added and deleted files', async () => {
    const { at, writtenOf } = await open();
    await writtenOf();
    rmSync(at('a'));
    writeFileSync(at('d'), PLAIN);
    const { written } = await writtenOf();
    assert.deepEqual(
      written.map(([id]) => id),
      ['b', 'c', 'd'],
    );
  });
});
