import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withEmptyMembers } from '../../src/json/json-members.js';

const SCHEMA = new Set(['schema', 'uiSchema']);

describe('withEmptyMembers', () => {
  it('replaces the values of members of the object itself, and keeps the rest of the text', () => {
    const json = String.raw`{"id":"a","schema":{"schema":[1,{"x":"}"}],"n":18446744073709551615},"uiSchema":{},"n":1.0}`;
    assert.equal(withEmptyMembers(json, SCHEMA), '{"id":"a","schema":{},"uiSchema":{},"n":1.0}');
  });

  it('reads names and strings with escapes, and values of each type', () => {
    const json = String.raw`{ "sch\u0065ma" : "a\\\"}," , "other": "\\", "uiSchema": null, "last": [{"schema": 1}] }`;
    assert.deepEqual(JSON.parse(withEmptyMembers(json, SCHEMA)), {
      schema: {},
      other: '\\',
      uiSchema: {},
      last: [{ schema: 1 }],
    });
  });

  it('replaces the members of any object, with any white space', () => {
    const names = fc.constantFrom('schema', 'uiSchema', 'a', '"', '\\', '{', 'é');
    const spaces = fc.constantFrom('', ' ', '\n\t');
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue({ maxDepth: 4 })), spaces, (value, space) => {
        const json = space + JSON.stringify(value, null, space);
        const emptied = Object.entries(value).map(([name, member]) => [name, SCHEMA.has(name) ? {} : member]);
        assert.deepEqual(JSON.parse(withEmptyMembers(json, SCHEMA)), JSON.parse(JSON.stringify(Object.fromEntries(emptied)))); // prettier-ignore
      }),
    );
  });

  it('returns an object without members unchanged', () => {
    assert.equal(withEmptyMembers('{}', SCHEMA), '{}');
    assert.equal(withEmptyMembers('{"schema":[]}', SCHEMA), '{"schema":{}}');
  });
});
