import assert from 'node:assert/strict';
import {
  CALLER_DAYS,
  type CallerCalls,
  type DeprecatedCallStore,
  MAX_STORED_CALLERS,
} from '../../src/features/legacy/deprecated-calls.js';
import type { Store } from '../../src/features/store.js';
import { column } from '../support/columns.js';

const DAY_MS = 86_400_000;
const OPERATION = 'deprecations.getServiceConfigs';

/** Defines the tests of the callers of deprecated operations for every store. */
export function deprecatedCallStoreContract(open: () => Promise<Store>): void {
  let store: Store;
  let callers: DeprecatedCallStore;
  let now = Date.UTC(2026, 0, 1);

  before(async () => {
    store = await open();
    callers = store.deprecatedCalls;
  });
  after(() => store.close());
  beforeEach(() => {
    // The callers of the previous test have expired.
    now += 2 * CALLER_DAYS * DAY_MS;
  });

  const callsOf = (caller: string, changes: Partial<CallerCalls> = {}): CallerCalls => ({
    operation: OPERATION,
    issuer: 'idp',
    caller,
    calls: 1,
    lastCall: now,
    ...changes,
  });

  it('adds the calls of a caller, and lists the callers with the most calls first', async () => {
    const other = callsOf('ada', { issuer: '', calls: 2 });
    await callers.add([callsOf('ada'), callsOf('bob', { calls: 3 }), other], now);
    await callers.add([callsOf('ada', { calls: 4, lastCall: now + 5 })], now);
    assert.deepEqual(await callers.list(now), [
      callsOf('ada', { calls: 5, lastCall: now + 5 }),
      callsOf('bob', { calls: 3 }),
      other,
    ]);
  });

  it('loses nothing when several nodes add calls of the same caller', async () => {
    await Promise.all(Array.from({ length: 8 }, () => callers.add([callsOf('ada', { calls: 5 })], now)));
    assert.deepEqual(await callers.list(now), [callsOf('ada', { calls: 40 })]);
  });

  it('forgets a caller that has not called for long', async () => {
    await callers.add([callsOf('ada')], now);
    const end = now + CALLER_DAYS * DAY_MS;
    assert.equal((await callers.list(end)).length, 1);
    assert.equal((await callers.list(end + 1)).length, 0);
    await callers.add([callsOf('bob', { lastCall: end + 1 })], end + 1);
    assert.deepEqual(column(await callers.list(now), 'caller'), ['bob']);
    now = end;
  });

  it('keeps a bounded number of callers, those with the latest calls', async () => {
    for (let first = 0; first < MAX_STORED_CALLERS + 1_000; first += 1_000)
      await callers.add(
        Array.from({ length: 1_000 }, (_caller, at) =>
          callsOf(`c${first + at}`, { lastCall: now + first + at }),
        ),
        now,
      );
    const names = new Set((await callers.list(now)).map(({ caller }) => caller));
    assert.equal(names.size, MAX_STORED_CALLERS);
    assert.deepEqual([names.has('c999'), names.has('c1000'), names.has('c5999')], [false, true, true]);
  });
}
