import assert from 'node:assert/strict';
import { accessAdapterOf } from '../../../src/server/state/access-policies.js';
import type { AdapterConfig } from '../../../src/server/state/configuration.js';

const rulesOf = (access: unknown, recordFault?: string): unknown => {
  const adapter = { id: 'nso1', written: { value: { access } }, ...(recordFault && { recordFault }) };
  return accessAdapterOf(adapter as unknown as AdapterConfig).access;
};

describe('the access rules of an adapter with a faulty record', () => {
  it('are its own if they can be read, so that it stays hidden, and its fault as well', () => {
    const rules = [{ roles: ['noc'], methods: ['GET'], paths: ['/a/**'] }];
    assert.deepEqual(rulesOf(rules), rules);
    assert.deepEqual(rulesOf(rules, 'there is no such plugin'), rules);
    assert.deepEqual(rulesOf(undefined, 'there is no such plugin'), []);
  });

  for (const access of [
    'noc',
    null,
    [5],
    [{ roles: 'noc' }],
    [{ methods: [1] }],
    [{ rolles: ['noc'] }],
    [[]],
  ])
    it(`admit nobody if they are ${JSON.stringify(access)}`, () => {
      assert.deepEqual(rulesOf(access, 'must be a list'), [{ roles: [] }]);
    });
});
