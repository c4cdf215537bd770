import assert from 'node:assert/strict';
import { liftedLimits } from './floods/lifted-limits.js';
import { FLOODS } from './floods/list.js';
import { measureFloods } from './floods/measure-all.js';
import {
  availabilityOf,
  longestStop,
  missingService,
  type ProbeKind,
  recoveryMs,
  type Sample,
  stopLimitMs,
  untrueReadinessMs,
} from './floods/observation.js';

const sample = (kind: ProbeKind, at: number, { status = 200, ms = 2 } = {}): Sample => ({
  kind,
  at,
  status,
  ms,
  ownMs: ms,
});

describe('the observer of a flood', () => {
  it('finds the part of the requests that succeed, by what was asked', () => {
    const samples = [
      sample('call', 0),
      sample('call', 250, { status: 503 }),
      sample('health', 0),
      sample('ready', 0, { status: 503 }),
    ];
    assert.deepEqual(availabilityOf(samples), { health: 1, calls: 0.5, logins: 1 });
  });

  it('lets one call fail, or a part of them, and no health check', () => {
    const least = { health: 1, calls: 0.95, logins: 0.9 };
    const failed = (kind: ProbeKind): Sample => sample(kind, 0, { status: 503 });
    const good = Array.from({ length: 40 }, (_, at) => sample('call', at));
    assert.deepEqual(missingService([sample('call', 0), failed('call')], least), []);
    assert.deepEqual(missingService([...good, failed('call'), failed('call')], least), []);
    assert.deepEqual(missingService([failed('call'), failed('call'), failed('health')], least), [
      'health',
      'calls',
    ]);
  });

  it('measures stops by the light request alone', () => {
    const samples = [sample('ready', 0, { ms: 70.04 }), sample('login', 0, { ms: 400 })];
    assert.deepEqual(longestStop(samples), { ownMs: 70, wallMs: 70 });
  });

  it('finds how long others fail after a flood', () => {
    const samples = [
      sample('call', 90, { status: 503 }),
      sample('call', 110, { status: 503, ms: 40 }),
      sample('call', 400),
    ];
    assert.equal(recoveryMs(samples, 100), 50);
    assert.equal(recoveryMs(samples, 200), 0);
  });

  it('finds calls that fail while readiness says 200', () => {
    const refused = [0, 250, 500].map((at) => sample('call', at, { status: 503, ms: 10 }));
    assert.equal(untrueReadinessMs([...refused, sample('ready', 100)]), 510);
    assert.equal(untrueReadinessMs([...refused, sample('ready', 5, { status: 503 })]), 0);
    assert.equal(untrueReadinessMs([sample('call', 0), sample('ready', 0)]), 0);
  });

  it('lets the limit of stops grow with the stops without a flood', () => {
    assert.equal(stopLimitMs({ ownMs: 0, wallMs: 0 }), 50);
    assert.equal(stopLimitMs({ ownMs: 20, wallMs: 90 }), 70);
  });
});

describe('floods in short', function () {
  this.timeout(120_000);

  const names = ['unfinished-bodies', 'anonymous-records', 'wrong-passwords'];

  it('are names of floods, each with its finding', () => {
    for (const name of names) assert.ok(Object.hasOwn(FLOODS, name), name);
    for (const { finding } of Object.values(FLOODS)) assert.match(finding, /^F\d+$/);
  });

  it('leave the service to others', async () => {
    const { holds, figures } = await measureFloods({ names, part: 0.1, isLifted: false });
    assert.ok(holds, JSON.stringify(figures));
  });

  it('take the service from others when the limits are lifted (control)', async () => {
    assert.equal(liftedLimits().server['overload'], null);
    const { holds } = await measureFloods({ names: ['endless-replies'], part: 0.1, isLifted: true });
    assert.equal(holds, false);
  });
});
