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
  ...{ operation: OPERATION, stage: 'deprecated', use: 'Use GET /adapters instead.', address: '192.0.2.1' },
  ...{ principal: { subject, issuer: 'idp', roles: [], expiresAt: 0 }, ...more },
});

function openCounter() {
  const clock = createFakeScheduler();
  const { log, lines } = memoryLog();
  const counter = createCallCounter({ clock, log });
  const record = (...subjects: readonly string[]): void => {
    for (const subject of subjects) counter.record(callOf(subject));
  };
  return { clock, lines, counter, record };
}

describe('createCallCounter', () => {
  it('logs each caller of a deprecated operation once an hour, with the replacement', async () => {
    const { clock, lines, record } = openCounter();
    record('ada');
    await clock.pass(HOUR - 1);
    record('ada');
    const fields = { operation: OPERATION, stage: 'deprecated', caller: 'ada', use: callOf('').use };
    assert.deepEqual(lines, [{ level: 'warn', message: 'client called a deprecated operation', fields }]);
    await clock.pass(1);
    record('ada');
    assert.equal(lines.length, 2);
  });

  it('logs a line for each caller, issuer and operation', () => {
    const { lines, counter, record } = openCounter();
    record('ada', 'bob');
    counter.record(
      callOf('ada', { principal: { subject: 'ada', issuer: 'other', roles: [], expiresAt: 0 } }),
    );
    counter.record(callOf('ada', { operation: 'deprecations.getProviders' }));
    counter.record({ operation: 'deprecations.isAlive', stage: 'removed', use: '', address: '192.0.2.7' });
    const callers = lines.map(({ fields }) => fields['caller']);
    assert.deepEqual(callers, ['ada', 'bob', 'ada', 'ada', '192.0.2.7']);
  });

  it('continues to log after the clock is set back', () => {
    const { clock, lines, record } = openCounter();
    record('ada');
    clock.set(-2 * HOUR);
    record('ada');
    assert.equal(lines.length, 2);
  });

  it('counts calls and lists the callers with the most calls first', async () => {
    const { clock, counter, record } = openCounter();
    const start = clock.now();
    assert.equal(counter.callsOf(OPERATION), 0);
    record('ada');
    await clock.pass(5);
    record('bob', 'bob');
    assert.equal(counter.callsOf(OPERATION), 3);
    assert.deepEqual(counter.callers(), [
      { operation: OPERATION, caller: 'bob', issuer: 'idp', calls: 2, lastCall: start + 5 },
      { operation: OPERATION, caller: 'ada', issuer: 'idp', calls: 1, lastCall: start },
    ]);
  });

  it('keeps the most recent callers up to its limit', () => {
    const { counter, record } = openCounter();
    for (let at = 0; at < MAX_COUNTED_CALLERS; at += 1) record(`c${at}`);
    record('c0', 'late');
    const known = counter.callers().map(({ caller }) => caller);
    assert.equal(known.length, MAX_COUNTED_CALLERS);
    const found = ['c0', 'c1', 'late'].map((name) => known.includes(name));
    assert.deepEqual(found, [true, false, true]);
    assert.equal(counter.callsOf(OPERATION), MAX_COUNTED_CALLERS + 2);
  });

  it('provides a metric by operation and stage that is 0 before the first call', () => {
    const { counter, record } = openCounter();
    record('ada');
    const at = (release: string) => deprecatedCallsMetric(counter, release).samples;
    const alive = { operation: 'deprecations.isAlive' };
    assert.deepEqual(at('2020.1'), [{ labels: { ...alive, stage: 'deprecated' }, value: 0 }]);
    const samples = at('2021.1');
    assert.equal(samples.length, 35);
    assert.deepEqual(samples[0], { labels: { ...alive, stage: 'removed' }, value: 0 });
    const labels = { operation: OPERATION, stage: 'deprecated' };
    assert.deepEqual(samples.filter(({ value }) => value === 1), [{ labels, value: 1 }]); // prettier-ignore
  });
});
