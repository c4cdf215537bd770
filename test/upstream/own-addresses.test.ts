import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import type { OwnAddress } from '../../src/core/egress.js';
import { createOwnAddressCheck } from '../../src/upstream/own-addresses.js';
import { column } from '../support/columns.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';

const vaultAt = (host: string, port = 8200): OwnAddress => ({ name: 'Vault', host, port });

describe('the services of this server', () => {
  const clock = createFakeScheduler();
  let lookups: string[] = [];
  let names: Readonly<Record<string, readonly string[]>> = {};
  beforeEach(() => {
    lookups = [];
    names = { 'vault.example': ['10.0.0.5', 'fd00::5'] };
  });
  const open = () =>
    createOwnAddressCheck(clock, (host) => {
      lookups.push(host);
      const found = names[host];
      return found ? Promise.resolve(found) : Promise.reject(new Error('unknown'));
    });
  const refusal = (
    service: OwnAddress,
    target: { host?: string; port?: number; secure?: boolean; addresses: readonly string[] },
    services = open(),
  ) => services.refusal({ host: 'x.example', port: 8200, secure: false, ...target }, [service]);

  const SAME = 'its address and port are those of Vault';

  it('finding F15: are denied by address and port, in every form of the address', async () => {
    for (const address of ['10.0.0.5', '::ffff:10.0.0.5', '64:ff9b::a00:5'])
      assert.equal(await refusal(vaultAt('10.0.0.5'), { addresses: ['10.0.0.9', address] }), SAME, address);
    assert.equal(await refusal(vaultAt('10.0.0.5'), { addresses: ['10.0.0.6'] }), undefined);
    assert.equal(await refusal(vaultAt('10.0.0.5'), { addresses: ['10.0.0.5'], port: 443 }), undefined);
  });

  it('finding F15: are denied by name, and by the addresses of the name', async () => {
    const vault = vaultAt('vault.example');
    assert.equal(await refusal(vault, { host: 'vault.example', addresses: [] }), 'it is Vault');
    for (const address of ['10.0.0.5', 'fd00::5'])
      assert.equal(await refusal(vault, { addresses: [address] }), SAME, address);
    assert.equal(await refusal(vault, { addresses: ['10.0.0.6'] }), undefined);
  });

  it('finding F15: are denied on every address of this machine if they are on this machine', async () => {
    const own = Object.values(networkInterfaces()).flatMap((found) => column(found, 'address'));
    for (const host of ['127.0.0.1', '0.0.0.0', '::', '::1'])
      for (const address of ['127.0.0.1', '127.8.8.8', '::1', '0.0.0.0', '::', ...own])
        assert.equal(await refusal(vaultAt(host), { addresses: [address] }), SAME, `${host} ${address}`);
    assert.equal(await refusal(vaultAt('0.0.0.0'), { addresses: ['10.99.99.99'] }), undefined);
  });

  it('finding F15: close their port everywhere while their name cannot be looked up', async () => {
    const text = 'its port is that of Vault, whose address cannot be looked up now';
    const services = open();
    const target = { addresses: ['192.0.2.1'] };
    assert.equal(await refusal(vaultAt('lost.example'), target, services), text);
    assert.equal(await refusal(vaultAt('lost.example'), { ...target, port: 443 }, services), undefined);
    names = { 'lost.example': ['10.0.0.7'] };
    assert.equal(await refusal(vaultAt('lost.example'), target, services), undefined);
  });

  it('finding F15: are looked up for their own port alone, and once in 30 seconds', async () => {
    const services = open();
    const ask = (port: number) =>
      refusal(vaultAt('vault.example'), { addresses: ['192.0.2.1'], port }, services);
    await ask(443);
    assert.deepEqual(lookups, []);
    await Promise.all([ask(8200), ask(8200)]);
    assert.equal(lookups.length, 1);
    await clock.pass(30_001);
    await ask(8200);
    assert.equal(lookups.length, 2);
  });

  it('do not close other https sites at the address of an issuer', async () => {
    const issuer: OwnAddress = { name: 'an issuer', host: 'vault.example', port: 8200, isShared: true };
    const addresses = ['10.0.0.5'];
    assert.equal(await refusal(issuer, { addresses, secure: true }), undefined);
    assert.notEqual(await refusal(issuer, { addresses, secure: false }), undefined);
    assert.notEqual(await refusal(issuer, { addresses, secure: true, host: '10.0.0.5' }), undefined);
    assert.notEqual(await refusal(issuer, { addresses, secure: true, host: 'vault.example' }), undefined);
  });
});
