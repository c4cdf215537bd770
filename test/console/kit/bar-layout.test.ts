import assert from 'node:assert/strict';
import { stackedBars } from '../../../console/src/kit/bar-layout.js';
import { fromLocalTime, toLocalTime } from '../../../console/src/kit/local-time.js';
import { columns } from '../../support/columns.js';

describe('stacked bars', () => {
  it('scales to the highest bar, stacks its parts, and skips empty parts', () => {
    const [first = [], second = []] = stackedBars(
      [
        [3, 0, 1],
        [0, 2, 0],
      ],
      0,
    );
    assert.deepEqual(columns(first, 'kind', 'y', 'height'), [
      [0, 0.25, 0.75],
      [2, 0, 0.25],
    ]);
    assert.deepEqual(second, [{ kind: 1, x: 0.5, y: 0.5, width: 0.5, height: 0.5 }]);
  });

  it('limits the width of a single bar', () => {
    assert.deepEqual(stackedBars([[1]], 0, 0.5), [[{ kind: 0, x: 0.25, y: 0, width: 0.5, height: 1 }]]);
  });

  it('returns no parts for missing and empty bars', () => {
    assert.deepEqual(stackedBars([]), []);
    assert.deepEqual(stackedBars([[0, 0]]), [[]]);
  });
});

describe('local times in a field', () => {
  it('are converted back to the same second', () => {
    for (const moment of ['2026-01-02T03:04:05.000Z', '2026-07-31T23:59:59.000Z'])
      assert.equal(fromLocalTime(toLocalTime(moment)), moment);
  });

  it('are empty for an invalid time', () => {
    for (const text of ['', 'yesterday'])
      assert.deepEqual([toLocalTime(text), fromLocalTime(text)], ['', '']);
  });
});
