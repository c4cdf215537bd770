import assert from 'node:assert/strict';
import { deprecatedCallsMetric } from '../../../src/api/legacy/get-deprecations.js';
import {
  MAX_COUNTED_CALLERS,
  createCallCounter,
  type DeprecatedCall,
} from '../../../src/api/legacy/call-counter.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';

const HOUR = 3_600_000;

const by = (subject: string, more: Partial<DeprecatedCall> = {}): DeprecatedCall => ({
  operation: 'deprecations.getServiceConfigs',
  stage: 'deprecated',
  use: 'Use GET /adapters instead.',
  address: '192.0.2.1',
  principal: { subject, issuer: 'idp', roles: [], expiresAt: 0 },
  ...more,
});

function openTally() {
  const clock = createFakeScheduler();
  const { log, lines } = memoryLog();
  return { clock, lines, tally: createCallCounter({ clock, log }) };
}

describe('the tally of deprecated calls', () => {
  it('says once an hour who calls what, and what to use instead', async () => {
    const { clock, lines, tally } = openTally();
    tally.record(by('ada'));
    await clock.pass(HOUR - 1);
    tally.record(by('ada'));
    assert.deepEqual(
      lines.map(({ level, message, fields }) => ({ level, message, ...fields })),
      [
        {
          level: 'warn',
          message: 'client called a deprecated operation',
          operation: 'deprecations.getServiceConfigs',
          stage: 'deprecated',
          caller: 'ada',
          use: 'Use GET /adapters instead.',
        },
      ],
    );
    await clock.pass(1);
    tally.record(by('ada'));
    assert.equal(lines.length, 2);
  });

  it('has a line for each caller, each issuer and each operation', () => {
    const { lines, tally } = openTally();
    tally.record(by('ada'));
    tally.record(by('bob'));
    tally.record(by('ada', { principal: { subject: 'ada', issuer: 'other', roles: [], expiresAt: 0 } }));
    tally.record(by('ada', { operation: 'deprecations.getProviders' }));
    tally.record({ operation: 'deprecations.isAlive', stage: 'removed', use: '', address: '192.0.2.7' });
    assert.deepEqual(
      lines.map(({ fields }) => fields['caller']),
      ['ada', 'bob', 'ada', 'ada', '192.0.2.7'],
    );
  });

  it('goes on when the clock is set back', async () => {
    const { clock, lines, tally } = openTally();
    tally.record(by('ada'));
    await clock.pass(-2 * HOUR);
    tally.record(by('ada'));
    assert.equal(lines.length, 2);
  });

  it('counts calls, and tells who makes most of them', async () => {
    const { clock, tally } = openTally();
    const start = clock.now();
    assert.equal(tally.countOf('deprecations.getServiceConfigs'), undefined);
    tally.record(by('ada'));
    await clock.pass(5);
    for (const subject of ['bob', 'bob']) tally.record(by(subject));
    assert.deepEqual(tally.countOf('deprecations.getServiceConfigs'), { calls: 3, lastCall: start + 5 });
    assert.deepEqual(tally.callersOf('deprecations.getServiceConfigs'), [
      { caller: 'bob', issuer: 'idp', calls: 2, lastCall: start + 5 },
      { caller: 'ada', issuer: 'idp', calls: 1, lastCall: start },
    ]);
    assert.deepEqual(tally.callersOf('deprecations.getProviders'), []);
  });

  it('remembers so many callers and no more, the latest ones', () => {
    const { tally } = openTally();
    for (let at = 0; at < MAX_COUNTED_CALLERS; at += 1) tally.record(by(`c${at}`));
    tally.record(by('c0'));
    tally.record(by('late'));
    const known = tally.callersOf('deprecations.getServiceConfigs').map(({ caller }) => caller);
    assert.equal(known.length, MAX_COUNTED_CALLERS);
    assert.deepEqual(
      [known.includes('c0'), known.includes('c1'), known.includes('late')],
      [true, false, true],
    );
    assert.equal(tally.countOf('deprecations.getServiceConfigs')?.calls, MAX_COUNTED_CALLERS + 2);
  });

  it('is measured by operation and stage, at 0 before the first call', () => {
    const { tally } = openTally();
    tally.record(by('ada'));
    const at = (release: string) =>
      deprecatedCallsMetric(tally, release).samples.map(({ labels, value }) => [
        labels['operation'],
        labels['stage'],
        value,
      ]);
    assert.deepEqual(at('2020.1'), [['deprecations.isAlive', 'deprecated', 0]]);
    const samples = at('2021.1');
    assert.equal(samples.length, 35);
    assert.deepEqual(samples[0], ['deprecations.isAlive', 'removed', 0]);
    assert.deepEqual(
      samples.filter(([, , value]) => value === 1),
      [['deprecations.getServiceConfigs', 'deprecated', 1]],
    );
  });
});
