import assert from 'node:assert/strict';
import { join } from 'node:path';
import { NEEDS } from '../support/need-list.js';
import { ROOT } from './paths.js';
import { emptyResults, type NamedTest, type Results } from './results.js';
import { summaryOf } from './summary.js';

const compiled = (path: string): string => join(ROOT, 'dist', path.replace(/\.ts$/, '.js'));

function skipped(...tests: readonly NamedTest[]): Results {
  return { ...emptyResults(), passed: 1, skipped: [...tests] };
}

describe('summaryOf', () => {
  it('lists one line for each need, with the number of its tests and how to meet it', () => {
    const postgres = NEEDS.find(({ name }) => name === 'PostgreSQL');
    const file = compiled('test/storage/stores.test.ts');
    const total = skipped(
      { file, title: 'the store (needs PostgreSQL) stores a form' },
      { file, title: 'the store (needs PostgreSQL) deletes a form' },
      { file, title: 'the chart is rendered (needs helm)' },
    );
    const lines = summaryOf(total, []).split('\n');
    assert.equal(lines[1], `  2 tests need PostgreSQL (${postgres?.hint})`);
    assert.match(lines[2] ?? '', /^ {2}1 test needs helm \(.*\)$/);
  });

  it('lists a test that was skipped for another reason by its file and title', () => {
    const total = skipped({ file: compiled('test/a.test.ts'), title: 'a suite skips itself' });
    assert.match(summaryOf(total, []), /skipped:\n {2}test\/a\.test\.ts: a suite skips itself\n/);
  });

  it('lists the ten slowest files of a longer run', () => {
    const records = Array.from({ length: 11 }, (_, at) => ({
      file: compiled(`test/file-${at}.test.ts`),
      seconds: at,
      cpuSeconds: 1,
      replies: 0,
    }));
    const lines = summaryOf(emptyResults(), records).split('\n');
    assert.match(lines[0] ?? '', /^slowest files/);
    assert.equal(lines[1], '    10.0 s    1.0 s  test/file-10.test.ts');
    assert.equal(lines.filter((line) => line.includes('test/file-')).length, 10);
  });
});
