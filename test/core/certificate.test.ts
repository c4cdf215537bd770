import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  certificateFaults,
  type CertificateFile,
  createCertificateJudge,
  judgeCertificates,
} from '../../src/core/certificate.js';
import { expiryOf } from '../../src/features/health/certificate-monitor.js';
import { readCertificates } from '../../src/lib/read-certificates.js';
import { type Certificate, makeCertificate } from '../support/certificates.js';
import { OPENSSL } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 24, 12);

const fileOf = (kind: CertificateFile['kind'], ...pems: readonly string[]): CertificateFile => ({
  pointer: '/tls/certFile',
  file: '/etc/tls/cert.pem',
  kind,
  certificates: readCertificates(pems.join('\n')),
});

/** Makes a certificate that expires this many days after {@link NOW}. */
const expiringIn = (days: number): Promise<Certificate> =>
  makeCertificate({ dns: `in-${days}.example`, notAfter: new Date(NOW + days * DAY_MS) });

describe('readCertificates', () => {
  it('returns subject, serial number and validity of every certificate of a text', async () => {
    const { cert } = await makeCertificate({ dns: 'gw.example', notAfter: new Date(Date.UTC(2027, 0, 1)) });
    const [facts, other] = readCertificates(`a comment\n${cert}\n${cert}`);
    assert.deepEqual(facts, other);
    assert.ok(facts);
    assert.match(facts.serial, /^[0-9A-F]+$/);
    assert.equal(facts.subject, 'CN=gw.example');
    assert.deepEqual([facts.notBefore, facts.notAfter], [Date.UTC(2020, 0, 1), Date.UTC(2027, 0, 1)]);
    assert.equal(facts.weakness, undefined);
  });

  it('throws for a text without a certificate, and for an invalid certificate', () => {
    assert.throws(() => readCertificates('no certificate'), TypeError);
    assert.throws(() => readCertificates('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'));
  });

  it('finding K03: reports an RSA key of fewer than 2048 bits', async () => {
    const { cert } = await makeCertificate({ dns: 'weak.example', rsaBits: 1024 });
    assert.match(readCertificates(cert)[0]?.weakness ?? '', /1024 bits, and 2048 is the minimum/);
    const { cert: strong } = await makeCertificate({ dns: 'strong.example', rsaBits: 2048 });
    assert.equal(readCertificates(strong)[0]?.weakness, undefined);
  });

  describeWith(OPENSSL, 'with certificates of openssl', () => {
    const folder = temporaryFolder();
    const openssl = (...args: readonly string[]): void => {
      execFileSync('openssl', args, { cwd: folder.path, stdio: 'ignore' });
    };
    const read = (name: string) =>
      readCertificates(
        execFileSync('openssl', ['x509', '-in', join(folder.path, name)], { encoding: 'utf8' }),
      )[0];

    it('reports a curve below P-256', () => {
      openssl(
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp224r1', '-nodes'],
        ...['-subj', '/CN=curve', '-keyout', 'curve.key', '-out', 'curve.pem'],
      );
      assert.match(read('curve.pem')?.weakness ?? '', /on the curve secp224r1/);
    });

    it('reports a signature with SHA-1, but not that of a root, on which nothing relies', () => {
      const req = ['req', '-newkey', 'rsa:2048', '-nodes', '-sha1'];
      openssl(...req, '-x509', '-subj', '/CN=root', '-keyout', 'root.key', '-out', 'root.pem');
      openssl(...req, '-subj', '/CN=leaf', '-keyout', 'leaf.key', '-out', 'leaf.csr');
      openssl(
        ...['x509', '-req', '-sha1', '-in', 'leaf.csr', '-CA', 'root.pem', '-CAkey', 'root.key'],
        ...['-set_serial', '7', '-out', 'leaf.pem'],
      );
      assert.equal(read('root.pem')?.weakness, undefined);
      assert.match(read('leaf.pem')?.weakness ?? '', /signed with SHA-1/);
    });

    it('returns the alternative name of a certificate without a subject', () => {
      writeFileSync(join(folder.path, 'san.cnf'), '[req]\ndistinguished_name=dn\n[dn]\n');
      openssl(
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/', '-config', 'san.cnf'],
        ...['-addext', 'subjectAltName=critical,URI:spiffe://example.org/ci'],
        ...['-keyout', 'san.key', '-out', 'san.pem'],
      );
      assert.equal(read('san.pem')?.subject, 'URI:spiffe://example.org/ci');
    });
  });
});

