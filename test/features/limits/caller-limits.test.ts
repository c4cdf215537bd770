import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LimitRule, LimitSettings } from '../../../src/core/limits.js';
import { createCallerLimits } from '../../../src/features/limits/caller-limits.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { admitNow, limitedCall, limitRule } from '../../support/limits.js';

/** Creates limits with a clock and replaceable settings. */
function limitsOf(rules: Readonly<Record<string, Partial<LimitRule>>>, maxCallers?: number) {
  const clock = createFakeScheduler();
  const settingsOf = (all: typeof rules): LimitSettings =>
    Object.fromEntries(Object.entries(all).map(([name, rule]) => [name, limitRule(rule)]));
  let settings = settingsOf(rules);
  const limits = createCallerLimits({
    clock,
    settings: () => settings,
    ...(maxCallers !== undefined && { maxCallers }),
  });
  const admission = (...call: Parameters<typeof limitedCall>) => admitNow(limits.admit, limitedCall(...call));
  return {
    ...limits,
    clock,
    admission,
    replace: (next: typeof rules) => (settings = settingsOf(next)),
    admits: (...call: Parameters<typeof limitedCall>) => admission(...call)?.refusal === undefined,
  };
}

const callerOf = (subject: string, more: object = {}) => ({
  principal: { subject, issuer: 'https://idp.test', roles: [], ...more },
});

