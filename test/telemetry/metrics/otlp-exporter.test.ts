import assert from 'node:assert/strict';
import { counter, gauge, type Metric } from '../../../src/core/metric.js';
import { Secret } from '../../../src/core/secret.js';
import { openMetricsExporter, type ReadMetrics } from '../../../src/telemetry/metrics/otlp-exporter.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';
import { openOtlpReceiver, type OtlpReceiver } from '../../support/otlp-receiver.js';
import { until } from '../../support/until.js';

const HISTOGRAM: Metric = {
  name: 'call_duration_seconds',
  help: 'Times.',
  type: 'histogram',
  bounds: [0.5, 1],
  samples: [{ labels: { class: '2xx' }, counts: [2, 0, 1], sum: 7.5 }],
};

describe('openMetricsExporter (OTLP 1 over HTTP, JSON)', () => {
  let receiver: OtlpReceiver;
  beforeEach(async () => {
    receiver = await openOtlpReceiver();
  });
  afterEach(() => {
    receiver.close();
  });

  function open(read: ReadMetrics, otlpEndpoint = receiver.url) {
    const scheduler = createFakeScheduler(Date.UTC(2026, 0, 2, 3, 4, 5));
    const { log, lines } = memoryLog();
    const headers = { 'x-token': new Secret('token-of-the-receiver') };
    const exporter = openMetricsExporter(
      { otlpEndpoint, headers, caFile: null, intervalSeconds: 60 },
      {
        read,
        client: openHttpClient({ connections: 1 }),
        resource: { attributes: { 'service.name': 'gatehouse', 'process.pid': 7 }, version: '1.2.3' },
        scheduler,
        log,
      },
    );
    return { exporter, scheduler, lines };
  }

  const read = (): Promise<readonly Metric[]> =>
    Promise.resolve([
      counter('calls_total', 'Calls.', [{ labels: { status: '200' }, value: 3 }]),
      gauge('memory_bytes', 'Memory.', [
        { labels: {}, value: 0.5 },
        { labels: { of: 'nothing' }, value: NaN },
      ]),
      gauge('ttl_seconds', 'Not measured.', []),
      HISTOGRAM,
    ]);

  it('sends all metrics after each interval, in the format of the standard', async () => {
    const { exporter, scheduler } = open(read);
    assert.equal(scheduler.next(), 60_000);
    await scheduler.pass(60_000);
    await until(() => receiver.metrics.length === 3);
    const [request] = receiver.requests;
    assert.equal(request?.path, '/v1/metrics');
    assert.deepEqual([request.headers['content-type'], request.headers['x-token']], ['application/json', 'token-of-the-receiver']); // prettier-ignore
    assert.deepEqual(receiver.resources[0]?.attributes, [
      { key: 'service.name', value: { stringValue: 'gatehouse' } },
      { key: 'process.pid', value: { intValue: '7' } },
    ]);
    const times = { startTimeUnixNano: '1767323045000000000', timeUnixNano: '1767323105000000000' };
    const label = (key: string, stringValue: string) => [{ key, value: { stringValue } }];
    const sum = {
      dataPoints: [{ attributes: label('status', '200'), ...times, asDouble: 3 }],
      ...{ isMonotonic: true, aggregationTemporality: 2 },
    };
    const buckets = { bucketCounts: ['2', '0', '1'], explicitBounds: [0.5, 1], count: '3', sum: 7.5 };
    const histogram = {
      dataPoints: [{ attributes: label('class', '2xx'), ...times, ...buckets }],
      aggregationTemporality: 2,
    };
    assert.deepEqual(receiver.metrics, [
      { name: 'calls_total', description: 'Calls.', unit: '1', sum },
      {
        ...{ name: 'memory_bytes', description: 'Memory.', unit: 'By' },
        gauge: { dataPoints: [{ attributes: [], ...times, asDouble: 0.5 }] },
      },
      { name: 'call_duration_seconds', description: 'Times.', unit: 's', histogram },
    ]);
    await until(() => scheduler.next() === 60_000);
    await scheduler.pass(60_000);
    await until(() => receiver.metrics.length === 6);
    await exporter.close();
  });

  it('sends the last values when it closes', async () => {
    const { exporter } = open(read);
    await exporter.close();
    assert.equal(receiver.metrics.length, 3);
  });

  it('logs an unavailable receiver once per outage, and goes on with the next interval', async () => {
    receiver.plan.push(
      (res) => res.writeHead(503).end(),
      (res) => res.writeHead(400).end(),
    );
    const { exporter, scheduler, lines } = open(read);
    for (let count = 1; count <= 3; count += 1) {
      await scheduler.pass(60_000);
      await until(() => receiver.requests.length === count && scheduler.next() === 60_000);
    }
    assert.equal(receiver.metrics.length, 3);
    assert.equal(lines.length, 1);
    assert.match(String(lines[0]?.message), /^metrics export failed/);
    await exporter.close();
  });

  it('survives metrics that cannot be read', async () => {
    const { exporter, scheduler, lines } = open(() => Promise.reject(new Error('no store')));
    await scheduler.pass(60_000);
    await until(() => scheduler.next() === 60_000);
    assert.equal(lines.length, 1);
    await exporter.close();
    assert.deepEqual(receiver.requests, []);
  });

  it('closes while a receiver does not answer', async () => {
    const asked: unknown[] = [];
    receiver.plan.push((res) => asked.push(res));
    const { exporter, scheduler } = open(read);
    await scheduler.pass(60_000);
    await until(() => asked.length === 1);
    await exporter.close();
    assert.equal(receiver.requests.length, 2);
  });
});
