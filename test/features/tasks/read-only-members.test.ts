import assert from 'node:assert/strict';
import { withReadOnlyMembers } from '../../../src/features/tasks/read-only-members.js';

const text = { type: 'string' };
const fixed = { type: 'string', readOnly: true };

function kept(data: unknown, schema: object | boolean, given: unknown): unknown {
  return withReadOnlyMembers(data, { schema, uiSchema: {}, formData: given });
}

describe('withReadOnlyMembers', () => {
  it('keeps what the requester wrote into read-only members (bug: a draft replaced the words that a person approves)', () => {
    const schema = { properties: { call: fixed, note: text } };
    const given = { call: 'DELETE /wipe', note: '' };
    const drawn = { call: 'GET /time', note: 'looks harmless' };
    assert.deepEqual(kept(drawn, schema, given), { call: 'DELETE /wipe', note: 'looks harmless' });
    assert.deepEqual(kept({ note: 'a' }, schema, given), { call: 'DELETE /wipe', note: 'a' });
  });

  it('returns the same data if nothing differs, or nothing is read-only', () => {
    const data = { call: 'a', list: [{ call: 'b' }] };
    assert.equal(kept(data, { properties: { call: fixed } }, { call: 'a' }), data);
    assert.equal(kept(data, true, { call: 'other' }), data);
    assert.equal(kept(null, { properties: { call: fixed } }, { call: 'a' }), null);
  });

  it('leaves read-only members without a value of the requester to the page', () => {
    const data = { call: 'a default' };
    assert.equal(kept(data, { properties: { call: fixed } }, {}), data);
  });

  const inA = (schema: object) => ({ properties: { a: schema } });
  const withB = { properties: { b: fixed } };
  const plain = inA({ properties: { b: text } });
  const PLACES = [
    ['below an object', inA(withB), {}],
    ['by a reference', { ...inA({ $ref: '#/$defs/a' }), $defs: { a: withB } }, {}],
    ['in a part of allOf', { allOf: [inA({ allOf: [withB] })] }, {}],
    ['as a whole object', inA({ readOnly: true }), {}],
    ['by ui:readonly', plain, { a: { b: { 'ui:readonly': true } } }],
    ['by ui:options', plain, { a: { 'ui:options': { disabled: true } } }],
  ] as const; // prettier-ignore
  for (const [where, schema, uiSchema] of PLACES)
    it(`finds read-only members ${where}`, () => {
      const task = { schema, uiSchema, formData: { a: { b: 'given' } } };
      assert.deepEqual(withReadOnlyMembers({ a: { b: 'drawn' } }, task), task.formData);
    });

  it('ends with schemas that include themselves', () => {
    const schema = { allOf: [{ $ref: '#' }, { $ref: '#' }], properties: { a: { $ref: '#' }, b: fixed } };
    const deep = (last: string): unknown =>
      Array.from({ length: 50 }).reduce<unknown>((inner) => ({ a: inner }), { b: last });
    assert.deepEqual(kept(deep('drawn'), schema, deep('given')), deep('given'));
  });
});
