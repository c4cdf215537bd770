import assert from 'node:assert/strict';
import fc from 'fast-check';
import { objectOfEntries } from '../../src/yang/object-of-entries.js';

describe('objectOfEntries', () => {
  it('returns what Object.fromEntries returns, members in the same order', () => {
    const entries = fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.integer()), {
      maxLength: 200,
      size: 'max',
    });
    fc.assert(
      fc.property(entries, (list) => {
        const object = objectOfEntries(list);
        assert.deepEqual(object, Object.fromEntries(list));
        assert.deepEqual(Object.keys(object), Object.keys(Object.fromEntries(list)));
      }),
    );
  });

  it('keeps a member __proto__ of a large object, whose prototype does not change', () => {
    const entries = Array.from(
      { length: 100 },
      (_, at) => [at === 50 ? '__proto__' : `m${at}`, { at }] as const,
    );
    const object = objectOfEntries(entries);
    assert.deepEqual(Object.getOwnPropertyDescriptor(object, '__proto__')?.value, { at: 50 });
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
  });
});
