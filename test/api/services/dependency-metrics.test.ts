import assert from 'node:assert/strict';
import { serviceMetrics } from '../../../src/api/services/exposed-metrics.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

describe('the metrics of services', () => {
  const valuesOf = async (running: () => Promise<boolean>, clock = createFakeScheduler()) => {
    const store = { pool: () => ({ open: 3, idle: 1, waiting: 0 }) };
    const asked = serviceMetrics({ services: [{ service: 'store', running }], store, clock });
    await clock.pass(2_000);
    return (await asked).flatMap(({ samples }) => samples.map(({ value }) => value));
  };

  it('tell which run, and how the pool stands', async () => {
    assert.deepEqual(await valuesOf(() => Promise.resolve(true)), [1, 3, 1, 0]);
    assert.deepEqual(await valuesOf(() => Promise.resolve(false)), [0, 3, 1, 0]);
  });

  it('come though a service hangs: a scrape that fails with the database would tell nothing', async () => {
    assert.deepEqual(await valuesOf(() => new Promise(() => undefined)), [0, 3, 1, 0]);
  });

  it('leave no timer behind', async () => {
    const clock = createFakeScheduler();
    await valuesOf(() => Promise.resolve(true), clock);
    assert.equal(clock.next(), undefined);
  });
});
