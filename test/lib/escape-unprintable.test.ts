import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  escapeUnprintable,
  jsonValue,
  printable,
  printableJsonValue,
  printableLines,
} from '../../src/lib/escape-unprintable.js';
import { anyText } from '../support/any-text.js';

describe('jsonValue', () => {
  it('returns the text of JSON.stringify for any text and number (property)', () => {
    const value = fc.oneof(anyText(), fc.string({ unit: 'binary' }), fc.double(), fc.integer());
    fc.assert(
      fc.property(value, (one) => {
        assert.equal(jsonValue(one), JSON.stringify(one));
        assert.equal(printableJsonValue(one), escapeUnprintable(JSON.stringify(one)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('returns the text of JSON.stringify for every unit of UTF-16', () => {
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const text = `a${String.fromCharCode(unit)}`;
      assert.equal(jsonValue(text), JSON.stringify(text));
      assert.equal(printableJsonValue(text), escapeUnprintable(JSON.stringify(text)));
    }
  });
});

describe('printable', () => {
  it('escapes what could break a line, control a terminal or turn a text around', () => {
    const text = 'x\u001b]0;PWNED\u0007\n+ adapter fake\u202eé';
    assert.equal(printable(text), 'x\\u001b]0;PWNED\\u0007\\n+ adapter fake\\u202eé');
    assert.equal(printableLines(`a\tb\n${text}`), 'a\tb\nx\\u001b]0;PWNED\\u0007\n+ adapter fake\\u202eé');
  });
});
