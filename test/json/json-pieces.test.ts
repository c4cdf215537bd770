import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonPieces } from '../../src/json/json-pieces.js';

describe('jsonPieces', () => {
  it('yields the text of JSON.stringify for every value (property)', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 14 }), (value) => {
        assert.equal([...jsonPieces(value)].join(''), JSON.stringify(value, null, 2));
      }),
    );
  });

  it('leaves out members that are undefined', () => {
    assert.equal([...jsonPieces({ a: undefined, b: 1 })].join(''), '{\n  "b": 1\n}');
  });

  it('yields the definitions of a large schema as pieces', () => {
    const definition = { type: 'object', properties: { a: { title: 'x'.repeat(1000) } } };
    const $defs = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`d${at}`, definition]));
    const pieces = [...jsonPieces({ schema: { $defs } })];
    assert.equal(pieces.join(''), JSON.stringify({ schema: { $defs } }, null, 2));
    assert.ok(pieces.every((piece) => piece.length < 1300));
  });

  it('writes a large object whose members are all undefined as an empty one', () => {
    const members = Array.from({ length: 500 }, (_, at) => [`m${at}`, undefined]);
    assert.equal([...jsonPieces(Object.fromEntries(members))].join(''), '{}');
  });

  it('yields a value that is nested deeply in pieces, too', () => {
    let value: unknown = Array.from({ length: 1000 }, (_, at) => ({ at }));
    for (let depth = 0; depth < 60; depth += 1) value = { inner: value };
    const pieces = [...jsonPieces(value)];
    assert.equal(pieces.join(''), JSON.stringify(value, null, 2));
    assert.ok(pieces.length > 1000);
  });
});
