import assert from 'node:assert/strict';
import type { AdapterInstance } from '../../../src/core/snapshot.js';
import type { BaseUrlStatus, UpstreamStatus } from '../../../src/core/upstream.js';
import {
  createAdapterStats,
  type WorkerAdapterStats,
  adapterStatsOf,
} from '../../../src/server/cluster/worker-stats.js';

const baseUrlStatus = (breaker: BaseUrlStatus['breaker'], failures: number): BaseUrlStatus => ({
  url: 'http://one.test',
  breaker,
  waitMs: breaker === 'open' ? 500 : 0,
  failures,
  inFlight: 1,
});
const status = (count: number, breaker: BaseUrlStatus = baseUrlStatus('closed', 0)): UpstreamStatus => ({
  inFlight: count,
  waiting: count,
  refused: count,
  retries: count,
  logins: count,
  failedLogins: count,
  connections: count,
  idleConnections: count,
  connectionReuse: 'on',
  baseUrls: [breaker],
  current: 'http://one.test',
});
const workerStats = (reported: Partial<WorkerAdapterStats> = {}): WorkerAdapterStats => ({
  id: 'one',
  connection: { state: 'UNKNOWN', since: 0 },
  status: status(1),
  ...reported,
});

const mainInstance = {
  id: 'one',
  connection: () => ({ state: 'ONLINE', since: 5 }),
  upstreamStatus: () => status(10),
} as unknown as AdapterInstance;

describe('the aggregation of adapter statistics', () => {
  it('adds the counts of all processes and reports the worst breaker state', () => {
    const aggregate = createAdapterStats();
    aggregate.addWorker().report({ adapterStats: [workerStats()] });
    aggregate
      .addWorker()
      .report({ adapterStats: [workerStats({ status: status(2, baseUrlStatus('open', 4)) })] });
    const { inFlight, refused, connections, baseUrls } = aggregate.overall(mainInstance).upstreamStatus!();
    assert.deepEqual([inFlight, refused, connections], [13, 13, 13]);
    assert.deepEqual(baseUrls, [
      { url: 'http://one.test', breaker: 'open', waitMs: 500, failures: 4, inFlight: 3 },
    ]);
  });

  it('reports that a process has stopped the reuse of connections, until it leaves', () => {
    const aggregate = createAdapterStats();
    const reuse = () => aggregate.overall(mainInstance).upstreamStatus?.().connectionReuse;
    const worker = aggregate.addWorker();
    worker.report({ adapterStats: [workerStats({ status: { ...status(1), connectionReuse: 'stopped' } })] });
    aggregate.addWorker().report({ adapterStats: [workerStats()] });
    assert.equal(reuse(), 'stopped');
    worker.leave();
    assert.equal(reuse(), 'on');
  });

  it('reports the most recent connection state of any process', () => {
    const aggregate = createAdapterStats();
    const worker = aggregate.addWorker();
    const state = () => aggregate.overall(mainInstance).connection().state;
    worker.report({ adapterStats: [workerStats()] });
    assert.equal(state(), 'ONLINE');
    worker.report({ adapterStats: [workerStats({ connection: { state: 'OFFLINE', since: 6 } })] });
    assert.equal(state(), 'OFFLINE');
    worker.report({ adapterStats: [workerStats({ connection: { state: 'LOGIN_REFUSED', since: 7 } })] });
    assert.equal(state(), 'LOGIN_REFUSED');
  });

  it('keeps only the counters of a worker that has left', () => {
    const aggregate = createAdapterStats();
    const worker = aggregate.addWorker();
    worker.report({ adapterStats: [workerStats({ status: status(3, baseUrlStatus('open', 9)) })] });
    worker.leave();
    const { inFlight, retries, connections, baseUrls } = aggregate.overall(mainInstance).upstreamStatus!();
    assert.deepEqual([inFlight, retries, connections, baseUrls[0]?.breaker], [10, 13, 10, 'closed']);
  });

  it('ignores the reports of a worker that has left (bug: late reports of a killed worker were kept forever)', () => {
    const aggregate = createAdapterStats();
    const worker = aggregate.addWorker();
    worker.report({ adapterStats: [workerStats({ status: status(3) })] });
    worker.leave();
    worker.report({ adapterStats: [workerStats({ status: status(4, baseUrlStatus('open', 9)) })] });
    worker.leave();
    const { inFlight, retries, baseUrls } = aggregate.overall(mainInstance).upstreamStatus!();
    assert.deepEqual([inFlight, retries, baseUrls[0]?.breaker], [10, 13, 'closed']);
  });

  it('receives the statistics of each adapter as plain values', () => {
    const [reported] = adapterStatsOf({ adapters: new Map([['one', mainInstance]]) });
    assert.deepEqual(JSON.parse(JSON.stringify(reported)), {
      id: 'one',
      connection: { state: 'ONLINE', since: 5 },
      status: status(10),
    });
  });

  it('adds the spans of all processes, including those that have left, if spans are exported', () => {
    const aggregate = createAdapterStats();
    const [first, second] = [aggregate.addWorker(), aggregate.addWorker()];
    first.report({ adapterStats: [], spans: { exported: 5, dropped: 1 } });
    second.report({ adapterStats: [], spans: { exported: 7, dropped: 0 } });
    first.leave();
    second.report({ adapterStats: [], spans: { exported: 8, dropped: 2 } });
    assert.deepEqual(aggregate.allSpans({ exported: 1, dropped: 0 }), { exported: 14, dropped: 3 });
    assert.equal(aggregate.allSpans(undefined), undefined);
  });
});
