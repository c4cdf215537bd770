import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodePunycode, encodePunycode } from '../../../src/json-schema/engine/formats/host-names.js';
import { anyText } from '../../support/any-text.js';

describe('Punycode', () => {
  // RFC 3492 section 7.1 (A), (C) and (L).
  const samples: Readonly<Record<string, string>> = {
    egbpdaj6bu4bxfgehfvwxn: 'ليهمابتكلموشعربي؟',
    ihqwctvzc91f659drss3x8bo0yb: '他們爲什麽不說中文',
    '3B-ww4c5e180e575a65lsy2b': '3年B組金八先生',
    'mnchen-3ya': 'münchen',
  };

  it('encodes and decodes the samples of RFC 3492', () => {
    for (const [written, text] of Object.entries(samples)) {
      assert.equal(encodePunycode(text), written);
      assert.equal(decodePunycode(written), text);
    }
  });

  it('decodes each encoded text to the same text (property)', () => {
    fc.assert(
      fc.property(anyText({ minLength: 1, maxLength: 20 }), (text) => {
        assert.equal(decodePunycode(encodePunycode(text)), text);
      }),
      { numRuns: 300 },
    );
  });

  it('rejects invalid labels', () => {
    for (const broken of ['99999999', 'ü', 'a-!', '0'])
      assert.equal(decodePunycode(broken), undefined, broken);
  });
});
