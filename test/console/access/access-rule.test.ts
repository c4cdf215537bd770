import assert from 'node:assert/strict';
import {
  accessSentences,
  admittedBy,
  draftOf,
  ruleOf,
  selectedBy,
} from '../../../console/src/pages/access/access-rule.js';

const QUERY = 'orchestrator-manager.restQuery';

describe('an access rule in its form', () => {
  for (const rule of [
    { roles: ['noc'] },
    { roles: ['noc', 'lab'], adapters: ['nso1.example.com'], operations: [QUERY] },
    { roles: ['noc'], tags: ['site:berlin'], paths: ['/a/**'], methods: ['GET'], methodEffects: ['read'] },
  ])
    it(`keeps ${JSON.stringify(rule)}`, () => {
      assert.deepEqual(ruleOf(draftOf(rule)), rule);
    });

  it('says who gains and loses what', () => {
    const effect = { role: 'noc', subjects: ['ada', 'bob'], operation: QUERY, before: 'denied' } as const;
    const many = Array.from({ length: 7 }, (_, at) => `nso${at + 1}.example.com`);
    const sentences = accessSentences({
      before: null,
      after: { roles: ['noc'], paths: ['/a/**'] },
      effects: [
        { ...effect, adapters: ['nso1.example.com'], after: 'allowed' },
        { ...effect, adapters: many, after: 'depends', subjects: [] },
        { ...effect, adapters: ['core1'], before: 'allowed', after: 'denied' },
      ],
    });
    assert.deepEqual(sentences, [
      'noc (ada and bob) may then query nso1.example.com.',
      'noc may then query nso1.example.com, nso2.example.com, nso3.example.com, nso4.example.com, and nso5.example.com and 2 more adapters, for some methods and paths: /a/**.',
      'noc (ada and bob) may no longer query core1.',
      'Nobody else is affected: a stored rule takes no right away.',
    ]);
  });

  it('says that nothing changes', () => {
    const sentences = accessSentences({ before: { roles: ['a'] }, after: { roles: ['a'] }, effects: [] });
    assert.deepEqual(sentences, ['Nobody gains or loses a right now.']);
  });

  it('is short in a list', () => {
    assert.deepEqual(admittedBy({ roles: ['noc'], operations: [QUERY] }), ['Roles: noc', 'restQuery']);
    assert.deepEqual(selectedBy({}), ['all adapters']);
    assert.deepEqual(selectedBy({ adapters: ['a', 'b'], tags: ['t'] }), ['adapters: a and b', 'tags: t']);
  });
});
