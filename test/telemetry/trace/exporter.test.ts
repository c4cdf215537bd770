import assert from 'node:assert/strict';
import { Secret } from '../../../src/core/secret.js';
import { OtlpExporter } from '../../../src/telemetry/trace/exporter.js';
import type { SpanRecord } from '../../../src/telemetry/trace/span-record.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';
import { openOtlpReceiver, type OtlpReceiver } from '../../support/otlp-receiver.js';
import { until } from '../../support/until.js';

const SPAN: SpanRecord = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  parentId: 'b9c7c989f97918e1',
  state: 'a=1',
  kind: 'server',
  name: 'tools.restCall',
  startedAt: 1_767_323_045_678.25,
  endedAt: 1_767_323_045_700,
  isFailed: true,
  attributes: { 'http.response.status_code': 502, 'url.path': '/tools/geheim' },
};

describe('OtlpExporter (OTLP 1 over HTTP, JSON)', () => {
  let receiver: OtlpReceiver;
  beforeEach(async () => {
    receiver = await openOtlpReceiver();
  });
  afterEach(() => {
    receiver.close();
  });

  function open(otlpEndpoint = receiver.url) {
    const scheduler = createFakeScheduler();
    const { log, lines } = memoryLog();
    const headers = { 'x-token': new Secret('token-of-the-receiver') };
    const exporter = new OtlpExporter(
      { otlpEndpoint, headers, caFile: null },
      {
        client: openHttpClient({ connections: 1 }),
        resource: { attributes: { 'service.name': 'gatehouse' }, version: '1.2.3' },
        redact: (text) => text.replace('geheim', '[redacted]'),
        scheduler,
        log,
      },
    );
    const collect = (count: number): void => {
      for (let at = 0; at < count; at += 1) exporter.collect(SPAN);
    };
    return { exporter, scheduler, lines, collect };
  }

  it('sends spans in batches after a delay, in the format of the standard', async () => {
    const { exporter, scheduler, collect } = open();
    collect(2);
    assert.equal(scheduler.next(), 2000);
    await scheduler.pass(2000);
    await until(() => exporter.counts().exported === 2);
    const [request, ...more] = receiver.requests;
    assert.deepEqual(more, []);
    assert.equal(request?.path, '/v1/traces');
    assert.deepEqual([request.headers['content-type'], request.headers['x-token']], ['application/json', 'token-of-the-receiver']); // prettier-ignore
    assert.equal(request.headers['traceparent'], undefined);
    const { resourceSpans } = JSON.parse(request.text) as { resourceSpans: object[] };
    assert.deepEqual(resourceSpans[0], {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'gatehouse' } }] },
      scopeSpans: [
        { scope: { name: 'gatehouse', version: '1.2.3' }, spans: [receiver.spans[0], receiver.spans[1]] },
      ],
    });
    assert.deepEqual(receiver.spans[0], {
      traceId: SPAN.traceId,
      spanId: SPAN.spanId,
      parentSpanId: SPAN.parentId,
      traceState: 'a=1',
      name: 'tools.restCall',
      kind: 2,
      startTimeUnixNano: '1767323045678250000',
      endTimeUnixNano: '1767323045700000000',
      // Sampled; the parent is in another process.
      flags: 0x301,
      attributes: [
        { key: 'http.response.status_code', value: { intValue: '502' } },
        { key: 'url.path', value: { stringValue: '/tools/[redacted]' } },
      ],
      status: { code: 2 },
    });
    await exporter.close();
  });

  it('sends to the path of the endpoint, if it has one', async () => {
    const { exporter, collect } = open(`${receiver.url}/otlp/traces`);
    collect(1);
    await exporter.close();
    assert.deepEqual(receiver.requests.map(({ path }) => path), ['/otlp/traces']); // prettier-ignore
    assert.deepEqual(exporter.counts(), { exported: 1, dropped: 0 });
  });

  it('retries after the delay that a busy receiver requests', async () => {
    receiver.plan.push((res) => res.writeHead(429, { 'retry-after': '7' }).end());
    const { exporter, scheduler, collect, lines } = open();
    collect(1);
    await scheduler.pass(2000);
    await until(() => scheduler.next() === 7000);
    await scheduler.pass(7000);
    await until(() => exporter.counts().exported === 1);
    assert.equal(lines.length, 1);
    await exporter.close();
  });

  it('does not retry refused spans, and counts them and rejected ones as dropped', async () => {
    receiver.plan.push(
      (res) => res.writeHead(400).end(),
      (res) => res.writeHead(200).end('{"partialSuccess": {"rejectedSpans": "2"}}'),
    );
    const { exporter, scheduler, collect } = open();
    collect(3);
    await scheduler.pass(2000);
    await until(() => exporter.counts().dropped === 3);
    collect(3);
    await scheduler.pass(2000);
    await until(() => exporter.counts().exported === 1);
    assert.deepEqual(exporter.counts(), { exported: 1, dropped: 5 });
    await exporter.close();
  });

  it('limits the queued spans for a receiver that never answers, and closes without it', async () => {
    let attempts = 0;
    const neverAnswer = (): void => {
      attempts += 1;
    };
    receiver.plan.push(neverAnswer, neverAnswer, neverAnswer);
    const { exporter, collect } = open();
    collect(10_000);
    // 512 spans are being sent and 4096 are queued.
    assert.equal(exporter.counts().dropped, 10_000 - 512 - 4096);
    await until(() => attempts === 1);
    // A second receiver that never answers delays the close by at most two seconds.
    receiver.close();
    await exporter.close();
    assert.deepEqual(exporter.counts(), { exported: 0, dropped: 10_000 });
    collect(1);
    assert.equal(exporter.counts().dropped, 10_001);
  });

  it('tries an unreachable receiver five times, logs that once, and then drops the spans', async () => {
    const { exporter, scheduler, collect, lines } = open('http://127.0.0.1:1');
    for (let round = 1; round <= 2; round += 1) {
      collect(1);
      await scheduler.pass(2000);
      for (const ms of [1000, 2000, 4000, 8000]) {
        await until(() => scheduler.next() === ms);
        await scheduler.pass(ms);
      }
      await until(() => exporter.counts().dropped === round);
    }
    assert.equal(lines.length, 1);
    assert.equal(scheduler.next(), undefined);
    await exporter.close();
  });
});
