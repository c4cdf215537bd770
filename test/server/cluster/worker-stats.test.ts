import assert from 'node:assert/strict';
import type { AdapterInstance } from '../../../src/core/snapshot.js';
import type { BaseUrlStatus, UpstreamStatus } from '../../../src/core/upstream.js';
import {
  createAdapterStats,
  type WorkerAdapterStats,
  adapterStatsOf,
} from '../../../src/server/cluster/worker-stats.js';

const base = (breaker: BaseUrlStatus['breaker'], failures: number): BaseUrlStatus => ({
  url: 'http://one.test',
  breaker,
  failures,
  inFlight: 1,
});
const status = (count: number, breaker: BaseUrlStatus = base('closed', 0)): UpstreamStatus => ({
  inFlight: count,
  waiting: count,
  refused: count,
  retries: count,
  logins: count,
  failedLogins: count,
  connections: count,
  idleConnections: count,
  baseUrls: [breaker],
  current: 'http://one.test',
});
const standing = (told: Partial<WorkerAdapterStats> = {}): WorkerAdapterStats => ({
  id: 'one',
  connection: { state: 'UNKNOWN', since: 0 },
  status: status(1),
  ...told,
});

/** The instance of the main process. */
const own = {
  id: 'one',
  connection: () => ({ state: 'ONLINE', since: 5 }),
  upstreamStatus: () => status(10),
} as unknown as AdapterInstance;

describe('the aggregation of adapter statistics', () => {
  it('adds the counts of all processes and reports the worst breaker state', () => {
    const standings = createAdapterStats();
    standings.addWorker().report({ adapterStats: [standing()] });
    standings.addWorker().report({ adapterStats: [standing({ status: status(2, base('open', 4)) })] });
    const { inFlight, refused, connections, baseUrls } = standings.overall(own).upstreamStatus!();
    assert.deepEqual([inFlight, refused, connections], [13, 13, 13]);
    assert.deepEqual(baseUrls, [{ url: 'http://one.test', breaker: 'open', failures: 4, inFlight: 3 }]);
  });

  it('reports the most recent connection state of any process', () => {
    const standings = createAdapterStats();
    const worker = standings.addWorker();
    const state = () => standings.overall(own).connection().state;
    worker.report({ adapterStats: [standing()] });
    assert.equal(state(), 'ONLINE');
    worker.report({ adapterStats: [standing({ connection: { state: 'OFFLINE', since: 6 } })] });
    assert.equal(state(), 'OFFLINE');
  });

  it('keeps only the counters of a worker that has left', () => {
    const standings = createAdapterStats();
    const worker = standings.addWorker();
    worker.report({ adapterStats: [standing({ status: status(3, base('open', 9)) })] });
    worker.leave();
    const { inFlight, retries, connections, baseUrls } = standings.overall(own).upstreamStatus!();
    assert.deepEqual([inFlight, retries, connections, baseUrls[0]?.breaker], [10, 13, 10, 'closed']);
  });

  it('ignores the reports of a worker that has left (bug: late reports of a killed worker were kept forever)', () => {
    const standings = createAdapterStats();
    const worker = standings.addWorker();
    worker.report({ adapterStats: [standing({ status: status(3) })] });
    worker.leave();
    worker.report({ adapterStats: [standing({ status: status(4, base('open', 9)) })] });
    worker.leave();
    const { inFlight, retries, baseUrls } = standings.overall(own).upstreamStatus!();
    assert.deepEqual([inFlight, retries, baseUrls[0]?.breaker], [10, 13, 'closed']);
  });

  it('receives the statistics of each adapter as plain values', () => {
    const [told] = adapterStatsOf({ adapters: new Map([['one', own]]) });
    assert.deepEqual(JSON.parse(JSON.stringify(told)), {
      id: 'one',
      connection: { state: 'ONLINE', since: 5 },
      status: status(10),
    });
  });

  it('adds the spans of all processes, including those that have left, if spans are exported', () => {
    const standings = createAdapterStats();
    const [one, other] = [standings.addWorker(), standings.addWorker()];
    one.report({ adapterStats: [], spans: { exported: 5, dropped: 1 } });
    other.report({ adapterStats: [], spans: { exported: 7, dropped: 0 } });
    one.leave();
    other.report({ adapterStats: [], spans: { exported: 8, dropped: 2 } });
    assert.deepEqual(standings.allSpans({ exported: 1, dropped: 0 }), { exported: 14, dropped: 3 });
    assert.equal(standings.allSpans(undefined), undefined);
  });
});
