import assert from 'node:assert/strict';
import {
  MAX_COUNTED_CALLERS,
  createCallCounter,
  type DeprecatedCall,
} from '../../../src/features/legacy/call-counter.js';
import { deprecatedCallsMetric } from '../../../src/features/legacy/get-deprecations.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';

const HOUR = 3_600_000;
const OPERATION = 'deprecations.getServiceConfigs';

const callOf = (subject: string, more: Partial<DeprecatedCall> = {}): DeprecatedCall => ({
  operation: 'deprecations.getServiceConfigs',
  stage: 'deprecated',
  use: 'Use GET /adapters instead.',
  address: '192.0.2.1',
  principal: { subject, issuer: 'idp', roles: [], expiresAt: 0 },
  ...more,
});

function openCounter() {
  const clock = createFakeScheduler();
  const { log, lines } = memoryLog();
  return { clock, lines, counter: createCallCounter({ clock, log }) };
}

describe('createCallCounter', () => {
  it('logs each caller of a deprecated operation once an hour, with the replacement', async () => {
    const { clock, lines, counter } = openCounter();
    counter.record(callOf('ada'));
    await clock.pass(HOUR - 1);
    counter.record(callOf('ada'));
    const operation = 'deprecations.getServiceConfigs';
    assert.deepEqual(lines, [
      {
        level: 'warn',
        message: 'client called a deprecated operation',
        fields: { operation, stage: 'deprecated', caller: 'ada', use: 'Use GET /adapters instead.' },
      },
    ]);
    await clock.pass(1);
    counter.record(callOf('ada'));
    assert.equal(lines.length, 2);
  });

  it('logs a line for each caller, issuer and operation', () => {
    const { lines, counter } = openCounter();
    counter.record(callOf('ada'));
    counter.record(callOf('bob'));
    const principal = { subject: 'ada', issuer: 'other', roles: [], expiresAt: 0 };
    counter.record(callOf('ada', { principal }));
    counter.record(callOf('ada', { operation: 'deprecations.getProviders' }));
    counter.record({ operation: 'deprecations.isAlive', stage: 'removed', use: '', address: '192.0.2.7' });
    assert.deepEqual(
      lines.map(({ fields }) => fields['caller']),
      ['ada', 'bob', 'ada', 'ada', '192.0.2.7'],
    );
  });

  it('continues to log after the clock is set back', () => {
    const { clock, lines, counter } = openCounter();
    counter.record(callOf('ada'));
    clock.set(-2 * HOUR);
    counter.record(callOf('ada'));
    assert.equal(lines.length, 2);
  });

  it('counts calls and lists the callers with the most calls first', async () => {
    const { clock, counter } = openCounter();
    const start = clock.now();
    assert.equal(counter.callsOf(OPERATION), 0);
    counter.record(callOf('ada'));
    await clock.pass(5);
    for (const subject of ['bob', 'bob']) counter.record(callOf(subject));
    assert.equal(counter.callsOf(OPERATION), 3);
    assert.deepEqual(counter.callers(), [
      { operation: OPERATION, caller: 'bob', issuer: 'idp', calls: 2, lastCall: start + 5 },
      { operation: OPERATION, caller: 'ada', issuer: 'idp', calls: 1, lastCall: start },
    ]);
  });

  it('keeps the most recent callers up to its limit', () => {
    const { counter } = openCounter();
    for (let at = 0; at < MAX_COUNTED_CALLERS; at += 1) counter.record(callOf(`c${at}`));
    counter.record(callOf('c0'));
    counter.record(callOf('late'));
    const known = counter.callers().map(({ caller }) => caller);
    assert.equal(known.length, MAX_COUNTED_CALLERS);
    const found = ['c0', 'c1', 'late'].map((name) => known.includes(name));
    assert.deepEqual(found, [true, false, true]);
    assert.equal(counter.callsOf(OPERATION), MAX_COUNTED_CALLERS + 2);
  });

  it('provides a metric by operation and stage that is 0 before the first call', () => {
    const { counter } = openCounter();
    counter.record(callOf('ada'));
    const at = (release: string) =>
      deprecatedCallsMetric(counter, release).samples.map(({ labels, value }) => [
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
