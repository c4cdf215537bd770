import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readPage } from '../docs/markdown.js';
import { Browser } from '../support/cookie-browser.js';
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  startIdentityProvider,
} from '../support/identity-provider.js';
import { callsTo } from '../support/server-calls.js';
import { SEAL, tokenOf } from '../support/sign-in-server.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Returns the block `auth` with the issuer; it ends with a line break. */
type AuthBlock = (provider: IdentityProvider) => string;

let testServer: TestServer;
let original: string;
const { call } = callsTo(() => testServer);
const statusOf = async (token: string): Promise<number> => (await call('GET /adapters', { token })).status;

/** Starts a gatehouse, which trusts one provider at a time. */
async function openSite(): Promise<void> {
  testServer = await startTestServer();
  original = readFileSync(testServer.configPath, 'utf8').replace(/^server: .*\n/m, '');
}

/** Starts a certified provider, and applies a configuration that trusts only this provider. */
async function trustProvider(options: IdentityProviderOptions, block: AuthBlock): Promise<IdentityProvider> {
  const provider = await startIdentityProvider(options);
  testServer.vault.putSecret({ path: 'adapters/oidc' }, { secret: provider.client.secret, seal: SEAL });
  provider.redirectUri = `${testServer.url}/console/oidc/callback`;
  const auth = `auth:\n  local: { keyFile: data/local-issuer.pem }\n${block(provider)}`;
  const server = `server: { listen: "127.0.0.1:0", publicUrl: "${testServer.url}" }\n`;
  writeFileSync(
    testServer.configPath,
    original.replace(/^auth: .*\n/m, () => server + auth),
  );
  assert.deepEqual(await testServer.running.reload(), []);
  return provider;
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
  before(openSite);
  after(() => testServer.close());

  for (const { name, page, host, path, audience, rolesOf, admin, engineer } of PROVIDERS)
    describe(`with the claims of ${name}`, () => {
      const shown = issuerOf(page);
      const asShown: AuthBlock = ({ issuer }) => `  issuers: [${JSON.stringify({ ...shown, issuer })}]\n`;

      it('are accepted with the roles and the configuration of the page', async () => {
        assert.equal(shown['issuer'], `${host}${path}`);
        const claims = {};
        const provider = await trustProvider({ path, audience, claims }, asShown);
        for (const [role, status, roles] of [
          [admin, 200, ['admin']],
          [engineer, 403, ['engineering']],
          ['Somebody.Else', 403, []],
        ] as const) {
          Object.assign(claims, rolesOf(role));
          const token = await provider.token();
          assert.equal(await statusOf(token), status, role);
          const who = (await call('GET /whoami', { token })).json as { groups: { name: string }[] };
          assert.deepEqual(
            who.groups.map((group) => group.name),
            roles,
          );
        }
        await provider.close();
      });

      it('are refused for another audience', async () => {
        const provider = await trustProvider({ path, audience: 'another', claims: rolesOf(admin) }, asShown);
        assert.equal(await statusOf(await provider.token()), 401);
        await provider.close();
      });
    });
});

describe('the sign-in with a certified identity provider', () => {
  let provider: IdentityProvider;
  const signInBlock: AuthBlock = ({ issuer, client }) => `  signInSecret: $VAULT_adapters/oidc#seal
  issuers:
    - { issuer: "${issuer}", audience: gatehouse, discovery: true, algorithms: [ES256],
        rolesClaim: /realm_access/roles, roleMap: { net-admins: admin },
        signIn: { clientId: ${client.id}, clientSecret: $VAULT_adapters/oidc#secret, name: Example } }
`;
  before(async () => {
    const claims = { realm_access: { roles: ['net-admins'] } };
    await openSite();
    provider = await trustProvider({ path: '/realms/net', algorithm: 'ES256', claims }, signInBlock);
  });
  after(() => Promise.all([testServer.close(), provider.close()]));

  it('identifies the user until sign-out, and again after the next sign-in', async () => {
    const { url } = testServer;
    const query = new URLSearchParams({ issuer: provider.issuer, return: '/docs' });
    const beginUrl = `${url}/console/oidc/begin?${query.toString()}`;
    const browser = new Browser();
    await browser.type(`${url}/console/sign-in`);
    const [agree = ''] = (await browser.click(beginUrl)).links;
    const page = await browser.click(agree);
    assert.deepEqual([page.status, page.url], [200, `${url}/docs`]);
    const token = tokenOf(browser) ?? '';
    assert.equal(await statusOf(token), 200);

    const headers = { 'x-gatehouse-csrf': '1' };
    const left = await browser.fetch('/console/session', { method: 'DELETE', headers });
    assert.ok(left.status < 300, left.text);
    assert.equal(tokenOf(browser), undefined);
    assert.equal((await browser.type(`${url}/docs`)).url, `${url}/ui/sign-in?return=%2Fdocs`);
    assert.equal(await statusOf(token), 401);

    // The provider still has the person's session and shows no page.
    const again = await browser.click(beginUrl);
    assert.deepEqual([again.status, again.url], [200, `${url}/docs`]);
    assert.notEqual(tokenOf(browser), token);
  });
});
