import assert from 'node:assert/strict';
import { keyCommandOf, type PressedKey } from '../../../console/src/app/key-commands.js';

const plain = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isTyping: false,
  ...more,
});

describe('the keys of the console', () => {
  it('open the search with Ctrl+K and with the command key, even while a person types', () => {
    assert.deepEqual(keyCommandOf(plain('k', { ctrlKey: true, isTyping: true }), false), { kind: 'palette' });
    assert.deepEqual(keyCommandOf(plain('K', { metaKey: true }), false), { kind: 'palette' });
    assert.equal(keyCommandOf(plain('k', { ctrlKey: true, altKey: true }), false), undefined);
  });

  it('open a page with g and the key of the page', () => {
    assert.deepEqual(keyCommandOf(plain('g'), false), { kind: 'prefix' });
    assert.deepEqual(keyCommandOf(plain('a'), true), { kind: 'goTo', key: 'a' });
    assert.deepEqual(keyCommandOf(plain('g'), true), { kind: 'goTo', key: 'g' });
    assert.equal(keyCommandOf(plain('a'), false), undefined);
  });

  it('show the list of keys and the search field of the page', () => {
    assert.deepEqual(keyCommandOf(plain('?'), false), { kind: 'keys' });
    assert.deepEqual(keyCommandOf(plain('/'), false), { kind: 'search' });
  });

  it('do nothing while a person types, or with Alt or Ctrl', () => {
    for (const key of ['g', '?', '/', 'a']) {
      assert.equal(keyCommandOf(plain(key, { isTyping: true }), true), undefined);
      assert.equal(keyCommandOf(plain(key, { altKey: true }), true), undefined);
      assert.equal(keyCommandOf(plain(key, { ctrlKey: true }), true), undefined);
    }
  });
});
