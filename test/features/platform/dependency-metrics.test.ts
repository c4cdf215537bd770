import assert from 'node:assert/strict';
import { serviceMetrics } from '../../../src/features/platform/exposed-metrics.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

describe('serviceMetrics', () => {
  const valuesOf = async (running: () => Promise<boolean>, clock = createFakeScheduler()) => {
    const store = { pool: () => ({ open: 3, idle: 1, waiting: 0 }) };
    const metrics = serviceMetrics({ services: () => [{ service: 'store', running }], store, clock });
    await clock.pass(2_000);
    return (await metrics).flatMap(({ samples }) => samples.map(({ value }) => value));
  };

  it('report whether each service runs and the connections of the pool', async () => {
    assert.deepEqual(await valuesOf(() => Promise.resolve(true)), [1, 3, 1, 0]);
    assert.deepEqual(await valuesOf(() => Promise.resolve(false)), [0, 3, 1, 0]);
  });

  it('report a service that does not answer as down', async () => {
    assert.deepEqual(await valuesOf(() => new Promise(() => undefined)), [0, 3, 1, 0]);
  });

  it('leave no timer active', async () => {
    const clock = createFakeScheduler();
    await valuesOf(() => Promise.resolve(true), clock);
    assert.equal(clock.next(), undefined);
  });
});
