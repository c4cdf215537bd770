import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { groupsOf, OTHER, SECTIONS } from '../../site/src/sections.js';
import { ROOT } from '../docs/markdown.js';

describe('the sections of the sidebar', () => {
  it('list existing pages, each once', () => {
    for (const { name, groups } of SECTIONS) {
      const pages = groups.flatMap((group) => group.pages);
      assert.equal(new Set(pages).size, pages.length, name);
      for (const page of pages)
        assert.ok(existsSync(join(ROOT, 'docs', name, `${page}.md`)), `${name}/${page}`);
    }
  });

  it('have existing pages in their order, and end with pages that no group lists', () => {
    const groups = [
      { title: 'First', pages: ['b', 'a', 'gone'] },
      { title: 'Empty', pages: ['gone'] },
    ];
    assert.deepEqual(groupsOf({ ...SECTIONS[0]!, groups }, ['a', 'b', 'z', 'y']), [
      { title: 'First', pages: ['b', 'a'] },
      { title: OTHER, pages: ['y', 'z'] },
    ]);
  });
});
