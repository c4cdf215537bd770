import assert from 'node:assert/strict';
import { Problem, withExtras } from '../../src/core/problem.js';

describe('withExtras', () => {
  it('keeps code, status, detail and the other extras of a Problem', () => {
    const cause = new Error('refused');
    const problem = new Problem('upstream_rejected', 'The orchestrator refused the call.', {
      status: 409,
      cause,
      headers: { 'retry-after': '1' },
    });
    const copy = withExtras(problem, { outcome: 'refused, ada', headers: { etag: '"2"' } });
    assert.ok(copy instanceof Problem);
    const { code, status, message } = copy;
    const expected = ['upstream_rejected', 409, 'The orchestrator refused the call.', cause];
    assert.deepEqual([code, status, message, copy.cause], expected);
    const headers = { etag: '"2"' };
    assert.deepEqual(copy.extras, { status: 409, cause, headers, outcome: 'refused, ada' });
    assert.equal(problem.extras.outcome, undefined);
  });

  it('replaces the detail if another one is given', () => {
    const problem = new Problem('store_unavailable', 'The database does not answer.');
    assert.equal(withExtras(problem, {}, 'Try again.').message, 'Try again.');
  });
});
