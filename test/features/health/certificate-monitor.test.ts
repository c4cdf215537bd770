import assert from 'node:assert/strict';
import type { CertificateFile } from '../../../src/core/certificate.js';
import { openCertificateMonitor } from '../../../src/features/health/certificate-monitor.js';
import { readCertificates } from '../../../src/lib/read-certificates.js';
import { makeCertificate } from '../../support/certificates.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 24, 12);

type Current = Parameters<typeof openCertificateMonitor>[0]['current'];
type Snapshot = ReturnType<Current['current']>;

async function ownFile(days: number, pointer: string): Promise<CertificateFile> {
  const { cert } = await makeCertificate({ dns: 'gw.example', notAfter: new Date(START + days * DAY_MS) });
  return { pointer, file: '/tls/cert.pem', kind: 'own', certificates: readCertificates(cert) };
}

function openMonitor(listener: CertificateFile, adapter: CertificateFile) {
  const scheduler = createFakeScheduler(START);
  const { log, lines } = memoryLog();
  const listeners = new Set<() => void>();
  const state = { listener, refusal: undefined as string | undefined, outdated: new Map<string, string>() };
  const snapshot = () =>
    ({
      listenerTls: { certificates: [state.listener], refusal: state.refusal },
      adapters: new Map([['nso1', { id: 'nso1', certificates: [adapter] }]]),
      main: { value: { verifier: { certificates: [] } } },
      outdated: state.outdated,
    }) as unknown as Snapshot;
  const monitor = openCertificateMonitor({
    current: {
      current: snapshot,
      onSwap(listen) {
        listeners.add(listen);
        return () => listeners.delete(listen);
      },
    },
    secrets: { certificates: () => ({ files: [] }) },
    scheduler,
    log,
  });
  const swap = (): void => {
    for (const listen of listeners) listen();
  };
  return { monitor, scheduler, lines, state, swap, isClosed: () => listeners.size === 0 };
}

describe('openCertificateMonitor', () => {
  let server: CertificateFile;
  let client: CertificateFile;
  before(async () => {
    server = await ownFile(15, '/server/tls/certFile');
    client = await ownFile(365, '/tls/certFile');
  });

  it('warns 14 days before a certificate expires, every day, and reports an error after its end', async () => {
    const { lines, scheduler, monitor, isClosed } = openMonitor(server, client);
    const linesOf = (level: string) => lines.filter((line) => line.level === level);
    assert.deepEqual(lines, []);
    await scheduler.pass(DAY_MS);
    assert.equal(linesOf('warn').length, 1);
    assert.match(JSON.stringify(linesOf('warn')[0]), /certificate needs attention.*gw\.example.*expires on/);
    await scheduler.pass(DAY_MS);
    assert.equal(linesOf('warn').length, 2);
    assert.equal(monitor.problem(), undefined);
    await scheduler.pass(14 * DAY_MS);
    assert.match(JSON.stringify(linesOf('error')[0]), /certificate is not valid.*expired on/);
    assert.match(monitor.problem() ?? '', /gw\.example of \/tls\/cert\.pem expired on .*\. Write a new/);
    monitor.close();
    assert.ok(isClosed());
    assert.equal(scheduler.next(), undefined);
  });

  it('logs a replaced certificate with its serial number, and no other line for an unchanged one', async () => {
    const { lines, state, swap, monitor } = openMonitor(server, client);
    swap();
    assert.equal(lines.length, 0);
    state.listener = await ownFile(400, '/server/tls/certFile');
    swap();
    const [line, ...others] = lines;
    assert.deepEqual(others, []);
    assert.equal(line?.message, 'certificate replaced');
    assert.deepEqual(line.fields, {
      ...{ use: 'server', name: '', setting: '/server/tls/certFile', file: '/tls/cert.pem' },
      ...{ subject: 'CN=gw.example', serial: state.listener.certificates[0]?.serial },
      notAfter: '2027-12-29T12:00:00Z',
    });
    monitor.close();
  });

  it('exposes the end of each certificate, and whether a replacement was refused', () => {
    const { state, monitor } = openMonitor(server, client);
    const samplesOf = (name: string) => monitor.metrics().find((metric) => metric.name === name)?.samples;
    assert.deepEqual(samplesOf('gatehouse_tls_certificate_expiry_timestamp_seconds'), [
      { labels: { use: 'server', name: '', setting: 'certFile' }, value: (START + 15 * DAY_MS) / 1000 },
      { labels: { use: 'adapter', name: 'nso1', setting: 'certFile' }, value: (START + 365 * DAY_MS) / 1000 },
    ]);
    const refused = () =>
      samplesOf('gatehouse_tls_certificate_refused')?.map((sample) => 'value' in sample && sample.value);
    assert.deepEqual(refused(), [0, 0]);
    state.refusal = 'tls at /server/tls/keyFile';
    assert.deepEqual(refused(), [1, 0]);
    assert.match(monitor.problem() ?? '', /not used: tls at \/server\/tls\/keyFile/);
    state.refusal = undefined;
    state.outdated = new Map([['nso1', 'the orchestrator refuses the password']]);
    assert.deepEqual(refused(), [0, 0]);
    state.outdated = new Map([['nso1', 'certificate at /tls/certFile']]);
    assert.deepEqual(refused(), [0, 1]);
    monitor.close();
  });
});
