import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../support/command-io.js';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('gatehouse check --probe with token issuers', () => {
  let provider: OidcProvider;
  before(async () => {
    provider = await startOidcProvider();
    provider.redirectUri = 'https://gateway.example/console/oidc/callback';
  });
  after(() => provider.close());

  function configure(issuer = provider.url): string {
    const path = join(temporaryFolder().path, 'gatehouse.yaml');
    writeFileSync(
      path,
      `server: { publicUrl: https://gateway.example }
auth:
  local: { enabled: false }
  issuers:
    - issuer: ${issuer}
      audience: gatehouse
      discovery: true
      algorithms: [ES256]
      signIn: { clientId: console, clientSecret: "\${CLIENT_SECRET}" }
`,
    );
    return path;
  }

  const check = (path: string, ...more: readonly string[]) =>
    runCommand(['check', '--config', path, ...more], { env: { CLIENT_SECRET: provider.client.secret } });
  const probe = (path: string, ...more: readonly string[]) => check(path, '--probe', ...more);

  it('names the line of an issuer with a trailing slash, and exits with 78', async () => {
    const path = configure(`${provider.url}/`);
    const { code, out } = await probe(path);
    assert.equal(code, 78);
    assert.ok(out.startsWith(`${path}:5:15 /auth/issuers/0/issuer: is not the issuer in its metadata`), out);
    assert.ok(out.includes(`Write issuer: ${provider.url} `), out);
  });

  it('exits with 75 if the issuer alone cannot be reached', async () => {
    const { code, out } = await probe(configure('http://127.0.0.1:1'), '--json');
    assert.equal(code, 75);
    assert.deepEqual(
      (JSON.parse(out) as { code: string; pointer: string }[]).map((one) => [one.code, one.pointer]),
      [['issuer_unreachable', '/auth/issuers/0/issuer']],
    );
  });

  it('asks no issuer without --probe', async () => {
    const asked = provider.requests.length;
    const { code } = await check(configure('http://127.0.0.1:1'));
    assert.equal(code, 0);
    assert.equal((await check(configure())).code, 0);
    assert.equal(provider.requests.length, asked);
  });
});
