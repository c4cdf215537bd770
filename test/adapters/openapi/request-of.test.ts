import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Encoding, ParameterStyle } from '../../../src/adapters/openapi/document-task.js';
import { headerText, pairsOf, pathText, requestOf } from '../../../src/adapters/openapi/request-of.js';

/** Values of parameters, with their kinds: an empty list or object has no form in most styles. */
type Value = string | readonly string[] | Readonly<Record<string, string>>;

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
const list = fc.array(text, { minLength: 1, maxLength: 4 });
const record = fc
  .uniqueArray(fc.tuple(text, text), { minLength: 1, maxLength: 4, selector: ([name]) => name })
  .map((entries) => Object.fromEntries(entries))
  // A name like "1" would move to the front of its object.
  .filter((value) => Object.keys(value).every((name) => !/^\d+$/.test(name) && name !== '__proto__'));
const value: fc.Arbitrary<Value> = fc.oneof(text, list, record);

const decode = decodeURIComponent;

/** Reads `a,1,b,2`, or with explode `a=1,b=2`, by the rules of RFC 6570. */
function objectOf(parts: readonly string[], explode: boolean): Record<string, string> {
  const pairs = explode
    ? parts.map((part) => part.split('='))
    : parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] ?? '']] : []));
  return Object.fromEntries(pairs.map(([name = '', item = '']) => [decode(name), decode(item)]));
}

function parsedList(written: string, like: Value, { separator = ',', explode = false }): Value {
  if (typeof like === 'string') return decode(written);
  const parts = written.split(separator);
  return Array.isArray(like) ? parts.map(decode) : objectOf(parts, explode);
}

/** Reads pairs `name=value` of a query. */
function parsedPairs(pairs: readonly string[], like: Value, { style, explode }: Encoding): Value {
  const split = pairs.map((pair) => pair.split('=') as [string, string]);
  if (style === 'deepObject')
    return Object.fromEntries(
      split.map(([key, item]) => [decode(/^p%5B(.*)%5D$/.exec(key)?.[1] ?? ''), decode(item)]),
    );
  if (typeof like === 'string') return decode(split[0]?.[1] ?? '');
  if (explode)
    return Array.isArray(like)
      ? split.map(([name, item]) => (assert.equal(name, 'p'), decode(item)))
      : Object.fromEntries(split.map(([name, item]) => [decode(name), decode(item)]));
  const separator =
    { spaceDelimited: '%20', pipeDelimited: '%7C', tabDelimited: '%09' }[style as string] ?? ',';
  return parsedList(split[0]?.[1] ?? '', like, { separator });
}

const encodings = (...styles: readonly ParameterStyle[]): fc.Arbitrary<Encoding> =>
  fc.record({ style: fc.constantFrom(...styles), explode: fc.boolean() });

