import assert from 'node:assert/strict';
import { createTimeline } from '../../../../src/api/services/monitoring/timeline.js';
import type { Connection } from '../../../../src/core/adapter.js';
import type { BreakerState } from '../../../../src/core/monitoring.js';
import type { AdapterInstance, AdapterState } from '../../../../src/core/snapshot.js';
import type { ActiveSnapshot } from '../../../../src/server/reload/active-snapshot.js';

/** State of an adapter at one observation, reduced to the members that the timeline uses. */
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

describe('createTimeline', () => {
  const clock = { now: () => 5 };

  /** Returns the kinds of the entries after a series of observations. */
  const kindsOf = (...observations: readonly ActiveSnapshot[]): readonly string[] => {
    const [first = snapshotOf({}), ...others] = observations;
    const timeline = createTimeline(first, clock);
    for (const observation of others) timeline.sample(observation);
    return timeline.since(0).map(({ adapter, kind }) => (adapter === null ? kind : `${adapter} ${kind}`));
  };

  it('starts with one entry and adds none while nothing changes', () => {
    const a = instanceOf({});
    assert.deepEqual(kindsOf(snapshotOf({ a }), snapshotOf({ a }), snapshotOf({ a })), ['started']);
  });

  it('records the state changes of an adapter', () => {
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

  it('records the connection changes of an orchestrator and the changes of its breaker', () => {
    let current: TimelineState = {};
    const timeline = createTimeline(snapshotOf({ a: instanceOf(current) }), clock);
    const instance = {
      state: () => instanceOf(current).state(),
      connection: () => instanceOf(current).connection(),
      upstreamStatus: () => instanceOf(current).upstreamStatus?.(),
    } as unknown as AdapterInstance;
    timeline.sample(snapshotOf({ a: instance }));
    for (const next of [
      { connection: 'OFFLINE' },
      { connection: 'OFFLINE', breaker: 'open' },
      { connection: 'OFFLINE', breaker: 'half-open' },
      { breaker: 'closed' },
    ] as const) {
      current = next;
      const now = snapshotOf({ a: instance });
      assert.deepEqual([timeline.sample(now), timeline.sample(now)], [true, false]);
    }
    const seen = timeline.since(5).slice(2);
    assert.deepEqual(
      seen.map(({ kind }) => kind),
      ['offline', 'breaker-open', 'online', 'breaker-closed'],
    );
    assert.equal(seen[0]?.text, 'nobody there');
    assert.deepEqual(timeline.since(6), []);
  });

  it('names the rotation of a secret that an adapter took up, once', () => {
    const timeline = createTimeline(snapshotOf({ a: instanceOf({}) }), clock);
    const rotationOf = () => ({ at: 3, from: 1, to: 2 });
    timeline.sample(snapshotOf({ a: instanceOf({}) }), rotationOf);
    timeline.sample(snapshotOf({ a: instanceOf({}) }), rotationOf);
    timeline.sample(snapshotOf({ a: instanceOf({}) }), () => ({ at: 4, from: null, to: null }));
    assert.deepEqual(
      timeline.since(0).map(({ kind, text }) => `${kind}: ${text}`),
      [
        'started: gatehouse started',
        'rotated: Secret rotated (v1 to v2)',
        'configured: Configuration changed',
        'rotated: Secret rotated',
      ],
    );
  });
});
