import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect, type TLSSocket } from 'node:tls';
import { Agent, request } from 'undici';
import { runCommand } from '../support/command-io.js';
import { type Certificate, makeCertificate } from '../support/certificates.js';
import { COMMAND, FLAGS } from '../support/gatehouse-command.js';
import { assertMembers } from '../support/members.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Starts `gatehouse serve` as a process of its own. */
async function serve(configPath: string) {
  const child = spawn(process.execPath, [...FLAGS, COMMAND, 'serve', '--config', configPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: LogLine[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as LogLine));
  const line = async (pattern: RegExp, count = 1): Promise<LogLine> => {
    await eventually(() => {
      assert.ok(lines.filter(({ message }) => pattern.test(message)).length >= count, String(pattern));
      return Promise.resolve();
    });
    return lines.filter(({ message }) => pattern.test(message))[count - 1] ?? assert.fail();
  };
  const { message } = await line(/serves https/);
  const port = Number(/:(\d+)$/.exec(message)?.[1]);
  return {
    child,
    lines,
    line,
    port,
    async stop() {
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    },
  };
}

function openTls(port: number): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

/** Returns the serial number that a new connection receives. */
async function serialAt(port: number): Promise<string | undefined> {
  const socket = await openTls(port);
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

const serialOf = ({ cert }: Certificate): string => new X509Certificate(cert).serialNumber;

/** Asserts that new connections receive a certificate; a call worker has each of several in turn. */
async function assertServed(port: number, certificate: Certificate): Promise<void> {
  await eventually(async () => {
    for (let count = 0; count < 4; count += 1) assert.equal(await serialAt(port), serialOf(certificate));
  });
}

const NEW = () => makeCertificate({ ip: '127.0.0.1' });

function writePair(folder: string, { cert, key }: Certificate): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key, { mode: 0o600 });
}

describe('finding 7: gatehouse serve with two processes uses a replaced certificate', function () {
  this.timeout(120_000);
  const { path: folder } = temporaryFolder();
  const configPath = join(folder, 'gatehouse.yaml');
  const mount = join(folder, 'tls');
  let first: Certificate;
  let served: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    first = await NEW();
    writePair(join(mount, '..2026_1'), first);
    symlinkSync('..2026_1', join(mount, '..data'));
    for (const name of ['tls.crt', 'tls.key']) symlinkSync(join('..data', name), join(mount, name));
    const tls = 'tls: { certFile: tls/tls.crt, keyFile: tls/tls.key }';
    writeFileSync(
      configPath,
      `server: { listen: "127.0.0.1:0", workers: 2, ${tls} }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
auth: { local: { keyFile: data/local-issuer.pem } }
`,
    );
    served = await serve(configPath);
  });
  after(() => served.stop());

  const metricsOf = async (): Promise<string> => {
    const { out } = await runCommand(['token', '--role', 'admin', '--config', configPath], {});
    const { body } = await request(`https://127.0.0.1:${served.port}/metrics`, {
      headers: { authorization: `Bearer ${out.trim()}` },
      dispatcher: new Agent({ connect: { rejectUnauthorized: false } }),
    });
    return body.text();
  };
  const replaceFile = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    renameSync(join(folder, name), join(mount, name));
  };
  const refused = (value: 0 | 1): string =>
    `gatehouse_tls_certificate_refused{use="server",name=""} ${value}\n`;

  it('of a mounted secret of Kubernetes, after the swap of its link', async () => {
    await assertServed(served.port, first);
    first = await NEW();
    writePair(join(mount, '..2026_2'), first);
    symlinkSync('..2026_2', join(mount, '..data_tmp'));
    renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
    await assertServed(served.port, first);
  });

  it('of a pair that is written in two steps, without ending a connection', async () => {
    const { port, line } = served;
    const open = await openTls(port);
    const second = await NEW();
    replaceFile('tls.crt', second.cert);
    const reason = JSON.stringify(await line(/certificate of the listener not replaced/));
    assert.match(reason, /does not belong to the certificate/);
    assert.doesNotMatch(JSON.stringify(served.lines), /PRIVATE KEY/);
    await assertServed(port, first);
    await eventually(async () => {
      assert.ok((await metricsOf()).includes(refused(1)));
    });
    replaceFile('tls.key', second.key);
    await assertServed(port, second);
    assertMembers(await line(/certificate replaced/, 2), {
      use: 'server',
      serial: serialOf(second),
      subject: 'CN=127.0.0.1',
      file: join(mount, 'tls.crt'),
    });
    const text = await metricsOf();
    assert.ok(text.includes(refused(0)));
    const expiry =
      'gatehouse_tls_certificate_expiry_timestamp_seconds{use="server",name="",setting="certFile"}';
    assert.ok(text.includes(`${expiry} ${Date.UTC(2040, 0, 1) / 1000}`));
    // The connection from before the replacement is still served.
    open.write('GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n');
    const chunks = await open.toArray();
    assert.match(Buffer.concat(chunks as Buffer[]).toString(), /^HTTP\/1\.1 200 /);
  });

  it('on SIGHUP, and keeps it if the next one has expired', async () => {
    const { port, child, line } = served;
    const third = await NEW();
    writePair(mount, third);
    child.kill('SIGHUP');
    await line(/certificate replaced/, 3);
    await assertServed(port, third);
    const notAfter = new Date(Date.UTC(2021, 0, 1));
    writePair(mount, await makeCertificate({ ip: '127.0.0.1', notAfter }));
    child.kill('SIGHUP');
    const reason = JSON.stringify(await line(/certificate of the listener not replaced/, 2));
    assert.match(reason, /expired on 2021-01-01T00:00:00Z/);
    await assertServed(port, third);
  });
});
