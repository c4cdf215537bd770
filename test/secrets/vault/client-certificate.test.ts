import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { makeCertificate, type Certificate } from '../../support/certificates.js';
import { startHttpProxy } from '../../support/http-proxy.js';
import { eventually } from '../../support/until.js';
import { createTokenBench, type TokenBench } from './token-bench.js';

describe('login with a client certificate', () => {
  let bench: TokenBench;
  let server: Certificate;
  let clientCertificate: Certificate;
  before(async () => {
    server = await makeCertificate({ ip: '127.0.0.1' });
    clientCertificate = await makeCertificate({ dns: 'edge' });
  });
  beforeEach(async () => {
    bench = await createTokenBench({ tls: server });
  });
  afterEach(() => bench.close());
  const auth = (name: string | null) => ({ method: 'cert', mount: 'cert', namespace: null, name }) as const;
  const privateFile = async (name: string, text: string): Promise<string> => {
    const path = await bench.write(name, text);
    await chmod(path, 0o600);
    return path;
  };
  const tlsFiles = async () => ({
    caFile: await bench.write('ca.pem', server.cert),
    certFile: await bench.write('cert.pem', clientCertificate.cert),
    keyFile: await privateFile('key.pem', clientCertificate.key),
    serverName: null,
  });

  it('A-04 logs in with and without a role name', async () => {
    bench.vault.createLoginRole('edge', { kind: 'cert', policies: [], credential: clientCertificate.cert });
    const tls = await tlsFiles();
    await (await bench.open(auth('edge'), { tls })).tokens.current();
    await (await bench.open(auth(null), { tls })).tokens.current();
    assert.deepEqual(
      bench.sent.map(({ body }) => JSON.parse(body) as unknown),
      [{ name: 'edge' }, {}],
    );
    const other = await bench.open(auth('other'), { tls });
    await assert.rejects(other.tokens.current(), { code: 'VAULT_LOGIN_FAILED', fix: /certFile/ });
  });

  it('T-10 presents a renewed certificate at the next login, and the former one until its key has arrived', async () => {
    const tls = await tlsFiles();
    const renewed = await makeCertificate({ dns: 'edge' });
    bench.vault.createLoginRole('edge', { kind: 'cert', policies: [], credential: renewed.cert });
    const { tokens } = await bench.open(auth(null), { tls });
    await assert.rejects(tokens.current(), { code: 'VAULT_LOGIN_FAILED' });
    await writeFile(tls.certFile, renewed.cert);
    await bench.time.pass(5000);
    await assert.rejects(tokens.current(), { code: 'VAULT_LOGIN_FAILED' });
    await writeFile(tls.keyFile, renewed.key);
    await bench.time.pass(5000);
    // The watch of the files reads them in a thread, so a login may still get the latest refusal.
    await eventually(async () => {
      await tokens.current();
    });
  });

  for (const [title, change, fix] of [
    [
      'finding F17: refuses a key that others may read',
      (file: string) => chmod(file, 0o644),
      /chmod 600 .*key\.pem/,
    ],
    [
      'T-10 names the file that is invalid',
      (file: string) => writeFile(file, 'no key'),
      /vault\.tls\.keyFile/,
    ],
  ] as const)
    // prettier-ignore
    it(title, async () => {
      const tls = await tlsFiles();
      await change(tls.keyFile);
      await assert.rejects(bench.open(auth(null), { tls }), { code: 'VAULT_TLS', fix });
    });

  it('T-04 connects through the proxy of the settings', async () => {
    const proxy = await startHttpProxy();
    const auth = { method: 'token', tokenEnv: 'STATIC' } as const;
    const client = await bench.open(auth, { tls: await tlsFiles(), proxy: proxy.url });

    await client.tokens.current();
    assert.deepEqual(proxy.asked, [`CONNECT ${new URL(bench.vault.address).host}`]);
    await client.close();
    await proxy.close();
  });
});
