import assert from 'node:assert/strict';
import { type CallCounter, createCallCounter } from '../../../src/features/legacy/call-counter.js';
import {
  type DeprecatedCallHistory,
  openDeprecatedCallHistory,
} from '../../../src/features/legacy/deprecated-call-history.js';
import type { DeprecatedCallStore } from '../../../src/features/legacy/deprecated-calls.js';
import { openStore } from '../../../src/features/open-store.js';
import type { Store } from '../../../src/features/store.js';
import { column, columns } from '../../support/columns.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';

const OPERATION = 'deprecations.getProviders';

describe('openDeprecatedCallHistory', () => {
  let store: Store;
  let clock: FakeScheduler;
  let counter: CallCounter;
  let history: DeprecatedCallHistory;
  let isBroken: boolean;
  let lines: ReturnType<typeof memoryLog>['lines'];

  const breakable = ({ add, list }: DeprecatedCallStore): DeprecatedCallStore => {
    const failure = (): Promise<never> => Promise.reject(new Error('the store does not answer'));
    return {
      add: (counts, now) => (isBroken ? failure() : add(counts, now)),
      list: (now) => (isBroken ? failure() : list(now)),
    };
  };
  const openProcess = (): void => {
    const { log, lines: logged } = memoryLog();
    lines = logged;
    counter = createCallCounter({ clock, log });
    const deprecatedCalls = breakable(store.deprecatedCalls);
    history = openDeprecatedCallHistory({ counter, store: { deprecatedCalls }, clock, log });
  };
  const call = (subject = 'ada'): void => {
    const principal = { subject, issuer: 'idp', roles: [], expiresAt: 0 };
    counter.record({ operation: OPERATION, stage: 'removed', use: '', address: '192.0.2.1', principal });
  };
  const counted = async () => columns(await history.read(), 'caller', 'calls');

  beforeEach(async () => {
    store = await openStore('sqlite::memory:');
    clock = createFakeScheduler(Date.UTC(2026, 0, 1));
    isBroken = false;
    openProcess();
  });
  afterEach(async () => {
    history.close();
    await store.close();
  });

  it('counts on after a restart, each call once', async () => {
    call();
    call();
    assert.deepEqual(await counted(), [['ada', 2]]);
    await history.save();
    history.close();
    openProcess();
    call();
    call('bob');
    await clock.pass(60_000);
    assert.deepEqual(await counted(), [
      ['ada', 3],
      ['bob', 1],
    ]);
  });

  it('returns the calls of this process while the store fails, and stores them afterwards', async () => {
    isBroken = true;
    call();
    await clock.pass(60_000);
    assert.deepEqual(await counted(), [['ada', 1]]);
    assert.ok(lines.some(({ message }) => message.startsWith('callers of deprecated operations were not')));
    isBroken = false;
    await clock.pass(60_000);
    assert.deepEqual(column(await store.deprecatedCalls.list(clock.now()), 'calls'), [1]);
  });
});
