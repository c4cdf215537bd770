import assert from 'node:assert/strict';
import { createTimeline } from '../../../../src/api/services/monitoring/timeline.js';
import type { Connection } from '../../../../src/core/adapter.js';
import type { BreakerState } from '../../../../src/core/monitoring.js';
import type { AdapterInstance, AdapterState } from '../../../../src/core/snapshot.js';
import type { ActiveSnapshot } from '../../../../src/server/reload/active-snapshot.js';

/** State of an adapter at one observation, as far as marks depend on it. */
interface TimelineState {
  readonly state?: AdapterState;
  readonly connection?: Connection['state'];
  readonly breaker?: BreakerState;
  readonly restarts?: number;
}

function instanceOf({
  state = { name: 'RUNNING' },
  connection = 'ONLINE',
  breaker = 'closed',
}: TimelineState) {
  const status = { baseUrls: [{ url: 'http://127.0.0.1:9', breaker, failures: 0, inFlight: 0 }] };
  return {
    state: () => state,
    connection: () => ({ state: connection, since: 0, reason: 'nobody there' }),
    upstreamStatus: () => status,
  } as unknown as AdapterInstance;
}

function snapshotOf(adapters: Readonly<Record<string, AdapterInstance>>, restarts = 0): ActiveSnapshot {
  const ids = Object.keys(adapters);
  return {
    adapters: new Map(Object.entries(adapters)),
    desired: { adapters: ids.map((id) => ({ id, overrides: { restarts } })) },
  } as unknown as ActiveSnapshot;
}

describe('the marks', () => {
  const clock = { now: () => 5 };

  /** Returns the kinds of the marks after a series of observations. */
  const kindsOf = (...looks: readonly ActiveSnapshot[]): readonly string[] => {
    const [first = snapshotOf({}), ...others] = looks;
    const marks = createTimeline(first, clock);
    for (const look of others) marks.sample(look);
    return marks.since(0).map(({ adapter, kind }) => (adapter === null ? kind : `${adapter} ${kind}`));
  };

  it('begin with the start, and are none while nothing changes', () => {
    const a = instanceOf({});
    assert.deepEqual(kindsOf(snapshotOf({ a }), snapshotOf({ a }), snapshotOf({ a })), ['started']);
  });

  it('tell what became of an adapter', () => {
    const a = instanceOf({});
    const dead = instanceOf({ state: { name: 'DEAD', cause: 'fault', reason: 'x' } });
    assert.deepEqual(
      kindsOf(
        snapshotOf({ a }),
        snapshotOf({ a: instanceOf({}) }),
        snapshotOf({ a: instanceOf({}) }, 1),
        snapshotOf({ a: instanceOf({ state: { name: 'STOPPED' } }) }, 1),
        snapshotOf({ a: instanceOf({ state: { name: 'STARTING' } }) }, 1),
        snapshotOf({ a }, 1),
        snapshotOf({ a: dead }, 1),
        snapshotOf({}),
      ),
      ['started', ...['a configured', 'a restarted', 'a stopped', 'a started', 'a broken', 'a removed']],
    );
  });

  it('tell when an orchestrator goes and comes, and when its breaker opens and closes', () => {
    let standing: TimelineState = {};
    const marks = createTimeline(snapshotOf({ a: instanceOf(standing) }), clock);
    const instance = {
      state: () => instanceOf(standing).state(),
      connection: () => instanceOf(standing).connection(),
      upstreamStatus: () => instanceOf(standing).upstreamStatus?.(),
    } as unknown as AdapterInstance;
    marks.sample(snapshotOf({ a: instance }));
    for (const next of [
      { connection: 'OFFLINE' },
      { connection: 'OFFLINE', breaker: 'open' },
      { connection: 'OFFLINE', breaker: 'half-open' },
      { breaker: 'closed' },
    ] as const) {
      standing = next;
      const now = snapshotOf({ a: instance });
      assert.deepEqual([marks.sample(now), marks.sample(now)], [true, false]);
    }
    const seen = marks.since(5).slice(2);
    assert.deepEqual(
      seen.map(({ kind }) => kind),
      ['offline', 'breaker-open', 'online', 'breaker-closed'],
    );
    assert.equal(seen[0]?.text, 'nobody there');
    assert.deepEqual(marks.since(6), []);
  });
});
