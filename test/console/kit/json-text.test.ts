import assert from 'node:assert/strict';
import { jsonFault } from '../../../console/src/kit/json-text.js';

describe('jsonFault', () => {
  const cases: readonly (readonly [text: string, at: string, message: RegExp])[] = [
    ['{"a": nil}', 'nil', /^a value is/],
    ['{"a": 1,}', '}', /^a name in double quotes is/],
    ['{a: 1}', 'a', /^a name in double quotes or \}/],
    ['{"a" 1}', '1', /^a colon/],
    ['[1 2]', '2', /^a comma or the closing bracket/],
    ['[1, 2}', '}', /^a comma or the closing bracket/],
    ['[1,]', ']', /^a value is/],
    ['{} {}', '{', /^the end of the text/],
    ['{"a": "x', '"x', /^a value/],
    ['{"a": {', '{', /^the text ends where a name/],
  ];
  for (const [text, at, message] of cases)
    it(text, () => {
      const fault = jsonFault(text);
      assert.ok(fault);
      assert.equal(text.slice(fault.from, fault.to), at);
      assert.match(fault.message, message);
    });

  it('returns undefined for valid JSON', () => {
    for (const text of ['{}', '[]', ' {"a": [1, {"b": null}], "c": "\\u0041"} ', '3', '"x"'])
      assert.equal(jsonFault(text), undefined, text);
  });
});
