import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './markdown.js';

describe('the help of the console', () => {
  it('names only existing pages', () => {
    const source = readFileSync(join(ROOT, 'console/src/app/help.tsx'), 'utf8');
    const pages = [...source.matchAll(/guide: '([^']+)'/g)].map(([, name = '']) => `docs/how-to/${name}.md`);
    assert.ok(pages.length >= 20);
    assert.deepEqual(
      pages.filter((page) => !existsSync(join(ROOT, page))),
      [],
    );
  });
});
