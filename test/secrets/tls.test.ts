import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { createBench, resolveAll } from './fixtures.js';

const NO_CLIENT = { certFile: null, keyFile: null };

describe('TLS to Vault', () => {
  it('T-10 trusts the certificates of the CA file, read when it is needed', async () => {
    const pems = await generate([{ name: 'commonName', value: 'vault' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    });
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ca-'));
    const caFile = join(folder, 'ca.pem');
    const bench = await createBench({ tls: { cert: pems.cert, key: pems.private } });
    bench.vault.putSecret({ path: 'a' }, { k: 'v' });
    const document = { a: '$VAULT_a#k' };
    assert.deepEqual(await resolveAll(bench.open(), document), { a: 'VAULT_TLS' });
    const source = bench.open({ tls: { ...NO_CLIENT, caFile, serverName: null } });
    assert.deepEqual(await resolveAll(source, document), { a: 'VAULT_TLS' });
    await writeFile(caFile, 'no certificate');
    assert.deepEqual(await resolveAll(source, document), { a: 'VAULT_TLS' });
    await writeFile(caFile, pems.cert);
    assert.deepEqual(await resolveAll(source, document), { a: 'v' });
    const misnamed = bench.open({ tls: { ...NO_CLIENT, caFile, serverName: 'vault.example.net' } });
    assert.deepEqual(await resolveAll(misnamed, document), { a: 'VAULT_TLS' });
    await bench.close();
    await rm(folder, { recursive: true });
  });
});
