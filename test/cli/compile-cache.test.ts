import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { keepCompiledCode } from '../../src/cli/compile-cache.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function keptIn(env: Parameters<typeof keepCompiledCode>[0]) {
  const folders: string[] = [];
  keepCompiledCode(env, { enableCompileCache: (folder) => folders.push(folder) });
  return { folders, env };
}

describe('the cache of compiled code', () => {
  it('is a new folder of the user, for the processes that are started, too', () => {
    const folder = join(temporaryFolder().path, 'cache');
    const { folders, env } = keptIn({ CACHE_DIRECTORY: folder });
    assert.deepEqual([folders, env.NODE_COMPILE_CACHE], [[folder], folder]);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.deepEqual(keptIn({ CACHE_DIRECTORY: folder }).folders, [folder]);
  });

  it('is no folder in which others could put code', () => {
    const { path } = temporaryFolder();
    const shared = join(path, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o770);
    const own = join(path, 'own');
    mkdirSync(own, { mode: 0o700 });
    const link = join(path, 'link');
    symlinkSync(own, link);
    const below = join(path, 'none', 'below');
    chmodSync(path, 0o700);
    for (const folder of [shared, link]) assert.deepEqual(keptIn({ CACHE_DIRECTORY: folder }).folders, []);
    assert.deepEqual(keptIn({ CACHE_DIRECTORY: below }).folders, [below]);
  });

  it('is what the environment names, and absent in a release of Node.js without it', () => {
    assert.deepEqual(keptIn({ NODE_COMPILE_CACHE: '/elsewhere' }).folders, []);
    const env = {};
    keepCompiledCode(env, {});
    assert.deepEqual(env, {});
  });
});
