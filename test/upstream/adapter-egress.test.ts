import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { OwnAddress } from '../../src/core/egress.js';
import { createConnectionCheck, parseAdapterEgress } from '../../src/upstream/adapter-egress.js';
import { createOwnAddressCheck } from '../../src/upstream/own-addresses.js';
import { problem } from '../support/failing.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { listenOnLoopback } from '../support/loopback.js';
import { streamRequest } from '../support/stream-request.js';
import { GET, neverAborted, upstreamsOfTest } from './upstreams.js';

describe('finding F12: the connections of a registered adapter', () => {
  const { opened, open } = upstreamsOfTest();
  const refusalOf = (address: string, entries: readonly string[] = [], host = 'a.example') =>
    parseAdapterEgress(entries).policy.refusal({ host, port: 9, address });

  it('must not lead to addresses of this machine and its infrastructure', () => {
    for (const address of `
      127.0.0.1 127.1.2.3 ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 169.254.169.254 169.254.1.1 fe80::1
      fd00:ec2::254 100.100.100.200 0.0.0.0 :: 224.0.0.1
    `
      .trim()
      .split(/\s+/))
      assert.match(refusalOf(address) ?? '', /^its address is .*egress\.adapters$/, address);
  });

  it('may lead to private and public addresses', () => {
    for (const address of '10.1.2.3 172.16.0.1 192.168.1.1 100.64.0.1 fd00::1 8.8.8.8 2600::1'.split(' '))
      assert.equal(refusalOf(address), undefined, address);
  });

  it('may lead to what the operator opens, with and without a port', () => {
    for (const entry of ['127.0.0.0/8', '127.0.0.1:9', 'a.example']) {
      assert.equal(refusalOf('127.0.0.1', [entry]), undefined, entry);
      assert.notEqual(refusalOf('127.0.0.1', [`${entry.replace(':9', '')}:10`]), undefined, entry);
    }
    assert.notEqual(refusalOf('169.254.169.254', ['127.0.0.0/8']), undefined);
    assert.equal(parseAdapterEgress(['10.0.0.1/8']).faults[0]?.pointer, '/adapters/0');
  });

  const checkOf = (own: readonly OwnAddress[], verifiesName = true) =>
    createConnectionCheck(
      {
        policy: parseAdapterEgress([]).policy,
        ownAddresses: () => own,
        ownAddressCheck: createOwnAddressCheck(createFakeScheduler(), () => Promise.resolve(['10.0.0.8'])),
      },
      { verifiesName },
    );

  it('must not lead to Vault or the database, also by another name', async () => {
    const check = checkOf([{ name: 'Vault', host: 'vault.example', port: 8200 }]);
    const target = { hostname: 'nso.example', port: 8200, isSecure: false };
    await assert.rejects(check(target, '10.0.0.8'), problem('egress_denied', /nso\.example.*Vault/));
    await assert.rejects(
      check({ ...target, hostname: 'vault.example' }, '10.0.0.9'),
      problem('egress_denied'),
    );
    await check(target, '10.0.0.9');
    await check({ ...target, port: 8201 }, '10.0.0.8');
  });

  it('may share an address with this server if TLS proves another name', async () => {
    const own = [{ name: 'this server', host: 'gatehouse.example', port: 443 }];
    const target = { hostname: 'nso.example', port: 443, isSecure: true };
    await checkOf(own)(target, '10.0.0.8');
    await assert.rejects(checkOf(own, false)(target, '10.0.0.8'), problem('egress_denied'));
  });

  it('are closed before any byte is written, for calls, streams, logins and proxies', async () => {
    let bytes = 0;
    const server = createServer();
    server.on('connection', (socket) => socket.on('data', (chunk: Buffer) => (bytes += chunk.length)));
    const { port } = await opened(listenOnLoopback(server));
    const url = `http://localhost:${port}`;
    const auth = { type: 'oauth2', tokenUrl: `${url}/token`, clientId: 'a', clientSecret: 's3cret' };
    for (const written of [
      { baseUrl: url },
      { baseUrl: 'http://10.0.0.1:9', auth },
      { baseUrl: 'http://10.0.0.1:9', proxy: url },
      { baseUrl: 'https://10.0.0.1:9', proxy: url },
    ]) {
      const upstream = open(written, { inspect: checkOf([]) });
      const { pass } = upstream;
      assert.ok(pass);
      await assert.rejects(upstream.send(GET, neverAborted()), problem('egress_denied', /localhost/));
      await assert.rejects(pass(streamRequest(), neverAborted()), problem('egress_denied'));
    }
    assert.equal(bytes, 0);
  });
});
