import assert from 'node:assert/strict';
import { draftChanges } from '../../../src/features/tasks/draft-changes.js';
import type { DraftChange } from '../../../src/features/tasks/task.js';

const stampOf = (by: string, at: number) => {
  return { by, byIssuer: 'i', byName: by, at: `2026-01-01T00:00:0${at}.000Z` };
};

/** Saves drafts one after the other, and returns who changed each pointer last. */
function authorsOf(proposal: unknown, ...drafts: readonly (readonly [by: string, data: unknown])[]) {
  let last: { readonly formData: unknown; readonly changes?: readonly DraftChange[] } = {
    formData: proposal,
  };
  drafts.forEach(([by, formData], at) => {
    last = { formData, changes: draftChanges(last, formData, stampOf(by, at)) };
  });
  const pairs = (last.changes ?? []).flatMap(({ by, pointers }) =>
    pointers.map((pointer) => [pointer, by] as const),
  );
  return Object.fromEntries(pairs.toSorted());
}

describe('the changes of a draft', () => {
  it('name the last author of each changed value, and keep those of other values', () => {
    const authors = authorsOf(
      { a: 1, b: 1, c: { d: 1, e: 1 } },
      ['ada', { a: 2, b: 1, c: { d: 2, e: 1 } }],
      ['bob', { a: 3, b: 1, c: { d: 2, e: 2 } }],
    );
    assert.deepEqual(authors, { '/a': 'bob', '/c/d': 'ada', '/c/e': 'bob' });
  });

  it('name the author of an added and of a removed member', () => {
    const authors = authorsOf({ gone: { x: 1 } }, ['ada', { 'new/1': { x: 1 } }]);
    assert.deepEqual(authors, { '/gone': 'ada', '/new~11': 'ada' });
  });

  it('follow the entries of a list when another person adds, removes or moves entries', () => {
    const [a, b, c] = [{ n: 'a' }, { n: 'b' }, { n: 'c' }];
    const edited = { ...b, mtu: 1 };
    const base = { l: [a, b, c] };
    for (const [l, authors] of [
      [[{ n: 'new' }, a, edited, c], { '/l/0': 'bob', '/l/2/mtu': 'ada' }],
      [[edited, c], { '/l': 'bob', '/l/0/mtu': 'ada' }],
      [[edited, a, c], { '/l': 'bob', '/l/0/mtu': 'ada' }],
      [[a, { ...edited, up: true }, c], { '/l/1/mtu': 'ada', '/l/1/up': 'bob' }],
    ] as const)
      assert.deepEqual(authorsOf(base, ['ada', { l: [a, edited, c] }], ['bob', { l }]), authors);
  });

  it('take a list of scalars, and a value of another kind, as one value', () => {
    assert.deepEqual(authorsOf({ l: [1, 2] }, ['ada', { l: [2] }]), { '/l': 'ada' });
    assert.deepEqual(authorsOf({ l: { x: 1 } }, ['ada', { l: { x: 2 } }], ['bob', { l: 'x' }]), {
      '/l': 'bob',
    });
    assert.deepEqual(authorsOf({}, ['ada', 'text']), { '': 'ada' });
  });

  it('ignore the order of members, and a draft that changes nothing', () => {
    assert.deepEqual(authorsOf({ a: 1, b: { c: 1, d: 2 } }, ['ada', { b: { d: 2, c: 1 }, a: 1 }]), {});
  });

  it('take members like __proto__ as plain members', () => {
    const data = JSON.parse('{"__proto__": {"x": 2}, "toString": 1}') as unknown;
    assert.deepEqual(Object.keys(authorsOf({}, ['ada', data])), ['/__proto__', '/toString']);
  });

  it('keep 2,000 pointers, those of the latest changes', () => {
    const wide = (value: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at < 3 ? value : 1]));
    const first = {
      formData: wide(1, 3000),
      changes: draftChanges({ formData: {} }, wide(1, 3000), stampOf('ada', 1)),
    };
    const changes = draftChanges(first, wide(2, 3000), stampOf('bob', 2));
    assert.deepEqual(changes.map(({ by, pointers }) => [by, pointers.length]), [['bob', 3], ['ada', 1997]]); // prettier-ignore
  });
});
