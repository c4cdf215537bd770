import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { makeCertificate } from '../../support/certificates.js';
import { checkMistake } from '../../support/mistakes.js';

const MAIN = 'server: { tls: { certFile: cert.pem, keyFile: key.pem } }\n';

describe('gatehouse check tells what is wrong with a certificate file', () => {
  async function faultsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
    return (await checkMistake({ main: MAIN, files })).faults;
  }

  it('K04 the key of another certificate', async () => {
    const [{ cert }, { key }] = [await makeCertificate({ dns: 'a' }), await makeCertificate({ dns: 'b' })];
    assert.deepEqual(await faultsOf({ 'cert.pem': cert, 'key.pem': key }), [
      'gatehouse.yaml:1:47 /server/tls/keyFile: names a key that does not belong to the certificate | Name the key of the certificate.',
    ]);
  });

  it('K05 interchanged files', async () => {
    const { cert, key } = await makeCertificate({ dns: 'a' });
    assert.deepEqual(await faultsOf({ 'cert.pem': key, 'key.pem': cert }), [
      'gatehouse.yaml:1:28 /server/tls/certFile: is a private key, not a certificate | Name the PEM file of the certificate; certFile and keyFile may be interchanged.',
      'gatehouse.yaml:1:47 /server/tls/keyFile: is a certificate, not a private key | Name the PEM file of the private key; certFile and keyFile may be interchanged.',
    ]);
  });

  it('K06 a key with a pass phrase', async () => {
    const { cert } = await makeCertificate({ dns: 'a' });
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    assert.deepEqual(await faultsOf({ 'cert.pem': cert, 'key.pem': privateKey }), [
      'gatehouse.yaml:1:47 /server/tls/keyFile: is a private key with a pass phrase | Name a PEM file with a key without a pass phrase: openssl pkey -in FILE -out NEWFILE, and chmod 600 NEWFILE.',
    ]);
  });

  it('K07 missing files', async () => {
    assert.deepEqual(await faultsOf({}), [
      'gatehouse.yaml:1:28 /server/tls/certFile: names a file that cannot be read (ENOENT) | Name a PEM file with certificates that the service may read.',
      'gatehouse.yaml:1:47 /server/tls/keyFile: names a file that cannot be read (ENOENT) | Name a PEM file with a private key without a pass phrase that the service may read.',
    ]);
  });

  it('files that are not PEM', async () => {
    assert.deepEqual(await faultsOf({ 'cert.pem': 'x', 'key.pem': 'y' }), [
      'gatehouse.yaml:1:28 /server/tls/certFile: is not PEM: it has no line "-----BEGIN CERTIFICATE-----" | Convert a certificate in DER to PEM: openssl x509 -inform der -in FILE -out FILE.pem.',
      'gatehouse.yaml:1:47 /server/tls/keyFile: is not PEM: it has no line "-----BEGIN PRIVATE KEY-----" | Convert a key in DER to PEM: openssl pkey -inform der -in FILE -out FILE.pem.',
    ]);
  });
});
