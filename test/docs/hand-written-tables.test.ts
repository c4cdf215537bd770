import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, ROOT, rowsBelow } from './markdown.js';

/** Returns the texts in backticks in the first cells of a table. */
function namesBelow(path: string, heading: string): readonly string[] {
  const cells = rowsBelow(readPage(path), heading).slice(2);
  return cells.flatMap(([cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)).sort();
}

describe('the tables of the reference that are written by hand', () => {
  it('list exactly the widgets of forms', () => {
    const text = readFileSync(join(ROOT, 'console/src/form/model/field/ui.ts'), 'utf8');
    const [, list = ''] = /const WIDGETS[^=]*= new Set\(\[(.*?)\]\);/s.exec(text) ?? [];
    const known = [...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
    assert.ok(known.length > 10);
    assert.deepEqual(namesBelow('docs/reference/form-widgets.md', '## Widgets'), known.sort());
  });

  it('list exactly the YANG modules of the package', () => {
    const files = readdirSync(join(ROOT, 'config/yang')).filter((name) => name.endsWith('.yang'));
    const known = new Set(files.map((name) => name.replace(/@.*/, '')));
    assert.deepEqual(
      namesBelow('docs/reference/yang-mapping.md', '### Modules of the package'),
      [...known].sort(),
    );
  });
});
