import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readPages, ROOT } from './markdown.js';
import { markOf } from './marks.js';
import { SETTINGS } from './settings/index.js';

const pages = readPages();
const blocks = pages.flatMap((page) => page.blocks.map((block) => ({ ...block, page: page.path })));

describe('code blocks in the documentation', () => {
  it('have a valid mark', () => {
    const wrong = blocks.flatMap((block) => {
      try {
        markOf(block);
        return [];
      } catch (error) {
        return [String(error)];
      }
    });
    assert.deepEqual(wrong, []);
  });

  it('are checked by a test that reports missing and invalid marks', () => {
    const block = { place: 'here', language: 'sh', mark: undefined };
    assert.throws(() => markOf(block), /here: say what this block is/);
    assert.throws(() => markOf({ ...block, mark: 'ran' }), /no kind of block "ran"/);
    assert.throws(() => markOf({ ...block, mark: 'run: away' }), /"away" says nothing/);
    assert.throws(() => markOf({ ...block, mark: 'sample' }), /a block "sh" cannot be "sample"/);
  });

  it('are executed only in guides that the tests follow', () => {
    const executed = blocks.filter((block) => markOf(block).kind === 'run').map(({ page }) => page);
    assert.deepEqual([...new Set(executed)].sort(), Object.keys(SETTINGS).sort());
  });

  it('are read by the test file that their mark names', () => {
    for (const block of blocks) {
      const { kind, detail } = markOf(block);
      if (kind !== 'tested') continue;
      assert.ok(existsSync(join(ROOT, detail)), `${block.place}: there is no ${detail}`);
      const names = [block.page, basename(block.page)];
      const text = readFileSync(join(ROOT, detail), 'utf8');
      assert.ok(
        names.some((name) => text.includes(name)),
        `${block.place}: ${detail} does not read the page`,
      );
    }
  });

  for (const block of blocks.filter(({ language }) => language === 'sh'))
    it(`are valid shell scripts: ${block.place}`, function () {
      const { status, stderr, error } = spawnSync('bash', ['-n'], { input: block.text, encoding: 'utf8' });
      if (error) this.skip();
      assert.equal(status, 0, stderr);
    });
});
