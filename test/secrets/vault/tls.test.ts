import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '../../support/certificates.js';
import { until } from '../../support/until.js';
import { createBench, resolveAll } from '../fixtures.js';

const NO_CLIENT = { certFile: null, keyFile: null };

describe('TLS to Vault', () => {
  it('T-10 trusts the certificates of the CA file, which it reads at the first request', async () => {
    const certificate = await makeCertificate({ ip: '127.0.0.1' });
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ca-'));
    const caFile = join(folder, 'ca.pem');
    const bench = await createBench({ tls: certificate });
    bench.vault.putSecret({ path: 'a' }, { k: 'c4n4ry-v-value' });
    const document = { a: '$VAULT_a#k' };
    assert.deepEqual(await resolveAll(bench.open(), document), { a: 'VAULT_TLS' });
    const source = bench.open({ tls: { ...NO_CLIENT, caFile, serverName: null } });
    assert.deepEqual(await resolveAll(source, document), { a: 'VAULT_TLS' });
    await writeFile(caFile, 'no certificate');
    assert.deepEqual(await resolveAll(source, document), { a: 'VAULT_TLS' });
    await writeFile(caFile, certificate.cert);
    assert.deepEqual(await resolveAll(source, document), { a: 'c4n4ry-v-value' });
    const misnamed = bench.open({ tls: { ...NO_CLIENT, caFile, serverName: 'vault.example.net' } });
    assert.deepEqual(await resolveAll(misnamed, document), { a: 'VAULT_TLS' });
    await bench.close();
    await rm(folder, { recursive: true });
  });

  it('uses a CA file that is replaced while the connection is open, and keeps the former while it is unusable', async () => {
    const certificate = await makeCertificate({ ip: '127.0.0.1' });
    const expired = await makeCertificate({ ip: '127.0.0.1', notAfter: new Date(Date.UTC(2021, 0, 1)) });
    const bench = await createBench({ tls: certificate });
    bench.vault.putSecret({ path: 'a' }, { k: 'c4n4ry-v-value' });
    const caFile = await bench.write('ca.pem', certificate.cert);
    const source = bench.open({ tls: { ...NO_CLIENT, caFile, serverName: null } });
    const document = { a: '$VAULT_a#k' };
    assert.deepEqual(await resolveAll(source, document), { a: 'c4n4ry-v-value' });
    assert.equal(source.certificates().refusal, undefined);
    await bench.write('ca.pem', expired.cert);
    await until(() => source.certificates().refusal !== undefined);
    assert.match(source.certificates().refusal ?? '', /CN=127\.0\.0\.1 of .*ca\.pem expired on 2021-01-01/);
    assert.ok(bench.log.some(({ message }) => message.startsWith('vault certificate files not used')));
    assert.deepEqual(await resolveAll(source, document), { a: 'c4n4ry-v-value' });
    await bench.write('ca.pem', `${expired.cert}\n${certificate.cert}`);
    await until(() => bench.log.some(({ message }) => message === 'certificates of vault replaced'));
    assert.equal(source.certificates().refusal, undefined);
    assert.equal(source.certificates().files[0]?.certificates.length, 2);
    assert.deepEqual(await resolveAll(source, document), { a: 'c4n4ry-v-value' });
    await bench.close();
  });

  it('T-05 cancels and closes a connection that hangs before the TLS handshake', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined).resume()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const bench = await createBench();
    const source = bench.open({
      address: [`https://127.0.0.1:${(silent.address() as AddressInfo).port}`],
      request: { deadlineMs: 150, attempts: 1, concurrency: 8 },
    });
    assert.deepEqual(await resolveAll(source, { a: '$VAULT_a#k' }), { a: 'VAULT_TIMEOUT' });
    await until(() => sockets.length > 0 && sockets.every(({ destroyed }) => destroyed));
    await bench.close();
    silent.close();
  });
});
