import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readQueryParameters, requireNoParameters } from '../../../plugins/netconf/query-parameters.js';
import { RestconfFault } from '../../../plugins/netconf/replies.js';
import type { FieldTree } from '../../../src/yang/encoding/node-selection.js';

interface Plain {
  readonly [name: string]: Plain;
}

function plain(tree: FieldTree | undefined): Plain | undefined {
  return tree && Object.fromEntries([...tree].map(([name, below]) => [name, plain(below) ?? {}]));
}

function fieldsOf(text: string): Plain | undefined {
  return plain(readQueryParameters(`fields=${encodeURIComponent(text)}`).selection.fields);
}

describe('the query of a read', () => {
  it('has defaults', () => {
    assert.deepEqual(readQueryParameters(''), { content: 'all', withDefaults: undefined, selection: {} });
  });

  it('selects by content, depth and with-defaults', () => {
    assert.deepEqual(readQueryParameters('content=nonconfig&depth=3&with-defaults=trim'), {
      content: 'nonconfig',
      withDefaults: 'trim',
      selection: { depth: 3, isStateOnly: true },
    });
    assert.deepEqual(readQueryParameters('depth=unbounded').selection, {});
  });

  const FIELDS: Readonly<Record<string, Plain>> = {
    a: { a: {} },
    'a;b': { a: {}, b: {} },
    'a/b': { a: { b: {} } },
    'a/b;c': { a: { b: {} }, c: {} },
    'a(b;c)': { a: { b: {}, c: {} } },
    'a/b(c/d;e);f': { a: { b: { c: { d: {} }, e: {} } }, f: {} },
    'm:a(b(c))': { 'm:a': { b: { c: {} } } },
    'a(b);a(c)': { a: { b: {}, c: {} } },
  };
  it('reads the parameter fields', () => {
    for (const [text, tree] of Object.entries(FIELDS)) assert.deepEqual(fieldsOf(text), tree, text);
  });

  const BAD = '; a; /a a/ a//b (a) a( a() a) a(b a(b)c 1 a;;b'.split(' ');
  const DEEP = `${'a('.repeat(60)}b${')'.repeat(60)}`;
  it('refuses a malformed parameter fields', () => {
    for (const text of ['', 'a b', DEEP, ...BAD])
      assert.throws(() => fieldsOf(text), RestconfFault, text.slice(0, 20));
  });

  it('refuses other parameters, also of changes', () => {
    for (const query of ['x=1', 'depth=0', 'depth=65536', 'content=x', 'depth=1&depth=1', 'with-defaults=x'])
      assert.throws(() => readQueryParameters(query), RestconfFault, query);
    assert.throws(() => {
      requireNoParameters('depth=1');
    }, RestconfFault);
    requireNoParameters('');
  });

  it('never fails in another way', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab:/;() %&=+'.split('')), maxLength: 30 }),
        (text) => {
          try {
            readQueryParameters(`fields=${text}`);
          } catch (error) {
            assert.ok(error instanceof RestconfFault);
          }
        },
      ),
      { numRuns: 1000, seed: 2 },
    );
  });
});
