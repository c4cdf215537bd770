import assert from 'node:assert/strict';
import type { AnsweredRequest } from '../../../src/core/metric.js';
import { adapterIssuesOf } from '../../../src/features/console/adapter-issues.js';
import type { AdapterSignals } from '../../../src/features/console/adapter-status.js';
import { withHitCallers } from '../../../src/features/traffic/hit-callers.js';
import { createRecentCalls } from '../../../src/features/traffic/recent-calls.js';

const NOW = 1_000_000;

function failedCall(caller: string, changes: Partial<AnsweredRequest> = {}): AnsweredRequest {
  return {
    ...{ adapter: 'nso1.example.com', operation: 'a.b', status: 502, startedAt: NOW - 1000, seconds: 1 },
    ...{ requestId: 'r', method: 'GET', path: '/', about: '', caller, code: '', ...changes },
  };
}

function hit(...calls: readonly AnsweredRequest[]) {
  return hitBy({}, calls);
}

function hitBy(changes: Partial<AdapterSignals>, calls: readonly AnsweredRequest[]) {
  const recent = createRecentCalls();
  for (const call of calls) recent.note(call);
  const counts = { calls: 0, errors: 0, clientErrors: 0, perMinute: 0, errorsPerMinute: 0 };
  const signals: AdapterSignals = {
    ...{ name: 'nso1.example.com', state: 'RUNNING', connection: 'OFFLINE', breaker: 'closed' },
    ...{ suspended: null, cause: 'refused', causes: [], generalCause: 'refused' },
    ...{ traffic: { ...counts, p50Ms: null, p95Ms: null }, ...changes },
  };
  const problems = adapterIssuesOf([signals]).map((issue) => ({ ...issue, id: issue.key, since: 0 }));
  const [problem] = withHitCallers(problems, recent, NOW);
  return [problem?.hitCallers, problem?.hitCallersLeft];
}

describe('withHitCallers', () => {
  it('names the callers of failed calls, those with the most first', () => {
    assert.deepEqual(hit(failedCall('ada'), failedCall('ci'), failedCall('ci')), [['ci', 'ada'], 0]);
  });

  it('leaves out calls that worked, that are old, and of other adapters', () => {
    const others = [{ status: 200 }, { startedAt: NOW - 400_000 }, { adapter: 'nso2.example.com' }];
    assert.deepEqual(hit(...others.map((changes) => failedCall('ada', changes))), [[], 0]);
  });

  it('names the callers of rejected calls if the calls are rejected', () => {
    const counts = { calls: 50, errors: 0, clientErrors: 50, perMinute: 10, errorsPerMinute: 0 };
    const traffic = { ...counts, p50Ms: 1, p95Ms: 1 };
    const calls = [failedCall('ada', { status: 400 }), failedCall('ci')];
    assert.deepEqual(hitBy({ connection: 'ONLINE', cause: null, traffic }, calls), [['ada'], 0]);
  });

  it('uses the names of people, and keeps the same subject of two issuers apart', () => {
    const calls = ['a', 'b'].map((issuer) => failedCall('1', { issuer, callerName: `ada of ${issuer}` }));
    assert.deepEqual(hit(...calls), [['ada of a', 'ada of b'], 0]);
  });

  it('lists five callers and counts the others', () => {
    const names = Array.from({ length: 8 }, (_, at) => `caller${at}`);
    assert.deepEqual(hit(...names.map((name) => failedCall(name))), [names.slice(0, 5), 3]);
  });
});
