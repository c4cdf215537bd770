import assert from 'node:assert/strict';
import {
  isComplete,
  limitDraft,
  limitOf,
  limitSentences,
} from '../../../console/src/pages/limits/limit-rule.js';

describe('a limit in its form', () => {
  for (const rule of [
    { requests: 100, periodSeconds: 60 },
    {
      callerNames: ['robot-*'],
      adapters: ['nso1.example.com'],
      concurrent: 2,
      periodSeconds: 60,
      per: 'client',
    },
    { operations: ['a.*'], roles: ['noc'], requests: 5, burst: 2, periodSeconds: 3600, enabled: false },
  ])
    it(`keeps ${JSON.stringify(rule)}`, () => {
      assert.deepEqual(limitOf(limitDraft(rule)), rule);
    });

  it('needs calls or concurrent calls, and whole numbers', () => {
    const draft = limitDraft({ requests: 10 });
    assert.equal(isComplete(draft), true);
    assert.equal(isComplete({ ...draft, requests: '' }), false);
    assert.equal(isComplete({ ...draft, requests: '', concurrent: '1' }), true);
    for (const entry of ['0', '-1', '1.5', 'ten'])
      assert.equal(isComplete({ ...draft, requests: entry }), false);
    assert.equal(isComplete({ ...draft, periodSeconds: '' }), false);
  });

  it('says what it does', () => {
    const sentences = limitSentences('x');
    assert.deepEqual(
      sentences({
        before: null,
        after: { callerNames: ['ada'], adapters: ['nso*'], requests: 5 },
        effects: [{ adapters: ['nso1.example.com'], subjects: [] }],
      }),
      [
        'ada: 5 calls in 60 seconds.',
        'Calls that count: adapters: nso*.',
        'Of the adapters now: nso1.example.com.',
        'Calls beyond it get status 429. Other limits stay.',
      ],
    );
    assert.deepEqual(sentences({ before: {}, after: null, effects: [] }), [
      'Nothing is limited by x any more.',
    ]);
  });
});
