import assert from 'node:assert/strict';
import { confine } from '../src/upstream/target.js';
import { measurePaths, naiveJoin } from './paths/measure.js';

describe('paths below a base URL', function () {
  this.timeout(120_000);

  it('P1, P2, P3, P4: never leave the base URL, and legitimate paths pass', () => {
    const { holds, figures } = measurePaths(confine, 2_000);
    assert.ok(holds, JSON.stringify(figures));
    assert.ok(Number(figures['legitimate']) >= 300);
  });

  it('leave the base URL when they are merely appended (control)', () => {
    const { holds, figures } = measurePaths(naiveJoin, 500);
    assert.equal(holds, false);
    assert.ok(Number(figures['escaped']) > 40 && Number(figures['generatedEscaped']) > 40);
  });
});
