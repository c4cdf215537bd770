import assert from 'node:assert/strict';
import { emptyResults, filesToRerun, mergeRerun, type Results, withSourcePlace } from './results.js';
import { countsOf } from './summary.js';

const results = (passed: number, failed: readonly string[]): Results => ({
  ...emptyResults(),
  passed,
  failed: failed.map((name) => {
    const [file = '', title = ''] = name.split(':');
    return { file, title };
  }),
});

describe('withSourcePlace', () => {
  it('names the place in the source of a compiled file', () => {
    const [frame = ''] = (new Error('x').stack ?? '').split('\n').slice(1);
    assert.match(withSourcePlace(frame), /\(?test\/run\/results\.test\.ts:16:\d+\)?$/);
  });

  it('keeps a frame of other files', () => {
    assert.equal(withSourcePlace('at a (/b/c.js:1:2)'), 'at a (/b/c.js:1:2)');
  });
});

describe('filesToRerun', () => {
  it('returns each file with a failed test once', () => {
    assert.deepEqual(filesToRerun(results(5, ['a.js:one', 'a.js:two', 'b.js:one'])), ['a.js', 'b.js']);
  });

  it('returns no file if more than three files failed', () => {
    assert.deepEqual(filesToRerun(results(5, ['a.js:one', 'b.js:one', 'c.js:one', 'd.js:one'])), []);
  });

  it('returns no file if a failure belongs to no file', () => {
    assert.deepEqual(filesToRerun(results(5, ['a.js:one', ':cannot be loaded'])), []);
  });
});

describe('mergeRerun', () => {
  it('counts tests that pass the second time as flaky', () => {
    const merged = mergeRerun(results(5, ['a.js:one', 'b.js:one']), results(3, []));
    assert.equal(countsOf(merged), '7 passed, 0 failed, 0 skipped, 2 flaky');
  });

  it('keeps tests that fail both times, and adds those that fail the second time only', () => {
    const merged = mergeRerun(results(5, ['a.js:one', 'a.js:two']), results(3, ['a.js:two', 'a.js:three']));
    assert.equal(countsOf(merged), '6 passed, 2 failed, 0 skipped, 1 flaky');
  });

  it('keeps the failures of a file that skips tests the second time', () => {
    const second = { ...results(1, []), skipped: [{ file: 'b.js', title: 'one' }] };
    const merged = mergeRerun(results(5, ['a.js:one', 'b.js:one']), second);
    assert.equal(countsOf(merged), '6 passed, 1 failed, 0 skipped, 1 flaky');
  });

  it('keeps the failures if no test ran the second time', () => {
    const first = results(5, ['a.js:one']);
    assert.equal(mergeRerun(first, results(0, [])), first);
  });
});
