import assert from 'node:assert/strict';
import { createWorkerRegistry } from '../../../src/server/workers/worker-registry.js';
import { exposition } from '../../../src/telemetry/metrics/exposition.js';
import { readExposition } from '../../support/scrape.js';

const samplesOf = (registry: ReturnType<typeof createWorkerRegistry>) =>
  readExposition(exposition(registry.metrics())).samples;
const statsWith = (delaySeconds: number) => ({ delaySeconds, memoryBytes: 5, cpuSeconds: 6 });
const DELAY = 'gatehouse_worker_eventloop_delay_seconds{worker="0"}';

describe('createWorkerRegistry', () => {
  it('reports zero wanted workers for a server without workers', () => {
    const samples = samplesOf(createWorkerRegistry(0));
    assert.equal(samples.get('gatehouse_workers_wanted'), 0);
    assert.equal(samples.get('gatehouse_workers_serving'), 0);
    assert.equal(samples.get('gatehouse_worker_replacements_total{reason="stuck"}'), 0);
    assert.equal(samples.get(DELAY), undefined);
  });

  it('reports the worst delay of the last minute, so that no scrape misses it', () => {
    const registry = createWorkerRegistry(1);
    registry.serves(0);
    registry.recordStats(0, statsWith(3));
    for (let second = 0; second < 59; second += 1) registry.recordStats(0, statsWith(0.25));
    assert.equal(samplesOf(registry).get(DELAY), 3);
    registry.recordStats(0, statsWith(0));
    assert.equal(samplesOf(registry).get(DELAY), 0.25);
  });

  it('reports no delay for a slot without a serving worker, nor the delay of the previous worker', () => {
    const registry = createWorkerRegistry(1);
    registry.recordStats(0, statsWith(1));
    assert.equal(samplesOf(registry).get(DELAY), undefined);
    registry.serves(0);
    registry.recordStats(0, statsWith(1));
    registry.leaves(0, 'died');
    assert.equal(samplesOf(registry).get(DELAY), undefined);
    assert.equal(samplesOf(registry).get('gatehouse_workers_serving'), 0);
    registry.serves(0);
    assert.equal(samplesOf(registry).get(DELAY), undefined);
  });
});
