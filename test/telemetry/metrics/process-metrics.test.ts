import assert from 'node:assert/strict';
import { collectGarbage } from '../../../src/lib/collect-garbage.js';
import { exposition } from '../../../src/telemetry/metrics/exposition.js';
import { processMetrics } from '../../../src/telemetry/metrics/process-metrics.js';
import { until } from '../../support/until.js';

describe('processMetrics', () => {
  it('has the names of Prometheus clients for Node.js, with values', async () => {
    const metrics = await processMetrics();
    const byName = new Map(metrics.map((metric) => [metric.name, metric]));
    const names = [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
    ];
    for (const name of names) assert.equal(byName.get(name)?.samples.length, 1, name);
    assert.equal(byName.get('process_cpu_seconds_total')?.type, 'counter');
    assert.ok((byName.get('nodejs_heap_space_size_used_bytes')?.samples.length ?? 0) > 3);
  });

  it('has no gauge with the name of a counter', async () => {
    for (const { name, type } of await processMetrics())
      assert.equal(type === 'counter', name.endsWith('_total'), name);
  });

  it('counts each garbage collection in one bucket', async () => {
    const name = 'nodejs_gc_duration_seconds';
    collectGarbage('regular');
    const read = async () => (await processMetrics()).find((one) => one.name === name);
    await until(async () => (await read())?.samples.length !== 0);
    const metric = await read();
    assert.equal(metric?.type, 'histogram');
    for (const { counts, sum } of metric.samples) {
      assert.equal(counts.length, metric.bounds.length + 1);
      assert.ok(counts.every((count) => count >= 0));
      assert.ok(sum >= 0);
    }
    assert.match(exposition([metric]), new RegExp(`^# TYPE ${name} histogram$`, 'm'));
  });
});
