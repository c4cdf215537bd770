import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkConfig } from '../../src/cli/check-config.js';
import { type Certificate, makeCertificate } from '../support/certificates.js';
import { writeMistake } from '../support/mistakes.js';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 24, 12);
const inDays = (days: number): { readonly notAfter: Date } => ({ notAfter: new Date(NOW + days * DAY_MS) });

const MAIN = 'storage: { url: "sqlite::memory:" }\naudit: { file: data/audit.log }\n';
const ADAPTER = 'plugin: http-rest\nbaseUrl: https://nso.example\n';

describe('gatehouse check of certificates', () => {
  const check = async ({ main = MAIN, ...files }: Readonly<Record<string, string>>) => {
    const folder = writeMistake({ main, files });
    const { faults, warnings } = await checkConfig({
      configPath: join(folder, 'gatehouse.yaml'),
      env: {},
      clock: { now: () => NOW },
      probe: false,
    });
    const short = (all: typeof faults) =>
      all.map(({ pointer, line, message }) => `${pointer} ${line} ${message.replace(folder, '')}`);
    return { faults: short(faults), warnings: short(warnings) };
  };
  const server = ({ cert, key }: Certificate) => ({
    main: `${MAIN}server:\n  tls:\n    certFile: cert.pem\n    keyFile: cert.key\n`,
    'cert.pem': cert,
    'cert.key': key,
  });

  it('finding K01: refuses an expired certificate of the listener', async () => {
    const expired = await makeCertificate({ dns: 'gw.example', ...inDays(-1) });
    assert.deepEqual((await check(server(expired))).faults, [
      '/server/tls/certFile 5 the certificate CN=gw.example of /cert.pem expired on 2026-11-23T12:00:00Z',
    ]);
  });

  it('finding K03: refuses a weak certificate of the listener, and reports no false fault of its key', async () => {
    const weak = await makeCertificate({ dns: 'gw.example', rsaBits: 1024 });
    assert.deepEqual((await check(server(weak))).faults, [
      '/server/tls/certFile 5 the certificate CN=gw.example of /cert.pem is too weak: its key has 1024 bits, and 2048 is the minimum',
    ]);
  });

  it('finding K02: warns of a certificate of the listener that expires soon', async () => {
    const soon = await makeCertificate({ dns: 'gw.example', ...inDays(1) });
    assert.deepEqual(await check(server(soon)), {
      faults: [],
      warnings: [
        '/server/tls/certFile 5 the certificate CN=gw.example of /cert.pem expires on 2026-11-25T12:00:00Z',
      ],
    });
    const good = await makeCertificate({ dns: 'gw.example' });
    assert.deepEqual(await check(server(good)), { faults: [], warnings: [] });
  });

  it('refuses client certificates and CA files of adapters, issuers and Vault that cannot be used', async () => {
    const expired = await makeCertificate({ dns: 'old.example', ...inDays(-1) });
    const good = await makeCertificate({ dns: 'good.example' });
    const vault =
      'vault: { address: "https://vault.example", auth: { method: token_file, file: t }, tls: { caFile: old.pem } }\n';
    const issuer =
      'auth: { issuers: [{ issuer: "https://idp.example", audience: a, algorithms: [RS256], discovery: true, caFile: old.pem }] }\n';
    const { faults } = await check({
      main: MAIN + vault,
      'old.pem': expired.cert,
      'old.key': expired.key,
      'good.pem': good.cert,
      'adapters/nso.yaml': `${ADAPTER}tls: { certFile: ../old.pem, keyFile: ../old.key, caFile: ../good.pem }\n`,
      'adapters/aci.yaml': `${ADAPTER}tls: { caFile: ../old.pem }\n`,
    });
    assert.deepEqual(
      faults.map((fault) => fault.split(' ')[0]),
      ['/vault/tls/caFile', '/tls/caFile', '/tls/certFile'],
    );
    const ofIssuer = await check({ main: MAIN + issuer, 'old.pem': expired.cert });
    assert.match(
      ofIssuer.faults.join(),
      /^\/auth\/issuers\/0\/caFile \d+ the certificate CN=old\.example .*expired/,
    );
  });

  it('refuses settings for client certificates that contradict each other', async () => {
    const own = await makeCertificate({ dns: 'gw.example' });
    const withTls = async (lines: string) => {
      const files = server(own);
      return (await check({ ...files, main: files.main + lines })).faults.join();
    };
    assert.match(await withTls('    clientCertificates: required\n'), /clientCaFile .* is missing/);
    assert.match(await withTls('    clientCaFile: cert.pem\n'), /clientCaFile .* has no effect/);
    const crl = '    clientCertificates: optional\n    clientCaFile: cert.pem\n    clientCrlFile: cert.pem\n';
    assert.match(await withTls(crl), /clientCrlFile .* is not PEM of the expected kind/);
  });
});
