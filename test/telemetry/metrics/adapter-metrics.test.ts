import assert from 'node:assert/strict';
import { createIdleInstance } from '../../../src/adapters/instance.js';
import type { AdapterInstance } from '../../../src/core/snapshot.js';
import type { UpstreamStatus } from '../../../src/core/upstream.js';
import { upstreamMetrics } from '../../../src/telemetry/metrics/adapter-metrics.js';

const STATUS: UpstreamStatus = {
  inFlight: 3,
  waiting: 2,
  refused: 7,
  retries: 5,
  logins: 4,
  failedLogins: 1,
  connections: 6,
  idleConnections: 4,
  connectionReuse: 'on',
  baseUrls: [
    { url: 'https://a.example', breaker: 'closed', waitMs: 0, failures: 0, inFlight: 2 },
    { url: 'https://b.example', breaker: 'open', waitMs: 500, failures: 5, inFlight: 1 },
  ],
  current: 'https://a.example',
};

function instance(id: string, status?: UpstreamStatus): AdapterInstance {
  const idle = createIdleInstance(id, 'test', { name: 'STOPPED' });
  return { ...idle, ...(status && { upstreamStatus: () => status }) };
}

describe('upstreamMetrics', () => {
  const metrics = upstreamMetrics([instance('nso1', STATUS), instance('own transport')]);
  const valuesOf = (name: string) =>
    Object.fromEntries(
      (metrics.find((metric) => metric.name === name)?.samples ?? []).map(({ labels, value }) => [
        Object.values(labels).join(' '),
        value,
      ]),
    );

  it('contains the queue, retries, logins and connections of each adapter with an upstream', () => {
    assert.deepEqual(valuesOf('gatehouse_upstream_in_flight'), { nso1: 3 });
    assert.deepEqual(valuesOf('gatehouse_upstream_waiting'), { nso1: 2 });
    assert.deepEqual(valuesOf('gatehouse_upstream_refused_total'), { nso1: 7 });
    assert.deepEqual(valuesOf('gatehouse_upstream_retries_total'), { nso1: 5 });
    assert.deepEqual(valuesOf('gatehouse_upstream_logins_total'), { 'nso1 success': 4, 'nso1 failure': 1 });
    assert.deepEqual(valuesOf('gatehouse_upstream_connections'), { 'nso1 busy': 2, 'nso1 idle': 4 });
  });

  it('identifies breakers by the index of their base URL, without the URL', () => {
    assert.deepEqual(valuesOf('gatehouse_upstream_breaker_state'), {
      'nso1 0 closed': 1,
      'nso1 0 half-open': 0,
      'nso1 0 open': 0,
      'nso1 1 closed': 0,
      'nso1 1 half-open': 0,
      'nso1 1 open': 1,
    });
    assert.doesNotMatch(JSON.stringify(metrics), /example/);
  });
});
