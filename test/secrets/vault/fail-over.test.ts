import assert from 'node:assert/strict';
import { createVaultDouble, type VaultDouble } from '../../support/vault-double.js';
import { createTokenBench, edgeRole, type TokenBench } from './token-bench.js';

describe('failover between the addresses of one Vault', () => {
  let bench: TokenBench;
  let standby: VaultDouble;
  beforeEach(async () => {
    bench = await createTokenBench();
    bench.vault.putSecret({ path: 'a' }, { k: 'c4n4ry-v-value' });
    standby = await createVaultDouble();
  });
  afterEach(async () => {
    await bench.close();
    await standby.close();
  });
  const both = () => ({ address: [standby.address, bench.vault.address] });
  const STATIC = { method: 'token', tokenEnv: 'STATIC' } as const;

  it('V-09 uses the second address when the first is down, also for logins, and stays with it', async () => {
    await standby.close();
    const { tokens, client } = await bench.open(await edgeRole(bench), both());
    bench.vault.putPolicy('edge', { 'secret/data/*': ['read'] });
    const { data } = await client.read('secret/data/a', await tokens.current());
    assert.deepEqual(data['data'], { k: 'c4n4ry-v-value' });

    assert.equal(bench.vault.log.length, 2);
  });

  it('fails over from an address with capital letters or the port of its scheme (bug: one address was never left)', async () => {
    for (const written of [standby.address.replace('127.0.0.1', 'LOCALHOST'), 'http://first.invalid:80']) {
      await standby.close();
      const { tokens, client } = await bench.open(STATIC, { address: [written, bench.vault.address] });
      const { data } = await client.read('secret/data/a', await tokens.current());
      assert.deepEqual(data['data'], { k: 'c4n4ry-v-value' }, written);
    }
  });

  for (const [status, error] of [
    [503, 'no active Vault instance found'],
    [503, 'node is not active'],
    [500, 'local node not active but active cluster node not found'],
  ] as const)
    it(`V-09 fails over from a standby that answers "${error}"`, async () => {
      standby.faults.next({ status, body: { errors: [error] }, times: 99 });
      const { tokens, client } = await bench.open(STATIC, both());
      await client.read('secret/data/a', await tokens.current());
      await client.read('secret/data/a', await tokens.current());
      assert.equal(standby.log.length, 1);
    });

  it('V-09 does not repeat a login that the first address may have processed', async () => {
    standby.faults.next({ reset: true });
    const { tokens } = await bench.open(await edgeRole(bench), both());
    await assert.rejects(tokens.current(), { code: 'VAULT_UNAVAILABLE' });
    assert.deepEqual(bench.vault.log, []);
    await tokens.current();
  });

  it('V-08 fails over after a health status that a load balancer passes on, and reports it or 501 as unavailable', async () => {
    for (const status of [472, 473, 474]) {
      standby.faults.next({ status });
      const { tokens, client } = await bench.open(STATIC, both());
      await client.read('secret/data/a', await tokens.current());
    }
    for (const status of [472, 473, 474, 501]) {
      bench.vault.faults.next({ status });
      const { tokens } = await bench.open(STATIC);
      await assert.rejects(tokens.current(), { code: 'VAULT_UNAVAILABLE' });
    }
  });

  it('V-07 sends one request every 5 s to a Vault that failed five times in a row', async () => {
    const { client, tokens } = await bench.open(STATIC);
    const token = await tokens.current();
    const read = (): Promise<unknown> => client.read('secret/data/a', token);
    bench.vault.log.length = 0;
    // The first request is sent on a reused connection, and therefore once more.
    bench.vault.faults.next({ reset: true, times: 7 });
    for (let at = 0; at < 9; at += 1) await assert.rejects(read(), { code: 'VAULT_UNAVAILABLE' });
    assert.equal(bench.vault.log.length, 6);
    await bench.time.pass(5000);
    await assert.rejects(read(), { message: /Vault closed the connection/ });
    await assert.rejects(read(), { message: /Vault closed the connection.* was not sent$/ });
    await bench.time.pass(5000);
    await read();
    await read();
    assert.equal(bench.vault.log.length, 9);
  });
});
