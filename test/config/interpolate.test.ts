import assert from 'node:assert/strict';
import fc from 'fast-check';
import { interpolate } from '../../src/config/interpolate.js';

const env = { HOST: 'edge', EMPTY: '', SELF: '${HOST}', DOLLARS: '$& $1 $$', UNSET: undefined };

describe('interpolate', () => {
  it('replaces variables by their values', () => {
    for (const [written, text, missing = [], malformed = false] of [
      ['plain', 'plain'],
      ['${HOST}', 'edge'],
      ['a-${HOST}:${HOST}', 'a-edge:edge'],
      ['${HOST:-other}', 'edge'],
      ['${NONE:-other}', 'other'],
      ['${NONE:-}', ''],
      ['${EMPTY}', ''],
      ['${EMPTY:-other}', 'other'],
      ['${SELF}', '${HOST}'],
      ['${NONE:-$HOST}', '$HOST'],
      ['${DOLLARS}', '$& $1 $$'],
      ['$${HOST}', '${HOST}'],
      ['$$${HOST}', '$${HOST}'],
      ['$HOST {HOST} $', '$HOST {HOST} $'],
      ['$VAULT_a/b#c', '$VAULT_a/b#c'],
      ['${NONE} ${GONE} ${NONE}', '${NONE} ${GONE} ${NONE}', ['NONE', 'GONE']],
      ['${UNSET}', '${UNSET}', ['UNSET']],
      ['${toString}', '${toString}', ['toString']],
      ['${}', '${}', [], true],
      ['${1X}', '${1X}', [], true],
      ['${HOST', '${HOST', [], true],
      ['${HOST-x}', '${HOST-x}', [], true],
      ['${NONE:-${HOST}}', '${NONE:-edge}', [], true],
    ] as const) {
      const read = interpolate(written, env);
      assert.deepEqual(
        [read.text, read.missing, read.malformed],
        [text, missing, malformed],
        JSON.stringify(written),
      );
    }
  });

  it('reports missing and malformed variables', () => {
    for (const [written, names, isAlone = false, isDefault = false] of [
      ['${HOST}', ['HOST'], true],
      ['${HOST:-other}', ['HOST'], true],
      ['${EMPTY:-other}', ['EMPTY'], true, true],
      ['${NONE:-}', ['NONE'], true, true],
      ['${NONE}', ['NONE'], true],
      [' ${HOST}', ['HOST']],
      ['${HOST}${HOST}', ['HOST']],
      ['${HOST}-${SELF}', ['HOST', 'SELF']],
      ['$${HOST}', undefined],
      ['plain', undefined],
    ] as const) {
      const { insertion } = interpolate(written, env);
      const reported = insertion && [insertion.names, insertion.isAlone, insertion.isDefault];
      assert.deepEqual(reported, names && [names, isAlone, isDefault], JSON.stringify(written));
    }
  });

  for (const [written, withoutValues] of [
    ['a-${HOST}:${EMPTY}', 'a-:'],
    ['${HOST}${NONE:-other}', 'other'],
    ['${NONE:-other}', undefined],
    ['${NONE}', undefined],
    ['$${HOST}', undefined],
  ] as const)
    it(`returns ${String(withoutValues)} as ${JSON.stringify(written)} without its variables`, () => {
      assert.equal(interpolate(written, env).insertion?.withoutValues, withoutValues);
    });

  it('inserts any value unchanged and keeps escaped text (property)', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, value, after) => {
        const literal = (text: string) => text.replaceAll('$', '');
        const written = `${literal(before)}\${A}${literal(after)}`;
        assert.equal(interpolate(written, { A: value }).text, literal(before) + value + literal(after));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'A', ':', '-') }), (text) => {
        const escaped = text.replaceAll('${', () => '$${');
        const { text: read, missing, malformed } = interpolate(escaped, {});
        assert.deepEqual({ read, missing, malformed }, { read: text, missing: [], malformed: false });
      }),
    );
  });
});
