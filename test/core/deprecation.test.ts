import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareReleases, isRelease, partsOf, stageAt } from '../../src/core/deprecation.js';
import { releaseDayOf } from '../../src/features/legacy/deprecated-operation.js';

describe('compareReleases', () => {
  it('compares numbers, not text', () => {
    assert.ok(compareReleases('2020.10', '2020.2') > 0);
    assert.ok(compareReleases('2020.2', '2020.10') < 0);
    assert.ok(compareReleases('2019.4', '2020.1') < 0);
    assert.equal(compareReleases('2020.2', '2020.2'), 0);
  });

  it('orders by year, then by number', () => {
    const release = fc.record({
      year: fc.integer({ min: 2000, max: 2099 }),
      number: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(release, release, (one, other) => {
        const text = ({ year, number }: typeof one) => `${year}.${number}`;
        const expected = Math.sign(one.year * 100 + one.number - other.year * 100 - other.number);
        assert.equal(Math.sign(compareReleases(text(one), text(other))), expected);
        assert.ok(isRelease(text(one)));
      }),
    );
    for (const wrong of ['2020', '2020.0', '2020.2.1', '1999.1', '2020.2\n', ' 2020.2', ''])
      assert.equal(isRelease(wrong), false, wrong);
  });
});

describe('stageAt', () => {
  const row = { deprecatedIn: '2020.2', removedIn: '2021.2' } as const;
  for (const [release, stage] of [
    ['2018.1', 'current'],
    ['2020.1', 'current'],
    ['2020.2', 'deprecated'],
    ['2020.10', 'deprecated'],
    ['2021.1', 'deprecated'],
    ['2021.2', 'removed'],
    ['2023.2', 'removed'],
  ] as const)
    it(`is ${stage} at ${release}`, () => {
      assert.equal(stageAt(release, row), stage);
    });
});

describe('partsOf', () => {
  it('splits a route into method and path', () => {
    assert.deepEqual(partsOf('PUT /providers/:id'), { method: 'PUT', path: '/providers/:id' });
  });
});

describe('releaseDayOf', () => {
  it('returns the first day of the quarter', () => {
    const days = (['2018.3', '2020.2', '2021.1', '2022.4'] as const).map((release) =>
      releaseDayOf(release).toISOString(),
    );
    assert.deepEqual(days, ['2018-07-01T00:00:00.000Z', '2020-04-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z', '2022-10-01T00:00:00.000Z']); // prettier-ignore
  });

  it('throws for a release outside of the four quarters', () => {
    assert.throws(() => releaseDayOf('2020.5'), RangeError);
  });
});
