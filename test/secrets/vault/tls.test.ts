import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { SecretSource } from '../../../src/secrets/open-secrets.js';
import { makeCertificate } from '../../support/certificates.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { until } from '../../support/until.js';
import { type Bench, createBench, THREE_ATTEMPTS, valueOf } from '../fixtures.js';

const NO_CLIENT = { certFile: null, keyFile: null };

describe('TLS to Vault', () => {
  let bench: Bench;
  afterEach(() => bench.close());
  const read = (source: SecretSource) => valueOf(source, '$VAULT_a#k');
  it('T-10 trusts the certificates of the CA file, which it reads at the first request', async () => {
    const certificate = await makeCertificate({ ip: '127.0.0.1' });
    bench = await createBench({ tls: certificate });
    bench.vault.putSecret({ path: 'a' }, { k: 'c4n4ry-v-value' });
    assert.equal(await read(bench.open()), 'VAULT_TLS');
    const caFile = await bench.write('ca.pem', '');
    await rm(caFile);
    const source = bench.open({ tls: { ...NO_CLIENT, caFile, serverName: null } });
    assert.equal(await read(source), 'VAULT_TLS');
    await bench.write('ca.pem', 'no certificate');
    assert.equal(await read(source), 'VAULT_TLS');
    await bench.write('ca.pem', certificate.cert);
    assert.equal(await read(source), 'c4n4ry-v-value');
    const misnamed = bench.open({ tls: { ...NO_CLIENT, caFile, serverName: 'vault.example.net' } });
    assert.equal(await read(misnamed), 'VAULT_TLS');
  });

  it('uses a CA file that is replaced while the connection is open, and keeps the former while it is unusable', async () => {
    const certificate = await makeCertificate({ ip: '127.0.0.1' });
    const expired = await makeCertificate({ ip: '127.0.0.1', notAfter: new Date(Date.UTC(2021, 0, 1)) });
    bench = await createBench({ tls: certificate });
    bench.vault.putSecret({ path: 'a' }, { k: 'c4n4ry-v-value' });
    const caFile = await bench.write('ca.pem', certificate.cert);
    const source = bench.open({ tls: { ...NO_CLIENT, caFile, serverName: null } });
    assert.equal(await read(source), 'c4n4ry-v-value');
    assert.equal(source.certificates().refusal, undefined);
    await bench.write('ca.pem', expired.cert);
    await until(() => source.certificates().refusal !== undefined);
    assert.match(source.certificates().refusal ?? '', /CN=127\.0\.0\.1 of .*ca\.pem expired on 2021-01-01/);
    assert.ok(bench.log.some(({ message }) => message.startsWith('vault certificate files not used')));
    assert.equal(await read(source), 'c4n4ry-v-value');
    await bench.write('ca.pem', `${expired.cert}\n${certificate.cert}`);
    await until(() => bench.log.some(({ message }) => message === 'certificates of vault replaced'));
    assert.equal(source.certificates().refusal, undefined);
    assert.equal(source.certificates().files[0]?.certificates.length, 2);
    assert.equal(await read(source), 'c4n4ry-v-value');
  });

  it('T-05 cancels and closes a connection that hangs before the TLS handshake', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined).resume()));
    const { host, close } = await listenOnLoopback(silent);
    bench = await createBench();
    const request = { ...THREE_ATTEMPTS, deadlineMs: 150, attempts: 1 };
    assert.equal(await read(bench.open({ address: [`https://${host}`], request })), 'VAULT_TIMEOUT');
    await until(() => sockets.length > 0 && sockets.every(({ destroyed }) => destroyed));
    await close();
  });
});