describe('judgeCertificates', () => {
  it('finding K01: refuses an expired certificate, with file, subject and time', async () => {
    const { cert } = await expiringIn(-1);
    const [fault, ...others] = certificateFaults(fileOf('own', cert), NOW);
    assert.deepEqual(others, []);
    assert.equal(fault?.pointer, '/tls/certFile');
    assert.equal(
      fault.message,
      'the certificate CN=in--1.example of /etc/tls/cert.pem expired on 2026-11-23T12:00:00Z',
    );
    assert.match(fault.fix, /^Write a new certificate and its key to the files/);
  });

  it('refuses a certificate that is not valid yet, and advises to check the clock', async () => {
    const { cert } = await makeCertificate({ dns: 'early.example', notBefore: new Date(NOW + DAY_MS) });
    const [fault] = certificateFaults(fileOf('own', cert), NOW);
    assert.match(fault?.message ?? '', /is not valid before 2026-11-25T12:00:00Z/);
    assert.match(fault?.fix ?? '', /^Check the clock/);
  });

  it('finding K02: warns 14 days before the end of a certificate, and not earlier', async () => {
    const [soon, later] = [await expiringIn(14), await expiringIn(15)];
    const [warning] = judgeCertificates(fileOf('own', soon.cert), NOW);
    assert.equal(warning?.isWarning, true);
    assert.match(warning.message, /expires on 2026-12-08T12:00:00Z/);
    assert.deepEqual(judgeCertificates(fileOf('own', later.cert), NOW), []);
  });

  it('warns of an expired certificate in a chain or in a bundle, and refuses a bundle without a usable one', async () => {
    const [old, good] = [await expiringIn(-1), await expiringIn(100)];
    const isWarning = (file: CertificateFile) => judgeCertificates(file, NOW).map((one) => one.isWarning);
    assert.deepEqual(isWarning(fileOf('own', good.cert, old.cert)), [true]);
    assert.deepEqual(isWarning(fileOf('own', old.cert, good.cert)), [false]);
    assert.deepEqual(isWarning(fileOf('authority', old.cert, good.cert)), [true]);
    assert.deepEqual(isWarning(fileOf('authority', old.cert, old.cert)), [false, false]);
  });
});

describe('createCertificateJudge', () => {
  it('accepts a certificate again that it accepted before its end, and no other', async () => {
    let now = NOW;
    const judge = createCertificateJudge({ now: () => now });
    const [used, other] = [await expiringIn(1), await expiringIn(1)];
    assert.deepEqual(judge(fileOf('own', used.cert)), []);
    now += 2 * DAY_MS;
    assert.deepEqual(judge(fileOf('own', used.cert)), []);
    assert.equal(judge(fileOf('own', other.cert)).length, 1);
    assert.equal(judge(fileOf('authority', used.cert)).length, 1);
  });
});

describe('expiryOf', () => {
  it('returns the end of the own certificate, or the earlier end of its chain', async () => {
    const [own, chain, ended] = [await expiringIn(20), await expiringIn(10), await expiringIn(-5)];
    const daysOf = (file: CertificateFile) => (expiryOf(file, NOW) - NOW) / DAY_MS;
    assert.equal(daysOf(fileOf('own', own.cert)), 20);
    assert.equal(daysOf(fileOf('own', own.cert, chain.cert)), 10);
    assert.equal(daysOf(fileOf('own', own.cert, ended.cert)), 20);
    assert.equal(daysOf(fileOf('own', ended.cert, own.cert)), -5);
    assert.equal(daysOf(fileOf('authority', ended.cert, own.cert, chain.cert)), 10);
    assert.equal(daysOf(fileOf('authority', ended.cert)), -5);
  });
});
