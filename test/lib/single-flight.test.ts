import assert from 'node:assert/strict';
import { singleFlight } from '../../src/lib/single-flight.js';
import { column } from '../support/columns.js';

describe('singleFlight', () => {
  it('shares the result among concurrent calls with the same key, and runs again afterwards', async () => {
    let runs = 0;
    const work = singleFlight(
      (name: string) => Promise.resolve(`${name}${(runs += 1)}`),
      (name) => name,
    );
    assert.deepEqual(await Promise.all([work('a'), work('b'), work('a')]), ['a1', 'b2', 'a1']);
    assert.equal(await work('a'), 'a3');
  });

  it('shares one run among all concurrent calls without a key', async () => {
    let runs = 0;
    const work = singleFlight(() => Promise.resolve((runs += 1)));
    assert.deepEqual(await Promise.all([work(), work()]), [1, 1]);
    assert.equal(await work(), 2);
  });

  it('runs again after a failure, which all concurrent calls receive', async () => {
    let runs = 0;
    const work = singleFlight(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(runs);
    });
    const results = await Promise.allSettled([work(), work()]);
    assert.deepEqual(column(results, 'status'), ['rejected', 'rejected']);
    assert.equal(await work(), 2);
  });
});
