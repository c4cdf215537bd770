import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { column } from '../support/columns.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { readTierRows, writeTierTable } from './tier-table.js';
import { TIERS } from './tiers.js';

const PAGE = `# Contributing

| Tier | What | Tests | Takes |
| --- | --- | --- | --- |
| \`npm test -- gone\` | a tier of the past | 3 | 1 s |
| \`npm test -- e2e\` | whole servers | 20 | 60 s |

The end.
`;

describe('writeTierTable', () => {
  it('writes a row for each tier, with the figures of the run, and keeps those of other tiers', () => {
    const path = join(temporaryFolder().path, 'page.md');
    writeFileSync(path, PAGE);
    writeTierTable(path, new Map([['unit', { seconds: 30.2, tests: 400 }]]));
    const text = readFileSync(path, 'utf8');
    const rows = readTierRows(text);
    assert.deepEqual([...rows.keys()], column(TIERS, 'name'));
    assert.deepEqual(rows.get('unit')?.slice(2), ['400', '31 s']);
    assert.deepEqual(rows.get('e2e')?.slice(2), ['20', '60 s']);
    assert.deepEqual(rows.get('shape')?.slice(2), ['', '']);
    assert.match(text, /^# Contributing\n\n\| Tier .*\n\nThe end\.\n$/s);
  });

  it('throws if the file has no table', () => {
    const path = join(temporaryFolder().path, 'page.md');
    writeFileSync(path, '# Contributing\n');
    assert.throws(() => {
      writeTierTable(path, new Map());
    }, /has no table/);
  });
});

describe('the table of the tiers in CONTRIBUTING.md', () => {
  const rows = readTierRows(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'));

  it('has each tier, with the figures of a run', () => {
    assert.deepEqual([...rows.keys()], column(TIERS, 'name'));
    for (const { name } of TIERS.filter(({ requires }) => !requires)) {
      const [, , tests = '', takes = ''] = rows.get(name) ?? [];
      assert.match(tests, /^\d+$/, name);
      assert.match(takes, /^\d+ s$/, name);
    }
  });
});
