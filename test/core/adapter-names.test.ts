import assert from 'node:assert/strict';
import { adapterNotFound, visibleNames } from '../../src/core/adapter-names.js';
import { policyWith } from '../support/policy-with.js';

describe('adapterNotFound', () => {
  const policies = new Map([
    ['nso1', policyWith()],
    ['secret1', policyWith([{ roles: ['netops'] }])],
  ]);
  const messageFor = (name: string, roles: readonly string[]) =>
    adapterNotFound(name, visibleNames(policies, { roles })).message;

  it('suggests a similar name', () => {
    assert.equal(messageFor('NS01', ['engineering']), 'there is no adapter "NS01"; did you mean "nso1"?');
    assert.equal(messageFor('elsewhere', ['engineering']), 'there is no adapter "elsewhere"');
  });

  it('suggests no adapter that the caller may not see', () => {
    assert.equal(messageFor('secret2', ['engineering']), 'there is no adapter "secret2"');
    assert.match(messageFor('secret2', ['netops']), /did you mean "secret1"\?$/);
    assert.equal(
      adapterNotFound('nso2', visibleNames(policies, undefined)).message,
      'there is no adapter "nso2"',
    );
  });
});
