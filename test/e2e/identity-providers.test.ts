import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { systemScheduler } from '../../src/core/lib/clock.js';
import { readPage } from '../docs/markdown.js';
import { Browser } from '../support/cookie-browser.js';
import { callUrl } from '../support/call.js';
import {
  type Algorithm,
  type IdentityProvider,
  type IdentityProviderOptions,
  startIdentityProvider,
} from '../support/identity-provider.js';
import { SEAL, tokenOf } from '../support/sign-in-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** A gatehouse that trusts one provider at a time, by a new configuration. */
interface TestSite {
  readonly testServer: TestServer;
  /** Starts a certified provider, and applies a configuration that trusts only this provider. */
  open(options: IdentityProviderOptions, block: AuthBlock): Promise<Trust>;
  /** Advances gatehouse's clock by this number of milliseconds. */
  pass(ms: number): void;
  close(): Promise<void>;
}

/** A certified provider and gatehouse, which trusts it. */
interface Trust {
  readonly provider: IdentityProvider;
  readonly testServer: TestServer;
  /** Closes the provider. */
  close(): Promise<void>;
}

/** Returns the block `auth` with the issuer; it ends with a line break. */
type AuthBlock = (provider: IdentityProvider, testServer: string) => string;

async function openTestSite(): Promise<TestSite> {
  let ahead = 0;
  const folder = temporaryFolder().path;
  const testServer = await startTestServer({
    folder,
    clock: { ...systemScheduler, now: () => Date.now() + ahead },
  });
  const file = join(folder, 'gatehouse.yaml');
  const original = readFileSync(file, 'utf8');
  return {
    testServer,
    async open(options, block) {
      const provider = await startIdentityProvider(options);
      testServer.vault.putSecret({ path: 'adapters/oidc' }, { secret: provider.client.secret, seal: SEAL });
      provider.redirectUri = `${testServer.url}/console/oidc/callback`;
      const text = original.replace(/^server: .*\n/m, '');
      const auth = block(provider, testServer.url).replace(
        /^auth:\n/m,
        'auth:\n  local: { keyFile: data/local-issuer.pem }\n',
      );
      const server = /^server:/m.test(auth) ? '' : 'server: { listen: "127.0.0.1:0" }\n';
      writeFileSync(file, text.replace(/^auth: .*\n/m, `${server}${auth}`));
      assert.deepEqual(await testServer.running.reload(), []);
      return { provider, testServer, close: () => provider.close() };
    },
    pass: (ms) => {
      ahead += ms;
    },
    close: () => testServer.close(),
  };
}

async function statusOf({ testServer }: Trust, token: string): Promise<number> {
  return (await callUrl(`${testServer.url}/adapters`, { method: 'GET', token })).status;
}

/** The page of each provider, what its configuration trusts, and the claim that contains the roles. */
const PROVIDERS = [
  {
    name: 'Keycloak',
    page: 'docs/how-to/sign-in-with-keycloak.md',
    host: 'https://keycloak.example',
    path: '/realms/net',
    audience: 'gatehouse',
    rolesOf: (role: string) => ({ realm_access: { roles: ['offline_access', role] } }),
    admin: 'net-admins',
    engineer: 'net-ops',
  },
  {
    name: 'Microsoft Entra ID',
    page: 'docs/how-to/sign-in-with-entra-id.md',
    host: 'https://login.microsoftonline.com',
    path: '/11111111-2222-3333-4444-555555555555/v2.0',
    audience: '66666666-7777-8888-9999-000000000000',
    rolesOf: (role: string) => ({ roles: [role], ver: '2.0', tid: '11111111-2222-3333-4444-555555555555' }),
    admin: 'Gatehouse.Admin',
    engineer: 'Gatehouse.Engineering',
  },
  {
    name: 'Okta',
    page: 'docs/how-to/sign-in-with-okta.md',
    host: 'https://example.okta.com',
    path: '/oauth2/default',
    audience: 'api://default',
    rolesOf: (role: string) => ({ groups: ['Everyone', role] }),
    admin: 'NetAdmins',
    engineer: 'NetOps',
  },
] as const;

/** Returns the issuer that a page configures, without the sign-ins at it, which need their clients. */
function issuerOf(page: string): Readonly<Record<string, unknown>> {
  const block = readPage(page).blocks.find(({ language }) => language === 'yaml');
  const { auth } = parse(block?.text ?? '') as { auth: { issuers: readonly Record<string, unknown>[] } };
  const { signIn, cli, ...issuer } = auth.issuers[0] ?? {};
  assert.ok(signIn !== undefined && cli !== undefined, page);
  return issuer;
}

