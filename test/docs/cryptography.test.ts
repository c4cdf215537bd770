import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './markdown.js';

describe('docs/cryptography.md', () => {
  it('lists exactly the files that import node:crypto', () => {
    const page = readFileSync(join(ROOT, 'docs', 'cryptography.md'), 'utf8');
    // A file with two purposes is in two rows.
    const named = new Set([...page.matchAll(/`(src\/[^`]+\.ts)`/g)].map(([, file = '']) => file));
    const working = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => `src/${file.replaceAll('\\', '/')}`)
      .filter(
        (file) => file.endsWith('.ts') && readFileSync(join(ROOT, file), 'utf8').includes("'node:crypto'"),
      );
    assert.ok(working.length > 30);
    assert.deepEqual([...named].sort(), working.sort());
  });
});
