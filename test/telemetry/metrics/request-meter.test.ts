import assert from 'node:assert/strict';
import { exposition } from '../../../src/telemetry/metrics/exposition.js';
import { createRequestMeter } from '../../../src/telemetry/metrics/request-meter.js';
import { readExposition } from '../../support/scrape.js';

const QUERY = 'orchestrator-manager.restQuery';
const CALL = { operation: QUERY, adapter: 'nso1', status: 200, seconds: 0 };

describe('the request meter', () => {
  it('counts requests by operation, adapter and status, and records their duration', () => {
    const { measure, metrics } = createRequestMeter((id) => id === 'nso1');
    for (const seconds of [0.02, 0.2, 60]) measure({ ...CALL, seconds });
    measure({ ...CALL, status: 502, seconds: 0.02 });
    const { samples } = readExposition(exposition(metrics()));
    const labels = `operation="${QUERY}",adapter="nso1"`;
    const bucket = (le: string) =>
      samples.get(`gatehouse_request_duration_seconds_bucket{le="${le}",${labels},class="2xx"}`);
    assert.equal(samples.get(`gatehouse_requests_total{${labels},status="200"}`), 3);
    assert.equal(samples.get(`gatehouse_requests_total{${labels},status="502"}`), 1);
    assert.deepEqual(['0.01', '0.025', '0.25', '30', '+Inf'].map(bucket), [0, 1, 2, 2, 3]);
  });

  it('counts tool calls of agents apart, and no unknown path that looks like one', () => {
    const { measure, metrics } = createRequestMeter((id) => id === 'nso1');
    measure({ ...CALL, path: '/orchestrator_manager/restQuery/nso1' });
    measure({ ...CALL, path: '/mcp/orchestrator_manager/restQuery/nso1' });
    measure({ ...CALL, operation: '', status: 404, path: '/mcp/x' });
    const { samples, families } = readExposition(exposition(metrics()));
    assert.equal(samples.get(`gatehouse_tool_calls_total{operation="${QUERY}",status="200"}`), 1);
    assert.deepEqual([...(families.get('gatehouse_tool_calls_total')?.labels.get('status') ?? [])], ['200']);
  });

  it('creates no series for unknown adapters', () => {
    const { measure, metrics } = createRequestMeter((id) => id === 'nso1');
    for (let at = 0; at < 50; at += 1) measure({ ...CALL, adapter: `made up ${at}`, status: 404 });
    const { samples, families } = readExposition(exposition(metrics()));
    assert.equal(samples.get(`gatehouse_requests_total{operation="${QUERY}",adapter="",status="404"}`), 50);
    assert.deepEqual([...(families.get('gatehouse_requests_total')?.labels.get('adapter') ?? [])], ['']);
  });

  it('drops the series of a removed adapter', () => {
    const adapters = new Set(['nso1', 'nso2']);
    const { measure, metrics } = createRequestMeter((id) => adapters.has(id));
    for (const adapter of adapters) measure({ ...CALL, adapter });
    assert.match(exposition(metrics()), /adapter="nso1"/);
    adapters.delete('nso1');
    const after = exposition(metrics());
    assert.doesNotMatch(after, /nso1/);
    assert.match(after, /_total\{[^}]*nso2/);
    assert.match(after, /_bucket\{[^}]*nso2/);
  });

  it('treats a negative duration, after the clock was set back, as zero', () => {
    const { measure, metrics } = createRequestMeter(() => false);
    measure({ ...CALL, adapter: '', seconds: -3600 });

    const { samples } = readExposition(exposition(metrics()));
    const sum = `gatehouse_request_duration_seconds_sum{operation="${QUERY}",adapter="",class="2xx"}`;
    assert.equal(samples.get(sum), 0);
  });
});
