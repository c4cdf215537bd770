import assert from 'node:assert/strict';
import {
  choiceParameterOf,
  flagParameterOf,
  numberParameterOf,
  parameterOf,
  timeParameterOf,
} from '../../src/http/query-parameters.js';

const queryOf = (text: string) => new URLSearchParams(text);

describe('query parameters', () => {
  it('count as absent if they are empty', () => {
    const query = queryOf('a=&b=x');
    assert.deepEqual([parameterOf(query, 'a'), parameterOf(query, 'b'), parameterOf(query, 'c')], [undefined, 'x', undefined]); // prettier-ignore
    assert.equal(numberParameterOf(query, { name: 'a', preset: 7, min: 1, max: 9 }), 7);
    assert.equal(choiceParameterOf(query, 'a', ['x', 'y']), undefined);
    assert.equal(flagParameterOf(query, 'a'), false);
  });

  const AFTER = { name: 'after', preset: 0, min: 0, max: Number.MAX_SAFE_INTEGER };

  it('read every whole number within their bounds', () => {
    for (const value of [0, 10 ** 15, Number.MAX_SAFE_INTEGER])
      assert.equal(numberParameterOf(queryOf(`after=${value}`), AFTER), value);
  });

  for (const text of ['9007199254740992', '99999999999999999999', '-1', '1.5', '1e3', 'x', '%201'])
    it(`reject the number ${text} with its bounds and a pointer to the parameter`, () => {
      assert.throws(() => numberParameterOf(queryOf(`after=${text}`), AFTER), {
        code: 'invalid_request',
        message: 'The query parameter after must be a whole number from 0 to 9007199254740991.',
        extras: {
          errors: [
            {
              pointer: '/query/after',
              message: 'parameter after must be a whole number from 0 to 9007199254740991',
            },
          ],
        },
      });
    });

  it('read and reject flags and choices by their values', () => {
    assert.equal(flagParameterOf(queryOf('partial=true'), 'partial'), true);
    assert.equal(flagParameterOf(queryOf('partial=false'), 'partial'), false);
    assert.throws(() => flagParameterOf(queryOf('partial=TRUE'), 'partial'), {
      message: 'The query parameter partial must be true or false.',
    });
    assert.equal(choiceParameterOf(queryOf('level=b'), 'level', ['a', 'b', 'c']), 'b');
    assert.throws(() => choiceParameterOf(queryOf('level=d'), 'level', ['a', 'b', 'c']), {
      message: 'The query parameter level must be one of a, b, c.',
    });
  });

  for (const [text, time] of [
    ['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59)],
    ['2026-12-31t23:30:00.5-02:00', Date.UTC(2027, 0, 1, 1, 30, 0, 500)],
    ['0000-02-29T00:00:00Z', Date.parse('0000-02-29T00:00:00Z')],
  ] as const)
    it(`read the time ${text}`, () => {
      assert.equal(timeParameterOf(queryOf(`from=${encodeURIComponent(text)}`), 'from'), time);
    });

  for (const text of [
    ...['2026-02-29T00:00:00Z', '2026-02-30T00:00:00Z', '2026-04-31T12:00:00+02:00', '2026-13-01T00:00:00Z'],
    ...['2026-01-01T24:00:00Z', '2026-00-10T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-01'],
  ])
    it(`reject the time ${text}, which does not exist (bug: February 30 was March 2)`, () => {
      assert.throws(() => timeParameterOf(queryOf(`from=${encodeURIComponent(text)}`), 'from'), {
        message: 'The query parameter from must be a date and time as in RFC 3339.',
      });
    });
});
