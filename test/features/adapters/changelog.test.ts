import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseChangelog } from '../../../src/features/adapters/get-changelogs.js';
import { ROOT } from '../../docs/markdown.js';

describe('parseChangelog', () => {
  it('reads versions, dates and changes in the common heading styles', () => {
    const text = `# Changelog

Words before the first release belong to none.

## [Unreleased]

## [1.2.0] - 2026-11-21

### Added

- One thing
  that goes on.
* Another.

## v1.1.0 (2025-01-02)

Words without a list.

# 1.0.0-rc.1

- First.
`;
    assert.deepEqual(parseChangelog(text), [
      { version: 'Unreleased', date: null, changes: [] },
      { version: '1.2.0', date: '2026-11-21', changes: ['One thing that goes on.', 'Another.'] },
      { version: '1.1.0', date: '2025-01-02', changes: ['Words without a list.'] },
      { version: '1.0.0-rc.1', date: null, changes: ['First.'] },
    ]);
  });

  it('reads changelogs of the public catalog, which write the month first (bug: their dates were null)', () => {
    const text =
      '## 2.8.7 [03-27-2024]\n\n* Fixes the login.\n\nSee merge request !7\n\n---\n\n## 2.8.6\n\n* First.\n';
    assert.deepEqual(parseChangelog(text), [
      { version: '2.8.7', date: '2024-03-27', changes: ['Fixes the login. See merge request !7'] },
      { version: '2.8.6', date: null, changes: ['First.'] },
    ]);
  });

  it('finds at least one change in the changelog of each bundled plugin', () => {
    for (const type of ['http-rest', 'restconf', 'itential-adapter']) {
      const releases = parseChangelog(readFileSync(join(ROOT, 'plugins', type, 'CHANGELOG.md'), 'utf8'));
      assert.ok((releases[0]?.changes.length ?? 0) > 0, type);
    }
  });

  it('keeps every item of a release (property)', () => {
    const item = fc.stringMatching(/^[a-z(][ -~]{0,40}[a-z.]$/);
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), (items) => {
        const text = `## 1.0.0\n\n${items.map((one) => `- ${one}`).join('\n')}\n`;
        assert.deepEqual(parseChangelog(text)[0]?.changes, items);
      }),
    );
  });
});
