import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdapterSettings } from '../../src/settings/adapter.js';
import { readTlsMaterial } from '../../src/upstream/tls-material.js';
import { makeCertificate, type Certificate } from '../support/certificates.js';
import { column } from '../support/columns.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const NONE = { caFile: null, certFile: null, keyFile: null, serverName: null, insecure: false };

describe('readTlsMaterial', () => {
  const folder = temporaryFolder();
  let one: Certificate;
  let other: Certificate;
  before(async () => {
    one = await makeCertificate({ dns: 'one.example' });
    other = await makeCertificate({ dns: 'other.example' });
  });

  const file = (name: string, text: string) => {
    const path = join(folder.path, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const pointersOf = async (tls: Partial<AdapterSettings['tls']>) =>
    (await readTlsMaterial({ ...NONE, ...tls })).faults.map(({ pointer }) => pointer);

  it('returns nothing for empty settings', async () => {
    assert.deepEqual(await readTlsMaterial(NONE), { material: {}, certificates: [], faults: [] });
  });

  it('returns the content of the files, with the key as a secret', async () => {
    const { material, faults } = await readTlsMaterial({
      caFile: file('ca.pem', `# two of them\n${one.cert}\n${other.cert}`),
      certFile: file('cert.pem', one.cert),
      keyFile: file('key.pem', one.key),
      serverName: 'nso.example',
      insecure: true,
    });
    assert.deepEqual(faults, []);
    const { cert, key, serverName, insecure } = material;
    assert.deepEqual([cert, key?.reveal(), serverName, insecure], [one.cert, one.key, 'nso.example', true]);
    assert.doesNotMatch(JSON.stringify(material), /PRIVATE/);
  });

  it('reports a fault for each file that is missing or invalid', async () => {
    const [cert, key] = [file('cert.pem', one.cert), file('key.pem', one.key)];
    const bad = file('bad.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    assert.deepEqual(await pointersOf({ caFile: join(folder.path, 'none.pem') }), ['/tls/caFile']);
    assert.deepEqual(await pointersOf({ caFile: folder.path }), ['/tls/caFile']);
    assert.deepEqual(await pointersOf({ caFile: file('empty.pem', '') }), ['/tls/caFile']);
    assert.deepEqual(await pointersOf({ caFile: file('half.pem', one.cert + '\n' + 'x') }), []);
    assert.deepEqual(await pointersOf({ caFile: bad }), ['/tls/caFile']);
    assert.deepEqual(await pointersOf({ caFile: key }), ['/tls/caFile']);
    assert.deepEqual(await pointersOf({ certFile: bad, keyFile: cert }), ['/tls/certFile', '/tls/keyFile']);
  });

  it('finding F17: reports a fault for a key that others may access', async () => {
    const [cert, key] = [file('cert.pem', one.cert), file('open.pem', one.key)];
    for (const mode of [0o644, 0o602, 0o660]) {
      chmodSync(key, mode);
      const { faults, material } = await readTlsMaterial({ ...NONE, certFile: cert, keyFile: key });
      assert.deepEqual(column(faults, 'pointer'), ['/tls/keyFile']);
      assert.match(faults[0]!.fix, /^Run: chmod 600 .*open\.pem\. In Kubernetes/);
      assert.equal(material.key, undefined);
    }
    chmodSync(cert, 0o644);
    chmodSync(key, 0o400);
    assert.deepEqual(await pointersOf({ certFile: cert, keyFile: key }), []);
  });

  it('reports a fault when the certificate and the key do not match', async () => {
    const [cert, key] = [file('cert.pem', one.cert), file('key.pem', one.key)];
    assert.deepEqual(await pointersOf({ certFile: cert }), ['/tls/keyFile']);
    assert.deepEqual(await pointersOf({ keyFile: key }), ['/tls/certFile']);
    const mixed = { certFile: cert, keyFile: file('other.pem', other.key) };
    assert.deepEqual(await pointersOf(mixed), ['/tls/keyFile']);
  });

  it('recommends a correction, and shows neither the file name nor its content', async () => {
    const { faults } = await readTlsMaterial({ ...NONE, keyFile: file('key.pem', one.cert) });
    assert.ok(faults.length > 0);
    for (const { message, fix } of faults) {
      assert.doesNotMatch(message + fix, /CERTIFICATE|gatehouse-test/);
      assert.match(fix, /PEM/);
    }
  });
});
