import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffJson, diffLines, summarizeDiff, foldRows } from '../../../console/src/kit/diff-lines.js';

describe('diffLines and diffJson', () => {
  const told = (before: string, after: string) =>
    diffLines(before, after).map(
      ({ kind, before: b, after: a }) => `${kind} ${b?.text ?? ''}|${a?.text ?? ''}`,
    );

  it('aligns equal lines, and a changed line with its replacement', () => {
    assert.deepEqual(told('a\nb\nc', 'a\nx\nc\nd'), ['same a|a', 'changed b|x', 'same c|c', 'added |d']);
    assert.deepEqual(told('a\nb', 'b'), ['removed a|', 'same b|b']);
    assert.deepEqual(told('', 'a'), ['added |a']);
    assert.deepEqual(told('', ''), []);
  });

  it('numbers the lines of each side from 1', () => {
    const last = diffLines('a\nb', 'x\na\nb').at(-1);
    assert.equal(last?.before?.number, 2);
    assert.equal(last.after?.number, 3);
  });

  it('contains both texts completely and in order, and marks exactly the equal lines as same', () => {
    const line = fc.constantFrom('a', 'b', 'c', '');
    const text = fc.array(line, { minLength: 2, maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = diffLines(before, after);
        assert.equal(rows.flatMap((row) => row.before?.text ?? []).join('\n'), before);
        assert.equal(rows.flatMap((row) => row.after?.text ?? []).join('\n'), after);
        for (const row of rows)
          assert.equal(row.kind === 'same', row.before !== undefined && row.before.text === row.after?.text);
      }),
    );
  });

  it('ignores the order of members', () => {
    const diff = summarizeDiff(diffJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }));
    assert.equal(diff, 'No difference');
    assert.equal(summarizeDiff(diffJson({ a: 1, b: 2 }, { b: 3, a: 1 })), 'Lines: 1 changed');
    assert.equal(summarizeDiff(diffJson(undefined, { a: 1 })), 'Lines: 3 added');
  });

  it('folds lines that are far from a difference', () => {
    const lines = Array.from({ length: 20 }, (_, i) => String(i));
    const parts = foldRows(
      diffLines(lines.join('\n'), [...lines.slice(0, 10), 'x', ...lines.slice(10)].join('\n')),
    );
    assert.deepEqual(
      parts.map(({ kind, rows }) => [kind, rows.length]),
      [
        ['fold', 7],
        ['rows', 7],
        ['fold', 7],
      ],
    );
  });
});
