import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../src/json/canonical-json.js';

describe('canonicalJson', () => {
  it('follows RFC 8785 sections 3.2.2 and 3.2.3', () => {
    const sample = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    assert.equal(
      canonicalJson(sample),
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
    const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, 1: 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    assert.deepEqual(Array.from(canonicalJson(names).matchAll(/\d(?=[,}])/g), ([digit]) => digit), ['2', '4', '6', '7', '1', '5', '3']); // prettier-ignore
  });

  it('is independent of the order of members and loses no value', () => {
    const check = fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      assert.equal(canonicalJson(JSON.parse(text)), text);
    });
    fc.assert(check, { numRuns: 200, seed: 8785 });
    assert.equal(canonicalJson({ 10: 1, 9: { b: 1, a: 2 } }), '{"10":1,"9":{"a":2,"b":1}}');
    assert.equal(canonicalJson({ b: undefined, a: [undefined] }), '{"a":[null]}');
  });
});
