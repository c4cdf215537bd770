import assert from 'node:assert/strict';
import type { Connection } from '../../../src/core/adapter.js';
import type { AdapterInstance, AdapterState } from '../../../src/core/snapshot.js';
import type { BreakerState } from '../../../src/features/console/monitoring.js';
import { createTimeline } from '../../../src/features/console/timeline.js';
import type { ActiveSnapshot } from '../../../src/server/state/snapshot.js';
import { column, columns } from '../../support/columns.js';

/** State of an adapter, reduced to the members that the timeline uses. */
interface TimelineState {
  state?: AdapterState;
  connection?: Connection['state'];
  breaker?: BreakerState;
}

/** Returns an instance, which changes its state when the test changes the object. */
function instanceOf(now: TimelineState = {}) {
  return {
    state: () => now.state ?? { name: 'RUNNING' },
    connection: () => ({ state: now.connection ?? 'ONLINE', since: 0, reason: 'nobody there' }),
    upstreamStatus: () => {
      const { breaker = 'closed' } = now;
      return { baseUrls: [{ url: 'http://127.0.0.1:9', breaker, failures: 0, inFlight: 0 }] };
    },
  } as unknown as AdapterInstance;
}

type Instances = Readonly<Record<string, AdapterInstance>>;

function snapshotOf(adapters: Instances, restarts = 0, settings: unknown = {}): ActiveSnapshot {
  const ids = Object.keys(adapters);
  const main = { written: { value: settings, document: { file: '/etc/gatehouse/gatehouse.yaml' } } };
  return {
    adapters: new Map(Object.entries(adapters)),
    desired: { main, files: { main }, adapters: ids.map((id) => ({ id, overrides: { restarts } })) },
  } as unknown as ActiveSnapshot;
}

describe('createTimeline', () => {
  const clock = { now: () => 5 };

  const kindsOf = (...observations: readonly ActiveSnapshot[]): readonly string[] => {
    const [first = snapshotOf({}), ...others] = observations;
    const timeline = createTimeline(first, clock);
    for (const observation of others) timeline.sample(observation);
    return timeline.since(0).map(({ adapter, kind }) => (adapter === null ? kind : `${adapter} ${kind}`));
  };

  it('starts with one entry and adds none while nothing changes', () => {
    const a = instanceOf();
    assert.deepEqual(kindsOf(snapshotOf({ a }), snapshotOf({ a }), snapshotOf({ a })), ['started']);
  });

  it('records the state changes of an adapter', () => {
    const a = instanceOf();
    const dead = instanceOf({ state: { name: 'DEAD', cause: 'fault', reason: 'x' } });
    assert.deepEqual(
      kindsOf(
        snapshotOf({ a }),
        snapshotOf({ a: instanceOf() }),
        snapshotOf({ a: instanceOf() }, 1),
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
    const state: TimelineState = {};
    const now = snapshotOf({ a: instanceOf(state) });
    const timeline = createTimeline(now, clock);
    for (const next of [
      { connection: 'OFFLINE' },
      { breaker: 'open' },
      { breaker: 'half-open' },
      { connection: 'ONLINE', breaker: 'closed' },
      { connection: 'LOGIN_REFUSED' },
      { connection: 'ONLINE' },
    ] as const) {
      Object.assign(state, next);
      assert.deepEqual([timeline.sample(now), timeline.sample(now)], [true, false]);
    }
    const seen = timeline.since(5).slice(1);
    const kinds = ['offline', 'breaker-open', 'online', 'breaker-closed', 'login-refused', 'online'];
    assert.deepEqual(column(seen, 'kind'), kinds);
    assert.equal(seen.at(-1)?.text, 'Orchestrator accepts the login again');
    assert.equal(seen[0]?.text, 'nobody there');
    assert.deepEqual(timeline.since(6), []);
  });

  it('names the methods of an OpenAPI document that changed', () => {
    const withMethods = (digests: Readonly<Record<string, string>>) => ({
      ...instanceOf(),
      methodDigests: new Map(Object.entries(digests)),
    });
    const timeline = createTimeline(snapshotOf({ a: withMethods({ get: '1', put: '1', old: '1' }) }), clock);
    timeline.sample(snapshotOf({ a: withMethods({ get: '1', put: '2', add: '1' }) }));
    timeline.sample(snapshotOf({ a: withMethods({ get: '1', put: '2', add: '1' }) }));
    assert.deepEqual(column(timeline.since(0), 'text').slice(1), [
      'Configuration changed; methods: 1 added (add); 1 removed (old); 1 changed (put)',
      'Configuration changed',
    ]);
  });

  it('names the rotation of a secret that an adapter took up, once', () => {
    const timeline = createTimeline(snapshotOf({ a: instanceOf() }), clock);
    const rotationOf = () => ({ at: 3, from: 1, to: 2 });
    timeline.sample(snapshotOf({ a: instanceOf() }), rotationOf);
    timeline.sample(snapshotOf({ a: instanceOf() }), rotationOf);
    timeline.sample(snapshotOf({ a: instanceOf() }), () => ({ at: 4, from: null, to: null }));
    assert.deepEqual(columns(timeline.since(0), 'kind', 'text'), [
      ['started', 'gatehouse started'],
      ['rotated', 'Secret rotated (v1 to v2)'],
      ['configured', 'Configuration changed'],
      ['rotated', 'Secret rotated'],
    ]);
  });
});

describe('a reload of the main file', () => {
  const CHANGED = 'Settings changed in gatehouse.yaml';
  const before = { log: { level: 'info', file: null }, egress: { allow: ['a:1'] }, server: { listen: ':1' } };
  const textsAfter = (settings: unknown): readonly string[] => {
    const timeline = createTimeline(snapshotOf({}, 0, before), { now: () => 5 });
    for (const next of [settings, settings]) timeline.sample(snapshotOf({}, 0, next));
    return column(timeline.since(0).filter(({ kind }) => kind === 'reloaded'), 'text'); // prettier-ignore
  };

  it('is an event that names the file and the changed keys, but no value (bug: the timeline had no event)', () => {
    const [log, egress] = [{ level: 'debug', file: null }, { allow: ['b:2'] }];
    for (const [settings, ...texts] of [
      [{ ...before, log, egress, release: '1' }, 'egress.allow, log.level; from the next start: release'],
      [{ ...before, server: { listen: ':2' } }, 'from the next start: server.listen'],
      [structuredClone(before)],
    ] as const)
      assert.deepEqual(textsAfter(settings), texts.map((keys) => `${CHANGED}: ${keys}`)); // prettier-ignore
  });

  it('names at most eight keys', () => {
    const roles = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`r${at}`, at]));
    const [text] = textsAfter({ ...before, log: { ...before.log, ...roles } });
    assert.match(text ?? '', /log\.r7 and 2 more$/);
  });
});
