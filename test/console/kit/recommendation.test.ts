import assert from 'node:assert/strict';
import { ApiProblem } from '../../../console/src/api/problem.js';
import { recommendationFor } from '../../../console/src/kit/recommendation.js';
import { PROBLEMS } from '../../../src/core/problem-codes.js';

describe('the recommendation of a failed request in a page', () => {
  it('speaks to a person, not to a program, for every problem of the server', () => {
    for (const [code, { status, recommendation }] of Object.entries(PROBLEMS)) {
      const shown = recommendationFor(new ApiProblem(status, { code, recommendation })) ?? '';
      assert.notEqual(shown, '');
      assert.doesNotMatch(
        shown,
        /ETag|If-Match|Bearer|GET \/|"errors"|"upstream"|Retry-After|send the request again/i,
        code,
      );
    }
  });

  it('is that of the server for a problem that the page does not know', () => {
    const found = recommendationFor(new ApiProblem(400, { code: 'new', recommendation: 'Do this.' }));
    assert.equal(found, 'Do this.');
    assert.equal(recommendationFor(new ApiProblem(400, { code: 'new' })), undefined);
  });
});
