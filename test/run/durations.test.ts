import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openDurations, SLOW_FILES, writeSlowFiles } from './durations.js';
import { DIST } from './paths.js';

const compiled = (file: string) => join(DIST, file.replace(/\.ts$/, '.js'));
const ONE = 'test/run/durations.test.ts';
const OTHER = 'test/run/summary.test.ts';

describe('the order of test files', () => {
  it('begins with the longest, by the last run, or else by the list of slow files (bug: by size in a new checkout)', () => {
    const folder = temporaryFolder().path;
    const [cache, slow] = [join(folder, 'cache.json'), join(folder, 'slow.json')];
    const sorted = () => openDurations(cache, slow).sort([ONE, OTHER].map(compiled));
    for (const [first, second] of [
      [ONE, OTHER],
      [OTHER, ONE],
    ] as const) {
      writeFileSync(slow, JSON.stringify({ [first]: 200, [second]: 100 }));
      assert.deepEqual(sorted(), [first, second].map(compiled));
    }
    openDurations(cache, slow).save(new Map([[compiled(OTHER), 3]]));
    assert.deepEqual(sorted(), [ONE, OTHER].map(compiled));
  });
});

describe('the list of slow files', () => {
  it('is written with the files of a run that took 10 s, and keeps those of other files', () => {
    const path = join(temporaryFolder().path, 'slow.json');
    writeFileSync(
      path,
      JSON.stringify({ [OTHER]: 30, 'test/gone.test.ts': 90, 'test/run/tiers.test.ts': 40 }),
    );
    writeSlowFiles(
      path,
      new Map([
        [compiled(ONE), 51.6],
        [compiled('test/run/tiers.test.ts'), 2],
      ]),
    );
    assert.equal(readFileSync(path, 'utf8'), `${JSON.stringify({ [ONE]: 52, [OTHER]: 30 }, undefined, 2)}\n`);
  });

  it('names existing files', () => {
    const files = Object.keys(JSON.parse(readFileSync(SLOW_FILES, 'utf8')) as object);
    assert.ok(files.length > 5);
    assert.deepEqual(
      files.filter((file) => !existsSync(join(ROOT, file))),
      [],
    );
  });
});
