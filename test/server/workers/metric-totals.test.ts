import assert from 'node:assert/strict';
import { counter, gauge, type Histogram } from '../../../src/core/metric.js';
import { addMetrics, countersIn } from '../../../src/server/workers/metric-totals.js';

const one = (value: number, labels = {}) => [{ labels, value }];

describe('metrics of several processes', () => {
  it('add counters by their labels, also those that only one process has', () => {
    const [sum] = addMetrics([
      [counter('calls_total', 'Calls.', [...one(2, { code: '200' }), ...one(1, { code: '503' })])],
      [counter('calls_total', 'Calls.', one(3, { code: '200' }))],
    ]);
    assert.deepEqual(sum?.samples, [...one(5, { code: '200' }), ...one(1, { code: '503' })]);
  });

  it('add gauges of amounts, and keep the highest of times and the lowest of conditions', () => {
    const of = (value: number) => [
      gauge('gatehouse_upstream_in_flight', 'Calls.', one(value)),
      gauge('gatehouse_tls_certificate_expiry_timestamp_seconds', 'Expiry.', one(value)),
      gauge('gatehouse_service_running', 'Service.', one(value)),
    ];
    const values = addMetrics([of(1), of(3)]).map(({ samples }) => samples);
    assert.deepEqual(values, [one(4), one(3), one(1)]);
  });

  it('add histograms bucket by bucket', () => {
    const of = (counts: readonly number[], sum: number): Histogram => ({
      name: 'seconds',
      help: 'Time.',
      type: 'histogram',
      bounds: [1],
      samples: [{ labels: {}, counts, sum }],
    });
    assert.deepEqual(addMetrics([[of([1, 0], 0.5)], [of([2, 1], 4)]]), [of([3, 1], 4.5)]);
  });

  it('keep only counters of a process that has ended', () => {
    const metrics = [counter('calls_total', 'Calls.', one(2)), gauge('in_flight', 'Calls.', one(1))];
    assert.deepEqual(countersIn(metrics), [metrics[0]]);
  });
});
