import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeClient } from '../../src/http/client-certificate.js';
import { makeCertificate } from '../support/certificates.js';
import { OPENSSL } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const NO_NAMES = { cn: [], dn: [], uri: [], dns: [], email: [] };

function namesOf(pem: string) {
  const described = describeClient(new X509Certificate(pem));
  return 'names' in described ? described.names : described.refusal;
}

describe('describeClient', () => {
  it('returns the names of each kind and the end of the certificate', async () => {
    const { cert } = await makeCertificate({
      commonName: 'ci-runner',
      dns: 'ci.example',
      uri: 'spiffe://example.org/ci',
      email: 'ci@example.org',
    });
    assert.deepEqual(describeClient(new X509Certificate(cert)), {
      names: {
        cn: ['ci-runner'],
        dn: ['CN=ci-runner'],
        uri: ['spiffe://example.org/ci'],
        dns: ['ci.example'],
        email: ['ci@example.org'],
      },
      notAfter: Date.UTC(2040, 0, 1),
    });
  });

  it('does not read a second name out of a name with a comma or quotes', async () => {
    const uri = 'spiffe://example.org/ci, URI:spiffe://example.org/admin';
    const { cert } = await makeCertificate({ uri });
    const names = namesOf(cert);
    assert.ok(typeof names !== 'string');
    assert.deepEqual(names.uri, [uri]);
    const quoted = await makeCertificate({ dns: 'a", URI:spiffe://example.org/admin, DNS:"b' });
    const quotedNames = namesOf(quoted.cert);
    assert.ok(typeof quotedNames !== 'string');
    assert.deepEqual(quotedNames.uri, []);
  });

  it('refuses a certificate with very long names', async () => {
    const { cert } = await makeCertificate({ uri: `spiffe://example.org/${'a'.repeat(3000)}` });
    assert.deepEqual(describeClient(new X509Certificate(cert)), {
      refusal: 'its names are longer than 2048 characters',
    });
  });

  describeWith(OPENSSL, 'with certificates of openssl', () => {
    const folder = temporaryFolder();
    const issue = (subject: string, alternatives?: string) => {
      writeFileSync(join(folder.path, 'req.cnf'), '[req]\ndistinguished_name=dn\n[dn]\n');
      const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-utf8', '-config', 'req.cnf'];
      const extension = alternatives === undefined ? [] : ['-addext', `subjectAltName=${alternatives}`];
      execFileSync(
        'openssl',
        [...request, '-subj', subject, ...extension, '-keyout', 'key.pem', '-out', 'cert.pem'],
        { cwd: folder.path, stdio: 'ignore' },
      );
      return namesOf(readFileSync(join(folder.path, 'cert.pem'), 'utf8'));
    };

    it('returns the distinguished name as RFC 4514 writes it, and every common name', () => {
      assert.deepEqual(issue('/C=DE/O=Example\\, Inc./CN=one/CN=two'), {
        ...NO_NAMES,
        cn: ['one', 'two'],
        dn: ['CN=two,CN=one,O=Example\\, Inc.,C=DE'],
      });
    });

    it('does not read a second name out of a common name with a line feed', () => {
      assert.deepEqual(issue('/CN=a\nCN=admin'), {
        ...NO_NAMES,
        cn: ['a\nCN=admin'],
        dn: ['CN=a\\0ACN=admin'],
      });
    });

    it('returns all alternative names of a kind', () => {
      assert.deepEqual(issue('/', 'URI:spiffe://a/1,URI:spiffe://a/2,IP:192.0.2.1,DNS:x.example'), {
        ...NO_NAMES,
        uri: ['spiffe://a/1', 'spiffe://a/2'],
        dns: ['x.example'],
      });
    });
  });
});
