import assert from 'node:assert/strict';
import { createConnectionRecord, REPORTED_OFFLINE } from '../../../plugins/itential-adapter/connection.js';
import type { GenericOutcome } from '../../../plugins/itential-adapter/messages.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';

const failure = (icode: string, code?: number): GenericOutcome => ({
  kind: 'error',
  icode,
  message: 'no luck',
  ...(code !== undefined && { code }),
});
const NO_TEXT = { text: '', isJson: false };
const REPLY: GenericOutcome = { kind: 'response', icode: 'AD.200', headers: {}, body: NO_TEXT };

function setUp() {
  const { log, lines } = memoryLog();
  const scheduler = createFakeScheduler();
  return { ...createConnectionRecord(scheduler, log), lines, scheduler };
}

describe('the connection of a community adapter', () => {
  it('goes offline with a failed call, and online with a reply (bug: it stayed online)', () => {
    const { current, recordEvent, recordOutcome, lines } = setUp();
    recordEvent({ state: 'ONLINE' });
    recordOutcome(failure('AD.500', -1));
    recordOutcome(failure('AD.501'));
    assert.equal(current().state, 'OFFLINE');
    assert.equal(current().reason, 'the orchestrator does not answer: the adapter reports AD.500: no luck');
    recordOutcome(REPLY);
    assert.deepEqual([current().state, current().reason], ['ONLINE', undefined]);
    assert.equal(lines.length, 3);
  });

  it('stays online after one refused call, until the second in a row (bug: one 401 made it offline)', () => {
    const { current, recordEvent, recordOutcome } = setUp();
    recordEvent({ state: 'ONLINE' });
    recordOutcome(failure('AD.500', 401));
    recordOutcome(REPLY);
    recordOutcome(failure('AD.500', 401));
    recordOutcome(failure('AD.312'));
    assert.equal(current().state, 'ONLINE');
    recordOutcome(failure('AD.500', 401));
    const reason = 'the orchestrator refuses the credentials: the adapter reports AD.500: no luck';
    assert.equal(current().reason, reason);
    recordEvent({ state: 'ONLINE' });
    recordOutcome(failure('AD.500', 401));
    assert.equal(current().state, 'LOGIN_REFUSED');
    recordOutcome(REPLY);
    recordOutcome(failure('AD.500', 401));
    assert.equal(current().state, 'ONLINE');
  });

  it('is LOGIN_REFUSED with the first refused login, which concerns all calls (it said "offline")', () => {
    for (const code of [undefined, 401]) {
      const { current, recordEvent, recordOutcome } = setUp();
      recordOutcome(REPLY);
      recordOutcome(failure('AD.402', code));
      assert.equal(current().state, 'LOGIN_REFUSED');
      recordEvent({ state: 'OFFLINE', reason: REPORTED_OFFLINE });
      assert.equal(current().state, 'LOGIN_REFUSED', 'the report has no cause');
      recordEvent({ state: 'OFFLINE', reason: 'its worker ended' });
      assert.equal(current().state, 'OFFLINE');
    }
  });

  const outcomes: readonly (readonly [string, GenericOutcome, string])[] = [
    ['a refused login', failure('AD.402'), 'LOGIN_REFUSED'],
    ['a status of 401', failure('AD.500', 401), 'LOGIN_REFUSED'],
    ['a time-out', failure('AD.500', -2), 'OFFLINE'],
    ['a lost connection', failure('AD.502'), 'OFFLINE'],
    ['a status of 404', failure('AD.500', 404), 'ONLINE'],
    ['a status of 503', failure('AD.500', 503), 'ONLINE'],
    ['a failure of the adapter itself', failure('AD.312'), 'UNKNOWN'],
    ['a method with a reply', { kind: 'result', json: '{}', isReply: true }, 'ONLINE'],
    ['a method that sends nothing (bug: it was ONLINE)', { kind: 'result', json: '{}' }, 'UNKNOWN'],
    ['a path that the adapter cannot request', { kind: 'refused', message: 'too long' }, 'UNKNOWN'],
  ];
  it('has the state that follows from an outcome', () => {
    for (const [name, outcome, state] of outcomes) {
      const { current, recordOutcome } = setUp();
      recordOutcome(outcome);
      assert.equal(current().state, state, name);
    }
  });

  it('tells when it was last tried, by what, and when it last worked', () => {
    const { current, recordEvent, recordOutcome, scheduler } = setUp();
    const tried = () => [current().lastTriedAt, current().lastTriedBy, current().lastOkAt];
    const begin = scheduler.now();
    recordEvent({ state: 'OFFLINE', reason: 'not checked yet' });
    assert.deepEqual(tried(), [undefined, undefined, undefined]);
    recordEvent({ state: 'ONLINE' });
    assert.deepEqual(tried(), [begin, 'probe', begin]);
    void scheduler.pass(5_000);
    recordOutcome(failure('AD.500', -1));
    assert.deepEqual(tried(), [begin + 5_000, 'call', begin]);
  });
});