describe('the serialization of parameters', () => {
  it('gives back every value of a path, read by RFC 6570', () => {
    fc.assert(
      fc.property(value, encodings('simple', 'label', 'matrix'), (given, encoding) => {
        const written = pathText('p', given, encoding);
        assert.match(written, /^[A-Za-z0-9._~%;=,-]*$/);
        assert.deepEqual(parsedPath(written, given, encoding), given);
      }),
    );
  });

  it('gives back every value of a query, read by the style', () => {
    fc.assert(
      fc.property(value, encodings('form', 'deepObject'), (given, encoding) => {
        if (encoding.style === 'deepObject' && (typeof given === 'string' || Array.isArray(given))) return;
        const pairs = pairsOf('p', given, encoding);
        for (const pair of pairs) assert.match(pair, /^[A-Za-z0-9._~%=,-]*$/);
        assert.deepEqual(parsedPairs(pairs, given, encoding), given);
      }),
    );
  });

  it('gives back every list with its separator, if no item has it', () => {
    const styles = encodings('spaceDelimited', 'pipeDelimited', 'tabDelimited');
    const items = fc.array(
      text.filter((one) => !/[ |\t]/.test(one)),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(items, styles, (given, { style }) => {
        const encoding = { style, explode: false };
        assert.deepEqual(parsedPairs(pairsOf('p', given, encoding), given, encoding), given);
      }),
    );
  });

  const color = { R: 100, G: 200 };
  const colors = ['blue', 'black', 'brown'];

  it('writes paths as the examples of the specification', () => {
    for (const [given, style, explode, written] of [
      ['', 'matrix', false, ';color'],
      [colors, 'matrix', false, ';color=blue,black,brown'],
      [colors, 'matrix', true, ';color=blue;color=black;color=brown'],
      [color, 'matrix', true, ';R=100;G=200'],
      [colors, 'label', false, '.blue,black,brown'],
      [colors, 'label', true, '.blue.black.brown'],
      [color, 'label', true, '.R=100.G=200'],
      [color, 'simple', false, 'R,100,G,200'],
      [color, 'simple', true, 'R=100,G=200'],
      [true, 'simple', false, 'true'],
    ] as const)
      assert.equal(pathText('color', given, { style, explode }), written);
  });

  it('writes queries as the examples of the specification', () => {
    for (const [given, style, explode, written] of [
      [colors, 'form', false, 'color=blue,black,brown'],
      [colors, 'form', true, 'color=blue&color=black&color=brown'],
      [color, 'form', false, 'color=R,100,G,200'],
      [color, 'form', true, 'R=100&G=200'],
      [colors, 'spaceDelimited', false, 'color=blue%20black%20brown'],
      [color, 'pipeDelimited', false, 'color=R%7C100%7CG%7C200'],
      [color, 'deepObject', true, 'color%5BR%5D=100&color%5BG%5D=200'],
      [[], 'form', true, ''],
      ['', 'form', true, 'color='],
    ] as const)
      assert.equal(pairsOf('color', given, { style, explode }).join('&'), written);
  });

  it('writes headers without percent-encoding', () => {
    assert.equal(headerText(['a b', 'c'], { style: 'simple', explode: false }), 'a b,c');
    assert.equal(headerText({ a: 1 }, { style: 'simple', explode: true }), 'a=1');
    assert.equal(headerText({ a: 1 }, { style: 'simple', explode: false, isJson: true }), '{"a":1}');
  });
});

/** Reads the text of a parameter of a path by RFC 6570. */
function parsedPath(written: string, like: Value, { style, explode }: Encoding): Value {
  if (style === 'simple') return parsedList(written, like, { explode });
  if (style === 'label') return parsedLabel(written.slice(1), like, explode);
  const pairs = written.slice(1).split(';');
  const strings = pairs.map((pair) => pair.split('=') as [string, string]);
  if (explode && Array.isArray(like)) return strings.map(([, item]) => decode(item));
  if (explode && typeof like === 'object') return objectOf(pairs, true);
  return parsedList(strings[0]?.[1] ?? '', like, {});
}

function parsedLabel(written: string, like: Value, explode: boolean): Value {
  // A dot is not encoded, so that a list with dots in its items cannot be told apart.
  const hasDot = JSON.stringify(like).includes('.');
  return explode && hasDot && typeof like !== 'string'
    ? like
    : parsedList(written, like, { separator: explode ? '.' : ',', explode });
}

describe('a body of bytes', () => {
  it('is sent at any size, with the padding of its base64 or without it (bug: the stack was exceeded at 5 MB)', async () => {
    const mediaType = 'application/octet-stream';
    const body = { kind: 'binary', mediaType, isRequired: true, encodings: {}, from: 'file' } as const;
    const target = { method: 'POST', path: '/images', accept: 'application/json' } as const;
    const plan = { ...target, parameters: [], body };
    const bytes = Buffer.alloc(8_000_003, 'image');
    const base64 = bytes.toString('base64');
    for (const file of [base64, base64.replace(/=+$/, '')])
      assert.ok((await requestOf(plan, { file })).body?.equals(bytes));
    for (const file of ['Q', 'QQ=', 'Q Q=', 'QQ==QQ=='])
      await assert.rejects(requestOf(plan, { file }), { code: 'invalid_request' });
  });
});
