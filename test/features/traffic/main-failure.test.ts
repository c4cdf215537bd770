import assert from 'node:assert/strict';
import type { AnsweredRequest } from '../../../src/core/metric.js';
import { createMainFailure } from '../../../src/features/traffic/main-failure.js';
import { createRecentCalls } from '../../../src/features/traffic/recent-calls.js';

const NOW = 10_000_000;
const ADAPTER = 'edge-berlin.example.com';

function failureOf(...calls: readonly Partial<AnsweredRequest>[]) {
  const recent = createRecentCalls();
  for (const call of calls)
    recent.note({
      ...{ adapter: ADAPTER, startedAt: NOW - 1000, operation: 'a.b', status: 502, seconds: 1 },
      ...{ requestId: 'r', method: 'GET', path: '/', about: '', caller: 'ada' },
      ...{ code: 'upstream_failed', ...call },
    });
  return createMainFailure(recent, () => NOW);
}

const HOST = 'nso1.example.com:8443';
const answered = (status: number, words: string): Partial<AnsweredRequest> => ({
  detail: `the orchestrator answered ${status}${words === '' ? '' : `: ${words}`}`,
  attempts: [{ method: 'GET', url: `https://${HOST}/data`, atMs: 0, ms: 1, outcome: status }],
});

describe('createMainFailure', () => {
  it('finds the answer that most failed calls got, with the latest words', () => {
    const failure = failureOf(
      answered(500, 'database is busy'),
      answered(503, 'down'),
      answered(500, 'database is locked'),
    )(ADAPTER, 'failed');
    const locked = { status: 500, code: 'upstream_failed', host: HOST, reason: 'database is locked' };
    assert.deepEqual(failure, locked);
    assert.equal(failureOf(answered(500, ''))(ADAPTER, 'failed')?.reason, '');
  });

  it('has the problem of calls that got no answer, or a successful one', () => {
    const { attempts = [] } = answered(200, '');
    const read = failureOf({ attempts, code: 'upstream_bad_reply', detail: 'the body is no JSON' });
    const bad = { status: null, code: 'upstream_bad_reply', host: HOST, reason: 'the body is no JSON' };
    assert.deepEqual(read(ADAPTER, 'failed'), bad);
    const queued = failureOf({ status: 503, code: 'queue_full', detail: 'the queue is full' });
    assert.equal(queued(ADAPTER, 'failed')?.host, '');
  });

  it('tells rejected calls from failed ones, and ignores calls of other adapters and of earlier times', () => {
    const find = failureOf(
      { ...answered(404, 'no such device'), status: 404, code: 'upstream_rejected' },
      { ...answered(500, 'long ago'), startedAt: NOW - 301_000 },
      { ...answered(500, 'elsewhere'), adapter: 'other.example.com' },
      { status: 200, code: '' },
    );
    assert.equal(find(ADAPTER, 'failed'), undefined);
    assert.equal(find(ADAPTER, 'rejected')?.reason, 'no such device');
  });
});
