import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/docs/markdown.js';
import { EQUIVALENT } from './mutation/equivalent.js';
import { inOneLine, type MutantReport, outcomeOf } from './mutation/outcome.js';
import { isInSample } from './mutation/sample.js';
import { silentAssert } from './mutation/silent-assert.js';

/** Creates a report of one file, `a < b && c`, with mutants of these statuses; each replaces `a < b`. */
function reportOf(...statuses: readonly string[]): MutantReport {
  const location = { start: { line: 2, column: 3 }, end: { line: 2, column: 8 } };
  const mutants = statuses.map((status) => ({ mutatorName: 'm', replacement: 'a > b', status, location }));
  return { files: { 'dist/src/a.js': { source: '// a\n  a < b && c', mutants } } };
}

describe('the mutation score', () => {
  it('is the share of tried mutants that the tests detect', () => {
    const tried = ['Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage', 'NoCoverage', 'Killed', 'Killed'];
    const { outcome, survivors } = outcomeOf(reportOf(...tried, 'CompileError', 'RuntimeError', 'Ignored'));
    assert.deepEqual(outcome, {
      killed: 4,
      timeouts: 1,
      survived: 1,
      uncovered: 2,
      equivalent: 0,
      errors: 1,
      score: 62.5,
    });
    assert.deepEqual(survivors[0], {
      file: 'dist/src/a.js',
      start: { line: 2, column: 3 },
      mutator: 'm',
      original: 'a < b',
      replacement: 'a > b',
      isUncovered: false,
    });
    assert.deepEqual(
      survivors.map(({ isUncovered }) => isUncovered),
      [false, true, true],
    );
  });

  it('is 0 without mutants', () => {
    assert.equal(outcomeOf({ files: {} }).outcome.score, 0);
  });

  it('uses a sample of the requested size, which is the same for the same seed', () => {
    const drawn = (percent: number, seed: number): readonly number[] =>
      Array.from({ length: 10_000 }, (_, at) => at).filter((at) => isInSample(`m${at}`, { percent, seed }));
    assert.equal(drawn(100, 1).length, 10_000);
    assert.equal(drawn(0, 1).length, 0);
    const tenth = drawn(10, 1);
    assert.ok(tenth.length > 900 && tenth.length < 1_100, String(tenth.length));
    assert.deepEqual(drawn(10, 1), tenth);
    assert.notDeepEqual(drawn(10, 2), tenth);
  });

  it('excludes only mutants of existing source text, with a reason', () => {
    for (const { file, original, because } of EQUIVALENT) {
      const path = join(ROOT, `${file}.ts`);
      assert.ok(existsSync(path), path);
      assert.ok(inOneLine(readFileSync(path, 'utf8')).includes(original), `${file}: ${original}`);
      assert.ok(because.length > 20, because);
    }
  });

  it('drops without assertions: the silent assert module never fails', async () => {
    const { equal, throws, rejects } = silentAssert as Readonly<
      Record<string, (...given: readonly unknown[]) => unknown>
    >;
    assert.equal(equal?.(1, 2), undefined);
    assert.equal(
      throws?.(() => 1),
      undefined,
    );
    assert.equal(await rejects?.(Promise.resolve()), undefined);
    assert.equal(await rejects?.(() => Promise.reject(new Error('any'))), undefined);
  });
});
