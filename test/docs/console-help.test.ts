import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './markdown.js';

describe('the help of the console', () => {
  it('names existing pages of the documentation', () => {
    const text = readFileSync(join(ROOT, 'console/src/app/help.tsx'), 'utf8');
    const [, folder = ''] = /`(docs\/[\w-]+)\/\$\{guide\}\.md`/.exec(text) ?? [];
    const names = [...text.matchAll(/\bguide: '([\w-]+)'/g)].map(([, name = '']) => name);
    assert.ok(names.length >= 20);
    assert.deepEqual(
      [...new Set(names)].filter((name) => !existsSync(join(ROOT, folder, `${name}.md`))),
      [],
    );
  });
});