describe('tokens of a certified identity provider', () => {
  let site: TestSite;
  before(async () => {
    site = await openTestSite();
  });
  after(() => site.close());

  for (const { name, page, host, path, audience, rolesOf, admin, engineer } of PROVIDERS)
    describe(`with the claims of ${name}`, () => {
      const shown = issuerOf(page);
      const asShown: AuthBlock = ({ issuer }) =>
        `auth:\n  issuers: [${JSON.stringify({ ...shown, issuer })}]\n`;
      let trust: Trust | undefined;
      afterEach(() => trust?.close());

      for (const [role, status] of [
        [admin, 200],
        [engineer, 403],
        ['Somebody.Else', 403],
      ] as const)
        it(`are accepted with the configuration of the page: ${role} gets ${status}`, async () => {
          assert.equal(shown['issuer'], `${host}${path}`);
          trust = await site.open({ path, audience, claims: rolesOf(role) }, asShown);
          const token = await trust.provider.token();
          assert.equal(await statusOf(trust, token), status);
          const who = await callUrl(`${trust.testServer.url}/whoami`, { method: 'GET', token });
          const roles = { [admin]: ['admin'], [engineer]: ['engineering'] }[role as string] ?? [];
          assert.deepEqual(
            (who.json as { groups: { name: string }[] }).groups.map((group) => group.name),
            roles,
          );
        });

      it('are refused for another audience', async () => {
        trust = await site.open({ path, audience: 'another', claims: rolesOf(admin) }, asShown);
        assert.equal(await statusOf(trust, await trust.provider.token()), 401);
      });
    });

  const plain =
    (algorithm: Algorithm): AuthBlock =>
    ({ issuer }) =>
      `auth:\n  issuers: [{ issuer: "${issuer}", audience: gatehouse, discovery: true, algorithms: [${algorithm}] }]\n`;
  const claims = { roles: ['admin'] };

  for (const algorithm of ['RS256', 'ES256', 'PS256'] as const)
    describe(`signed with ${algorithm}`, () => {
      let trust: Trust | undefined;
      afterEach(() => trust?.close());

      it('are accepted, also after a key rotation', async () => {
        trust = await site.open({ algorithm, claims }, plain(algorithm));
        const before = await trust.provider.token();
        assert.equal(await statusOf(trust, before), 200);
        await trust.provider.rotate();
        site.pass(REFETCH_MS);
        const after = await trust.provider.token();
        assert.notEqual(kidOf(after), kidOf(before));
        assert.equal(await statusOf(trust, after), 200);
      });

      it('are refused if another algorithm is configured', async () => {
        const other = algorithm === 'RS256' ? 'ES256' : 'RS256';
        trust = await site.open({ algorithm, claims }, plain(other));
        assert.equal(await statusOf(trust, await trust.provider.token()), 401);
      });
    });
});

/** Time in milliseconds after which an unknown key causes another fetch of the keys. */
const REFETCH_MS = 31_000;

function kidOf(token: string): string {
  const [head = ''] = token.split('.', 1);
  return (JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }).kid;
}

describe('the sign-in with a certified identity provider', () => {
  let site: TestSite;
  let trust: Trust;
  const signInBlock: AuthBlock = (
    { issuer, client },
    url,
  ) => `server: { listen: "127.0.0.1:0", publicUrl: "${url}" }
auth:
  signInSecret: $VAULT_adapters/oidc#seal
  issuers:
    - { issuer: "${issuer}", audience: gatehouse, discovery: true, algorithms: [ES256],
        rolesClaim: /realm_access/roles, roleMap: { net-admins: admin },
        signIn: { clientId: ${client.id}, clientSecret: $VAULT_adapters/oidc#secret, name: Example } }
`;
  before(async () => {
    const claims = { realm_access: { roles: ['net-admins'] } };
    site = await openTestSite();
    trust = await site.open({ path: '/realms/net', algorithm: 'ES256', claims }, signInBlock);
  });
  after(async () => {
    await Promise.all([site.close(), trust.close()]);
  });

  function beginUrl(): string {
    const query = new URLSearchParams({ issuer: trust.provider.issuer, return: '/docs' });
    return `${trust.testServer.url}/console/oidc/begin?${query.toString()}`;
  }

  it('identifies the user until sign-out, and again after the next sign-in', async () => {
    const { testServer } = trust;
    const browser = new Browser();
    await browser.type(`${testServer.url}/console/sign-in`);
    const [agree = ''] = (await browser.click(beginUrl())).links;
    const page = await browser.click(agree);
    assert.deepEqual([page.status, page.url], [200, `${testServer.url}/docs`]);
    const token = tokenOf(browser) ?? '';
    assert.equal(await statusOf(trust, token), 200);

    const left = await browser.fetch('/console/session', {
      method: 'DELETE',
      headers: { 'x-gatehouse-csrf': '1' },
    });
    assert.ok(left.status < 300, left.text);
    assert.equal(tokenOf(browser), undefined);
    assert.equal(
      (await browser.type(`${testServer.url}/docs`)).url,
      `${testServer.url}/ui/sign-in?return=%2Fdocs`,
    );
    assert.equal(await statusOf(trust, token), 401);

    // The provider still has the person's session and shows no page.
    const again = await browser.click(beginUrl());
    assert.deepEqual([again.status, again.url], [200, `${testServer.url}/docs`]);
    assert.notEqual(tokenOf(browser), token);
  });
});