describe('createCallerLimits', () => {
  it('admits a burst, and then one call for each part of the period', () => {
    const { admits, clock } = limitsOf({ scripts: { requests: 60, burst: 2 } });
    assert.deepEqual([admits(), admits(), admits()], [true, true, false]);
    clock.set(999);
    assert.equal(admits(), false);
    clock.set(1);
    assert.deepEqual([admits(), admits()], [true, false]);
  });

  it('never admits more than the burst and the rate permit', () => {
    const calls = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 200 });
    const rates = fc.record({
      requests: fc.integer({ min: 1, max: 200 }),
      burst: fc.integer({ min: 1, max: 50 }),
      periodSeconds: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(rates, calls, (rate, pauses) => {
        const { admits, clock } = limitsOf({ scripts: rate });
        const times = pauses.flatMap((pause) => {
          clock.set(pause);
          return admits() ? [clock.now()] : [];
        });
        for (const [from, start] of times.entries())
          for (const [to, end] of times.entries()) {
            if (to < from) continue;
            const permitted = rate.burst + ((end - start) / 1000) * (rate.requests / rate.periodSeconds);
            assert.ok(to - from + 1 <= permitted + 1e-6, `${to - from + 1} calls, ${permitted} permitted`);
          }
      }),
      { numRuns: 50 },
    );
  });

  it('reports the limit, the rest and the time of the next call', () => {
    const { admission } = limitsOf({ scripts: { requests: 60, burst: 1 } });
    const headers = { ratelimit: '"scripts";r=0;t=1', 'ratelimit-policy': '"scripts";q=60;w=60' };
    assert.deepEqual(admission()?.headers, headers);
    const detail =
      'The limit "scripts" permits 60 calls in 60 s to each subject, 1 of them at once; try again in 1 s.';
    assert.deepEqual(admission()?.refusal, { limit: 'scripts', detail, retryAfterSeconds: 1 });
  });

  it('limits concurrent calls until they end', () => {
    const { admission, admits } = limitsOf({ few: { concurrent: 2 } });
    const first = admission();
    assert.equal(first?.headers['ratelimit'], '"few-concurrent";r=1');
    assert.equal(first.headers['ratelimit-policy'], '"few-concurrent";q=2;qu="concurrent-requests"');
    assert.ok(admits());
    const refused = admission();
    assert.match(refused?.refusal?.detail ?? '', /permits 2 concurrent calls to each subject/);
    first.end();
    first.end();
    assert.deepEqual([admits(), admits()], [true, false]);
  });

  it('takes nothing from other limits if one refuses the call', () => {
    const { admission, admits, status } = limitsOf({
      all: { requests: 10 },
      one: { requests: 1, adapters: ['core1'] },
    });
    assert.ok(admits());
    assert.equal(admission()?.refusal?.limit, 'one');
    assert.equal(status().callers.find(({ limit }) => limit === 'all')?.remaining, 9);
    assert.ok(admits('ada', { adapter: 'core2' }));
  });

  const [ada, bob, r1, r2] = ['ada', 'bob', 'robot-1', 'robot-2'].map((subject) => callerOf(subject));
  const elsewhere = callerOf('ada', { issuer: 'https://other.test' });
  const [adaByPortal, bobByPortal] = ['ada', 'bob'].map((name) => callerOf(name, { client: 'portal' }));
  const [robot, admin] = ['robot', 'admin'].map((role) => callerOf(role, { roles: [role] }));
  const both = callerOf('both', { roles: ['admin', 'robot'] });
  const named = callerOf('x1', { name: 'robot-3' });
  const byCli = callerOf('x2', { client: 'cli' });
  const stranger = { principal: undefined };
  const from = (address: string) => ({ ...stranger, address });
  const [one, neighbor, another] = ['2001:db8::1', '2001:db8::2', '192.0.2.7'].map(from);
  const names = { callerNames: ['robot-*', 'cli'] };
  const COUNTED = [
    ['each subject of each issuer', {}, [ada, ada, bob, elsewhere], [true, false, true, true]],
    ['clients together', { per: 'client' }, [adaByPortal, bobByPortal], [true, false]],
    ['tokens without a client by their subject', { per: 'client' }, [ada, ada, bob], [true, false, true]],
    ['roles together', { per: 'role', roles: ['robot'] }, [robot, both, admin], [true, false, true]],
    ['strangers by address, IPv6 by its network', {}, [one, neighbor, another], [true, false, true]],
    ['only the callers that it names, by subject', names, [ada, ada, r1, r1, r2], [true, true, true, false, true]],
    ['only the callers that it names, by name', names, [named, named], [true, false]],
    ['only the callers that it names, by client', names, [byCli, byCli], [true, false]],
    ['no strangers if it names callers', names, [stranger, stranger], [true, true]],
  ] as const; // prettier-ignore
  for (const [title, rule, calls, expected] of COUNTED)
    it(`counts ${title}`, () => {
      const { admits } = limitsOf({ one: { requests: 1, ...rule } });
      assert.deepEqual(calls.map((call) => admits('', call)), expected); // prettier-ignore
    });

  const lab = { roles: ['robot'], operations: ['orchestrator-manager.*'], adapters: ['lab-*'] };
  const query = { operations: ['orchestrator-manager.restQuery'] };
  const legacy = { operations: ['legacy.query', ...query.operations] };
  const metrics = { operations: ['platform.getMetrics'], isMonitoring: true };
  const atLab = { ...robot, adapter: 'lab-1' };
  const LIMITED = [
    ['limits the callers, operations and adapters that it names', lab, atLab, true],
    ['does not limit other adapters', lab, { ...robot, adapter: 'core1' }, false],
    ['does not limit calls without an adapter', lab, { ...robot, adapter: '' }, false],
    ['does not limit other callers', lab, { adapter: 'lab-1' }, false],
    ['does not limit other operations', lab, { ...atLab, operations: ['tools.restCall'] }, false],
    ['limits operations that use a limited one', query, legacy, true],
    ['does not limit operations of monitors', {}, metrics, false],
    ['does not limit operations of monitors by a pattern', { operations: ['platform.*'] }, metrics, false],
    ['limits operations of monitors by their names', { operations: ['platform.getMetrics'] }, metrics, true],
    ['does not apply if it is disabled', { enabled: false }, {}, false],
  ] as const; // prettier-ignore
  for (const [title, rule, call, isLimited] of LIMITED)
    it(title, () => {
      const admission = limitsOf({ one: { requests: 9, ...rule } }).admission('ada', call);
      assert.equal(admission !== undefined, isLimited);
    });

  it('keeps the counts of unchanged limits when others change', () => {
    const { admits, replace } = limitsOf({
      kept: { requests: 1, operations: ['*'] },
      other: { requests: 5 },
    });
    assert.ok(admits());
    replace({ kept: { requests: 1, operations: ['*'] }, other: { requests: 50 }, third: { requests: 9 } });
    assert.equal(admits(), false);
    replace({ kept: { requests: 2, operations: ['*'] } });
    assert.ok(admits());
  });

  it('keeps a limited number of callers, and those whose calls run', () => {
    const { admission, admits, status } = limitsOf({ all: { requests: 2, concurrent: 1 } }, 100);
    const running = admission('runs');
    for (let subject = 0; subject < 1_000; subject += 1) admission(`s${subject}`)?.end();
    assert.ok((status().limits[0]?.callers ?? 0) <= 101);
    assert.equal(status().callers.length, 50);
    assert.equal(admits('runs'), false);
    running?.end();
    assert.ok(admits('runs'));
  });

  it('removes callers who are as good as new', () => {
    const { admission, clock, status } = limitsOf({ all: { requests: 60 } });
    for (let subject = 0; subject < 100; subject += 1) admission(`s${subject}`)?.end();
    const running = admission('runs');
    for (const subject of ['t1', 't2', 't3']) {
      clock.set(60_000);
      admission(subject)?.end();
    }
    assert.equal(status().limits[0]?.callers, 3);
    running?.end();
  });

  it('reports the callers that are nearest to a limit', () => {
    const { admission, admits, status } = limitsOf({ scripts: { requests: 4 } });
    for (let time = 0; time < 4; time += 1) admission('ada')?.end();
    admits('ada');
    admission('bob');
    const [first, second] = status().callers;
    assert.deepEqual(first, {
      ...{ limit: 'scripts', caller: 'ada', issuer: 'https://idp.test' },
      ...{ remaining: 0, running: 0, refused: 1, usedPercent: 100 },
    });
    assert.deepEqual([second?.caller, second?.usedPercent, second?.running], ['bob', 25, 1]);
  });

  it('counts refusals in metrics, by limit and reason', () => {
    const { admission, metrics } = limitsOf({ scripts: { requests: 9, concurrent: 1 } });
    admission();
    admission();
    const [refused, callers] = metrics();
    assert.deepEqual(refused && 'samples' in refused && refused.samples, [
      { labels: { limit: 'scripts', reason: 'rate' }, value: 0 },
      { labels: { limit: 'scripts', reason: 'concurrent' }, value: 1 },
    ]);
    assert.equal(callers?.name, 'gatehouse_limit_callers');
    assert.deepEqual(limitsOf({}).metrics(), []);
  });
});
