import assert from 'node:assert/strict';
import type { ThrottleKey, AttemptStore } from '../../src/core/login.js';
import type { Store } from '../../src/features/store.js';

const ada: ThrottleKey = { kind: 'account', name: 'ada', limit: 3, windowMs: 60_000 };
const office: ThrottleKey = { kind: 'network', name: '192.0.2.1', limit: 5, windowMs: 60_000 };

/**
 * Defines the tests of the login attempt counters for every store. `open` returns a store without counters.
 */
export function attemptStoreContract(open: () => Promise<Store>): void {
  let store: Store;
  let attempts: AttemptStore;
  let now = 1_800_000_000_000;

  before(async () => {
    store = await open();
    ({ attempts } = store);
  });
  after(() => store.close());
  beforeEach(() => {
    // The counters of the previous test have expired.
    now += 120_000;
  });

  const count = async (places: readonly ThrottleKey[], times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) assert.equal(await attempts.count(places, now), undefined);
  };

  it('locks a key at its limit until the window of the first attempt ends', async () => {
    const until = now + 60_000;
    await count([ada, office], 1);
    now += 20_000;
    await count([ada, office], 2);
    assert.deepEqual(await attempts.count([ada, office], now), { place: ada, until });
    now = until - 1;
    assert.deepEqual(await attempts.count([ada], now), { place: ada, until });
    now = until;
    await count([ada], 3);
  });

  it('increments no counter when one of the keys is locked', async () => {
    await count([office], 5);
    for (let time = 0; time < 5; time += 1)
      assert.equal((await attempts.count([ada, office], now))?.place, office);
    await count([ada], 3);
  });

  it('takes back a successful attempt and never counts below zero', async () => {
    await count([ada, office], 3);
    await attempts.takeBack([ada, office]);
    await count([ada, office], 1);
    for (let time = 0; time < 9; time += 1) await attempts.takeBack([ada]);
    await count([ada], 3);
    assert.equal((await attempts.count([ada], now))?.place, ada);
  });

  it('ignores a window that a clock far ahead started', async () => {
    const ahead = now + 3_600_000;
    for (let time = 0; time < 3; time += 1) await attempts.count([ada], ahead);
    await count([ada], 3);
    assert.deepEqual(await attempts.count([ada], now), { place: ada, until: now + 60_000 });
  });

  it('counts concurrent attempts only up to the limit', async () => {
    const guesses = Array.from({ length: 9 }, () => attempts.count([ada, office], now));
    const counted = (await Promise.all(guesses)).filter((locked) => locked === undefined);
    assert.equal(counted.length, 3);
  });
}
