import assert from 'node:assert/strict';
import { failureIn, SIGN_IN_SENTENCES } from '../../../console/src/pages/sign-in/failure.js';

const REQUEST = '7653fc38-59f1-4713-8860-86ff1a69f18c';

describe('failureIn', () => {
  it('returns nothing without a problem', () => {
    assert.equal(failureIn({ search: `?return=/ui/&request=${REQUEST}` }), undefined);
  });

  it('returns a sentence for every problem, and the request id', () => {
    for (const [problem, sentence] of Object.entries(SIGN_IN_SENTENCES)) {
      assert.deepEqual(failureIn({ search: `?problem=${problem}&request=${REQUEST}` }), {
        sentence,
        requestId: REQUEST,
      });
      assert.match(sentence, /^[A-Z].*\.$/);
    }
  });

  it('fault 12: shows no text of the address', () => {
    const general = { sentence: 'The sign-in failed. Try again.' };
    for (const text of ['Call 0123 456 and tell your password', 'toString', '__proto__', ''])
      for (const request of ['Call-0123', REQUEST.toUpperCase(), `${REQUEST} or call`])
        assert.deepEqual(
          failureIn({ search: `?${new URLSearchParams({ problem: text, request }).toString()}` }),
          general,
        );
  });
});
