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
  return {
    ...limits,
    clock,
    replace: (next: typeof rules) => (settings = settingsOf(next)),
    admits: (...call: Parameters<typeof limitedCall>) => {
      const admission = admitNow(limits.admit, limitedCall(...call));
      return admission?.refusal === undefined;
    },
    admission: (...call: Parameters<typeof limitedCall>) => admitNow(limits.admit, limitedCall(...call)),
  };
}

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

  it('counts only the callers that it names: by subject, name or client', () => {
    const { admits } = limitsOf({ one: { requests: 1, callerNames: ['robot-*', 'cli'] } });
    const caller = (more: object) => ({
      principal: { subject: 's', issuer: 'https://idp.test', roles: [], ...more },
    });
    assert.deepEqual([admits('ada'), admits('ada')], [true, true]);
    assert.deepEqual([admits('robot-1'), admits('robot-1'), admits('robot-2')], [true, false, true]);
    const named = caller({ subject: 'x1', name: 'robot-3' });
    assert.deepEqual([admits('', named), admits('', named)], [true, false]);
    const client = caller({ subject: 'x2', client: 'cli' });
    assert.deepEqual([admits('', client), admits('', client)], [true, false]);
    const stranger = { principal: undefined };
    assert.deepEqual([admits('', stranger), admits('', stranger)], [true, true]);
  });

  it('reports the limit, the rest and the time of the next call', () => {
    const { admission } = limitsOf({ scripts: { requests: 60, burst: 1 } });
    assert.deepEqual(admission()?.headers, {
      ratelimit: '"scripts";r=0;t=1',
      'ratelimit-policy': '"scripts";q=60;w=60',
    });
    const refusal = admission()?.refusal;
    assert.deepEqual(refusal, {
      limit: 'scripts',
      detail:
        'The limit "scripts" permits 60 calls in 60 s to each subject, 1 of them at once; try again in 1 s.',
      retryAfterSeconds: 1,
    });
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

  it('counts each subject of each issuer', () => {
    const { admits } = limitsOf({ scripts: { requests: 1 } });
    const other = { subject: 'ada', issuer: 'https://other.test', roles: [] };
    assert.deepEqual([admits('ada'), admits('ada'), admits('bob')], [true, false, true]);
    assert.ok(admits('ada', { principal: other }));
  });

  it('counts clients together, and tokens without a client by their subject', () => {
    const { admits } = limitsOf({ clients: { per: 'client', requests: 1 } });
    const of = (subject: string, client?: string) =>
      admits(subject, {
        principal: { subject, issuer: 'i', roles: [], ...(client !== undefined && { client }) },
      });
    assert.deepEqual([of('ada', 'portal'), of('bob', 'portal')], [true, false]);
    assert.deepEqual([of('ada'), of('ada'), of('bob')], [true, false, true]);
  });

  it('counts roles together', () => {
    const { admits } = limitsOf({ roles: { per: 'role', roles: ['robot'], requests: 1 } });
    const of = (subject: string, ...roles: readonly string[]) =>
      admits(subject, { principal: { subject, issuer: 'i', roles } });
    assert.deepEqual(
      [of('r1', 'robot'), of('r2', 'admin', 'robot'), of('ada', 'admin')],
      [true, false, true],
    );
  });

  it('counts IPv6 addresses by their network, and callers without a token by address', () => {
    const { admits } = limitsOf({ subjects: { requests: 1 } });
    const from = (address: string) => admits('', { principal: undefined, address });
    assert.deepEqual([from('2001:db8::1'), from('2001:db8::2'), from('192.0.2.7')], [true, false, true]);
  });

  it('counts only callers with the roles, operations and adapters of the limit', () => {
    const { admission } = limitsOf({
      robots: { requests: 9, roles: ['robot'], operations: ['orchestrator-manager.*'], adapters: ['lab-*'] },
    });
    const robot = { subject: 'r', issuer: 'i', roles: ['robot'] };
    assert.ok(admission('r', { principal: robot, adapter: 'lab-1' }));
    assert.equal(admission('r', { principal: robot, adapter: 'core1' }), undefined);
    assert.equal(admission('r', { principal: robot, adapter: '' }), undefined);
    assert.equal(admission('ada', { adapter: 'lab-1' }), undefined);
    assert.equal(
      admission('r', { principal: robot, adapter: 'lab-1', operations: ['tools.restCall'] }),
      undefined,
    );
  });

  it('counts operations that use a limited operation', () => {
    const { admission } = limitsOf({ q: { requests: 9, operations: ['orchestrator-manager.restQuery'] } });
    const operations = ['legacy.query', 'orchestrator-manager.restQuery'];
    assert.ok(admission('ada', { operations }));
  });

  it('limits operations of monitors only by their exact names', () => {
    const metrics = { operations: ['platform.getMetrics'], isMonitoring: true };
    assert.equal(limitsOf({ all: { requests: 1 } }).admission('ada', metrics), undefined);
    assert.equal(
      limitsOf({ all: { requests: 1, operations: ['platform.*'] } }).admission('ada', metrics),
      undefined,
    );
    assert.ok(
      limitsOf({ all: { requests: 1, operations: ['platform.getMetrics'] } }).admission('ada', metrics),
    );
  });

  it('does not apply a disabled limit', () => {
    assert.equal(limitsOf({ off: { requests: 1, enabled: false } }).admission(), undefined);
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

  it('stays small with 100,000 subjects', () => {
    const { admission, status } = limitsOf({ all: { requests: 10 } });
    for (let subject = 0; subject < 100_000; subject += 1) admission(`hostile-${subject}`)?.end();
    const callers = status().limits[0]?.callers ?? 0;
    assert.ok(callers >= 10_000 && callers <= 20_000, `${callers} callers`);
    assert.equal(status().callers.length, 50);
  });

  it('reports the callers that are nearest to a limit', () => {
    const { admission, admits, status } = limitsOf({ scripts: { requests: 4 } });
    for (let time = 0; time < 4; time += 1) admission('ada')?.end();
    admits('ada');
    admission('bob');
    const [first, second] = status().callers;
    assert.deepEqual(first, {
      limit: 'scripts',
      caller: 'ada',
      issuer: 'https://idp.test',
      remaining: 0,
      running: 0,
      refused: 1,
      usedPercent: 100,
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
