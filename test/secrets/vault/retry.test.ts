import assert from 'node:assert/strict';
import { createBench, requests, THREE_ATTEMPTS, valueOf, type Bench } from '../fixtures.js';

describe('retries of a Vault request', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
    bench.vault.putSecret({ path: 'a' }, { k: 'c4n4ry-v-value' });
    bench.vault.putPolicy('edge', { 'secret/data/*': ['read'] });
  });
  afterEach(() => bench.close());
  const resolveSecret = (changes: Parameters<Bench['open']>[0] = {}) =>
    valueOf(bench.open({ request: THREE_ATTEMPTS, ...changes }), '$VAULT_a#k');

  it('succeed at the third attempt, after growing delays', async () => {
    bench.vault.faults.next({ status: 500, times: 2 });
    assert.equal(await resolveSecret(), 'c4n4ry-v-value');
    assert.deepEqual(bench.waits, [750, 1250]);
  });

  it('stop after the configured number of attempts', async () => {
    bench.vault.faults.next({ reset: true, times: 9 });
    assert.equal(await resolveSecret(), 'VAULT_UNAVAILABLE');
    assert.equal(bench.sent.length, 3);
  });

  for (const status of [408, 412, 425, 429, 500, 502, 503, 504])
    it(`V-08 follow a reply with status ${status}`, async () => {
      bench.vault.faults.next({ status });
      assert.equal(await resolveSecret(), 'c4n4ry-v-value');
    });

  for (const status of [400, 404, 405, 413, 501, 302])
    it(`V-08 do not follow a reply with status ${status}`, async () => {
      bench.vault.faults.next({ status });
      await resolveSecret();
      assert.equal(bench.sent.length, 1);
    });

  it('V-07 honor Retry-After up to 30 s', async () => {
    bench.vault.faults.next({ status: 429, headers: { 'Retry-After': '7' } });
    bench.vault.faults.next({ status: 503, headers: { 'Retry-After': '99999' } });
    assert.equal(await resolveSecret(), 'c4n4ry-v-value');
    // The third request keeps the distance to the second, because the clock of the bench stands still.
    assert.deepEqual(bench.waits.slice(0, 2), [7000, 30_000]);
  });

  it('a quota (429) is waited for beyond the number of attempts (bug: adapters DEAD after five seconds)', async () => {
    bench.vault.faults.next({ status: 429, times: 6 });
    assert.equal(await resolveSecret(), 'c4n4ry-v-value');
    assert.equal(bench.sent.length, 7);
  });

  it('a quota (429) ends a request after 30 s, and at once if nothing is to be repeated', async () => {
    bench.vault.faults.next({ status: 429, headers: { 'Retry-After': '16' }, times: 9 });
    assert.equal(await resolveSecret(), 'VAULT_RATE_LIMITED');
    assert.equal(bench.sent.length, 3);
    const once = await resolveSecret({ request: { ...THREE_ATTEMPTS, attempts: 1 } });
    assert.equal(once, 'VAULT_RATE_LIMITED');
    assert.equal(bench.sent.length, 4);
  });

  it('repeat a login only if Vault did not process it', async () => {
    const auth = await bench.appRole(['edge']);
    bench.vault.faults.next({ status: 503 });
    assert.equal(await resolveSecret({ auth }), 'c4n4ry-v-value');
    bench.sent.length = 0;
    bench.vault.faults.next({ reset: true });
    assert.equal(await resolveSecret({ auth }), 'VAULT_UNAVAILABLE');
    assert.deepEqual(requests(bench), ['POST /v1/auth/approle/login']);
  });
});
