import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/json/canonical-json.js';
import { parseExactJson, parseJson, readStoredJson } from '../../src/json/strict-json.js';
import { jsonText, pointerToBigInt } from '../../src/json/write-json.js';

const TEXTS = [
  '18446744073709551615',
  '-9223372036854775808',
  '{"a":[0,{"b/c":9223372036854775807}],"n":1.5,"__proto__":{"x":12345678901234567890}}',
  '[[],{},[9007199254740993,"9007199254740993",null,true]]',
];

const parsed = (text: string): unknown => {
  const result = parseExactJson(Buffer.from(text));
  assert.ok('value' in result, text);
  return result.value;
};

describe('whole numbers that a double does not keep', () => {
  it('are read and written with all digits, wherever they are', () => {
    for (const text of TEXTS) {
      assert.equal(jsonText(parsed(text)), text);
      assert.equal(jsonText(readStoredJson(text)), text);
      assert.equal(jsonText(parsed(` ${text}\n`)), text);
    }
    assert.equal(
      canonicalJson(parsed('{"b":18446744073709551615,"a":1}')),
      '{"a":1,"b":18446744073709551615}',
    );
  });

  it('are a bigint only if a double does not keep them', () => {
    assert.deepEqual(parsed('[9007199254740991,100000000000000000000,9007199254740993]'), [
      9_007_199_254_740_991,
      1e20,
      9_007_199_254_740_993n,
    ]);
  });

  it('leave every other check in place', () => {
    const faults: readonly (readonly [string, string])[] = [
      ['{"a":18446744073709551615,"b":0.12345678901234567890}', '/b'],
      ['[1e400]', '/0'],
      [`[${'1'.repeat(401)}]`, '/0'],
      ['{"a":18446744073709551615,"a":1}', '/a'],
    ];
    for (const [text, pointer] of faults) {
      const result = parseExactJson(Buffer.from(text));
      assert.equal('fault' in result && result.fault.pointer, pointer, text);
    }
  });

  it('are not judged in the member whose text is wanted', () => {
    const text = '{"p":1,"body":{"id":4634343214213523454,"rate":0.12345678901234567890,"max":1e400}}';
    const result = parseJson(Buffer.from(text), 'body');
    assert.equal('memberText' in result && result.memberText, text.slice(14, -1));
    const other = parseJson(Buffer.from(text.replace('"p":1', '"p":18446744073709551615')), 'body');
    assert.equal('fault' in other && other.fault.pointer, '/p');
  });

  it('are kept in a deep text in linear memory (bug: every number kept the names of all objects around it)', () => {
    const depth = 40_000;
    const nested = '['.repeat(depth) + ']'.repeat(depth);
    const text = nested.replaceAll('[', '[9007199254740993,').replace(',]', ']');
    let at = readStoredJson(text);
    for (let level = 0; level < depth; level += 1) {
      assert.equal((at as readonly unknown[])[0], 9_007_199_254_740_993n);
      at = (at as readonly unknown[])[1];
    }
    const flat = `{"a":{"b":[${Array<string>(1_000).fill('{"c":9007199254740993}').join(',')}]}}`;
    assert.equal(jsonText(readStoredJson(flat)), flat);
  });

  it('are kept beside numbers that cannot be kept (bug: a long fraction in a page took the digits of its cursor)', () => {
    assert.deepEqual(readStoredJson('[9007199254740993,0.12345678901234567890,"\\ud800"]'), [
      9_007_199_254_740_993n,
      0.123_456_789_012_345_68,
      '\ud800',
    ]);
    const twice = '{"a":[9007199254740993],"a":9007199254740993}';
    assert.deepEqual(readStoredJson(twice), JSON.parse(twice));
  });

  it('hide no other value without JSON', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    assert.throws(() => jsonText(circular), /circular/);
  });

  it('are written as JSON.stringify writes all other values', () => {
    const value = { a: [1, undefined, 'x'], b: undefined, c: {}, d: [], e: new Date(0), f: { g: [null] } };
    for (const indent of [0, 2]) {
      const expected = JSON.stringify({ ...value, n: 'BIG' }, null, indent).replace(
        '"BIG"',
        '18446744073709551615',
      );
      assert.equal(jsonText({ ...value, n: 18_446_744_073_709_551_615n }, indent), expected);
      assert.equal(jsonText(value, indent), JSON.stringify(value, null, indent));
    }
    assert.equal(jsonText(undefined), 'null');
    assert.equal(pointerToBigInt({ a: [1, { 'b/c': 1n }] }), '/a/1/b~1c');
  });
});
