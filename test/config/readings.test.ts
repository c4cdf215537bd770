import assert from 'node:assert/strict';
import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readings } from '../../src/config/readings.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('Readings', () => {
  const folder = temporaryFolder().path;
  const at = (name: string) => join(folder, name);
  const later = { now: () => Date.now() + 60_000 };

  function open(clock = later) {
    const readings = new Readings<{ readonly text: string; readonly faults: readonly string[] }>(clock);
    return async (...names: readonly string[]) => {
      const read: string[] = [];
      const taken = await readings.take(
        names.map((name) => ({ name, file: at(name) })),
        ({ name, file }) => {
          read.push(name);
          const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
          return { text, faults: text.startsWith('bad') ? ['bad'] : [] };
        },
      );
      return { read: read.sort(), texts: taken.map(({ text }) => text) };
    };
  }

  it('reads only changed files again', async () => {
    writeFileSync(at('a'), 'one');
    writeFileSync(at('b'), 'two');
    const take = open();
    assert.deepEqual(await take('a', 'b'), { read: ['a', 'b'], texts: ['one', 'two'] });
    assert.deepEqual(await take('a', 'b'), { read: [], texts: ['one', 'two'] });
    writeFileSync(at('b'), 'new');
    assert.deepEqual(await take('b', 'a'), { read: ['b'], texts: ['new', 'one'] });
    assert.deepEqual(await take('a', 'b'), { read: [], texts: ['one', 'new'] });
  });

  it('reads a recently changed file again, because a second change may keep the same time', async () => {
    writeFileSync(at('fresh'), 'one');
    const take = open({ now: () => statSync(at('fresh')).mtimeMs + 2_400 });
    await take('fresh');
    assert.deepEqual((await take('fresh')).read, ['fresh']);
    const early = open({ now: () => 0 });
    await early('fresh');
    assert.deepEqual((await early('fresh')).read, ['fresh']);
  });

  it('detects a change that keeps the size and restores the modification time', async () => {
    writeFileSync(at('back'), 'one');
    const take = open();
    await take('back');
    const { atime, mtime } = statSync(at('back'));
    writeFileSync(at('back'), 'two');
    utimesSync(at('back'), atime, mtime);
    assert.deepEqual((await take('back')).texts, ['two']);
  });

  it('detects a replaced file and a changed link target', async () => {
    writeFileSync(at('v1'), 'one');
    writeFileSync(at('v2'), 'two');
    symlinkSync('v1', at('link'));
    const take = open();
    assert.deepEqual((await take('v1', 'link')).texts, ['one', 'one']);
    rmSync(at('link'));
    symlinkSync('v2', at('link'));
    renameSync(at('v2'), at('v1'));
    symlinkSync('v1', at('other'));
    renameSync(at('other'), at('link'));
    assert.deepEqual((await take('v1', 'link')).texts, ['two', 'two']);
  });

  it('keeps no result with a fault, which may have been temporary', async () => {
    writeFileSync(at('faulty'), 'bad');
    const take = open();
    await take('faulty');
    assert.deepEqual((await take('faulty')).read, ['faulty']);
    assert.deepEqual((await take('missing')).read, ['missing']);
    assert.deepEqual((await take('missing')).read, ['missing']);
  });

  it('drops a file that is no longer requested', async () => {
    writeFileSync(at('gone'), 'one');
    const take = open();
    await take('gone');
    await take();
    assert.deepEqual((await take('gone')).read, ['gone']);
  });
});
