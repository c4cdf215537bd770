import assert from 'node:assert/strict';
import type { Connection } from '../../../src/core/adapter.js';
import type { AdapterInstance, AdapterState } from '../../../src/core/snapshot.js';
import type { BreakerState } from '../../../src/features/console/monitoring.js';
import { createTimeline } from '../../../src/features/console/timeline.js';
import type { ActiveSnapshot } from '../../../src/server/state/snapshot.js';
import { column } from '../../support/columns.js';

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

function snapshotOf(
  adapters: Readonly<Record<string, AdapterInstance>>,
  restarts = 0,
  settings: unknown = {},
): ActiveSnapshot {
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
      { connection: 'LOGIN_REFUSED', breaker: 'closed' },
      { connection: 'ONLINE', breaker: 'closed' },
    ] as const) {
      current = next;
      const now = snapshotOf({ a: instance });
      assert.deepEqual([timeline.sample(now), timeline.sample(now)], [true, false]);
    }
    const seen = timeline.since(5).slice(2);
    assert.deepEqual(column(seen, 'kind'), [
      ...['offline', 'breaker-open', 'online', 'breaker-closed'],
      ...['login-refused', 'online'],
    ]);
    assert.equal(seen.at(-1)?.text, 'Orchestrator accepts the login again');
    assert.equal(seen[0]?.text, 'nobody there');
    assert.deepEqual(timeline.since(6), []);
  });

  it('names the methods of an OpenAPI document that changed', () => {
    const withMethods = (digests: Readonly<Record<string, string>>) => ({
      ...instanceOf({}),
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

describe('a reload of the main file', () => {
  const before = { log: { level: 'info', file: null }, egress: { allow: ['a:1'] }, server: { listen: ':1' } };
  const textsAfter = (settings: unknown): readonly string[] => {
    const timeline = createTimeline(snapshotOf({}, 0, before), { now: () => 5 });
    for (const next of [settings, settings]) timeline.sample(snapshotOf({}, 0, next));
    return timeline
      .since(0)
      .filter(({ kind }) => kind === 'reloaded')
      .map(({ text }) => text);
  };

  it('is an event that names the file and the changed keys, but no value (bug: the timeline had no event)', () => {
    const after = {
      ...before,
      log: { level: 'debug', file: null },
      egress: { allow: ['b:2'] },
      release: '1',
    };
    assert.deepEqual(textsAfter(after), [
      'Settings changed in gatehouse.yaml: egress.allow, log.level; from the next start: release',
    ]);
  });

  it('separates the keys that take effect at the next start', () => {
    assert.deepEqual(textsAfter({ ...before, server: { listen: ':2' } }), [
      'Settings changed in gatehouse.yaml: from the next start: server.listen',
    ]);
  });

  it('names at most eight keys', () => {
    const roles = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`r${at}`, at]));
    const [text] = textsAfter({ ...before, log: { ...before.log, ...roles } });
    assert.match(text ?? '', /log\.r7 and 2 more$/);
  });

  it('is no event if the settings are the same', () => {
    assert.deepEqual(textsAfter(structuredClone(before)), []);
  });
});
