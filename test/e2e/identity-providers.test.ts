import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readPage } from '../docs/markdown.js';
import { startOidcProvider } from '../support/oidc-provider.js';
import { callsTo } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

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

// `test/keycloak` signs in at a provider that is no double.
describe('tokens of an identity provider', () => {
  let testServer: TestServer;
  let original: string;
  before(async () => {
    testServer = await startTestServer();
    original = readFileSync(testServer.configPath, 'utf8');
  });
  after(() => testServer.close());
  const { call } = callsTo(() => testServer);

  for (const { name, page, host, path, audience, rolesOf, admin, engineer } of PROVIDERS)
    it(`have the roles that the page of ${name} configures, and are refused for another audience`, async () => {
      const shown = issuerOf(page);
      assert.equal(shown['issuer'], `${host}${path}`);
      const provider = await startOidcProvider({ person: { sub: 'script' }, algorithm: 'RS256' });
      const issuers = JSON.stringify([{ ...shown, issuer: provider.url }]);
      const auth = `auth: { local: { keyFile: data/local-issuer.pem }, issuers: ${issuers} }\n`;
      writeFileSync(
        testServer.configPath,
        original.replace(/^auth: .*\n/m, () => auth),
      );
      assert.deepEqual(await testServer.running.reload(), []);
      for (const [role, status, roles] of [
        [admin, 200, ['admin']],
        [engineer, 403, ['engineering']],
        ['Somebody.Else', 403, []],
      ] as const) {
        const token = await provider.sign({ aud: audience, ...rolesOf(role) });
        assert.equal((await call('GET /adapters', { token })).status, status, role);
        const who = (await call('GET /whoami', { token })).json as { groups: { name: string }[] };
        assert.deepEqual(
          who.groups.map((group) => group.name),
          roles,
        );
      }
      const elsewhere = await provider.sign({ aud: 'another', ...rolesOf(admin) });
      assert.equal((await call('GET /adapters', { token: elsewhere })).status, 401);
      await provider.close();
    });
});
