import assert from 'node:assert/strict';
import { resolveUri } from '../../../src/json-schema/engine/documents/uri.js';

// RFC 3986 section 5.4.
const BASE = 'http://a/b/c/d;p?q';
const EXAMPLES: Readonly<Record<string, string>> = {
  'g:h': 'g:h',
  g: 'http://a/b/c/g',
  './g': 'http://a/b/c/g',
  'g/': 'http://a/b/c/g/',
  '/g': 'http://a/g',
  '//g': 'http://g',
  '?y': 'http://a/b/c/d;p?y',
  'g?y': 'http://a/b/c/g?y',
  ';x': 'http://a/b/c/;x',
  '': 'http://a/b/c/d;p?q',
  '.': 'http://a/b/c/',
  './': 'http://a/b/c/',
  '..': 'http://a/b/',
  '../g': 'http://a/b/g',
  '../..': 'http://a/',
  '../../g': 'http://a/g',
  '../../../g': 'http://a/g',
  '/./g': 'http://a/g',
  '/../g': 'http://a/g',
  'g.': 'http://a/b/c/g.',
  '..g': 'http://a/b/c/..g',
  './../g': 'http://a/b/g',
  'g/./h': 'http://a/b/c/g/h',
  'g/../h': 'http://a/b/c/h',
};

describe('resolveUri', () => {
  it('resolves the examples of RFC 3986', () => {
    for (const [reference, uri] of Object.entries(EXAMPLES))
      assert.equal(resolveUri(BASE, reference).uri, uri, reference);
  });

  it('separates and unescapes the fragment, and accepts bases without a hierarchy', () => {
    assert.deepEqual(resolveUri(BASE, '#/a%20b'), { uri: BASE, fragment: '/a b' });
    assert.deepEqual(resolveUri('urn:a:b', '#%'), { uri: 'urn:a:b', fragment: '%' });
    assert.deepEqual(resolveUri('', 'x.json#y'), { uri: 'x.json', fragment: 'y' });
  });
});
