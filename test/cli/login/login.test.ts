import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../../support/call.js';
import { runCommand, type CommandResult } from '../../support/command-io.js';
import { type OidcProvider, startOidcProvider } from '../../support/oidc-provider.js';
import { cheapHash } from '../../support/password-hash.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

const PASSWORD = 'pw-of-grace-31';

describe('gatehouse login', () => {
  let provider: OidcProvider;
  let other: OidcProvider;
  let testServer: TestServer;
  let file = '';
  let original = '';
  let env: Readonly<Record<string, string>> = {};

  before(async () => {
    const options = { client: { id: 'gatehouse-cli', secret: '' }, person: { sub: 'ada', roles: ['admin'] } };
    [provider, other] = await Promise.all([startOidcProvider(options), startOidcProvider(options)]);
    const folder = temporaryFolder().path;
    testServer = await startTestServer({ folder });
    file = join(folder, 'gatehouse.yaml');
    original = readFileSync(file, 'utf8');
  });
  after(async () => {
    await Promise.all([testServer.close(), provider.close(), other.close()]);
  });
  beforeEach(async () => {
    provider.mood = {};
    env = { XDG_CONFIG_HOME: temporaryFolder().path };
    await configure([provider]);
  });

  async function configure(providers: readonly OidcProvider[], hasUser = true): Promise<void> {
    const user = `{ username: grace, passwordHash: '${cheapHash(PASSWORD)}', roles: [engineering] }`;
    const issuers = providers.map(
      ({ url, client }, at) =>
        `{ issuer: "${url}", audience: gatehouse, discovery: true, algorithms: [ES256],
        cli: { clientId: ${client.id}${at === 0 ? ', scopes: [profile]' : ''} } }`,
    );
    const auth = `auth:
  local: { keyFile: data/local-issuer.pem, users: [${hasUser ? user : ''}] }
  issuers: [${issuers.join(', ')}]`;
    writeFileSync(
      file,
      original.replace(/^auth: .*$/m, () => auth),
    );
    assert.deepEqual(await testServer.running.reload(), []);
  }

  const run = (...args: readonly string[]): Promise<CommandResult> => runCommand(args, { env });
  const logIn = (...options: readonly string[]): Promise<CommandResult> =>
    runCommand(['login', testServer.url, ...options], { env, openBrowser: (url) => void fetch(url) });

  async function tokenOfUser(): Promise<string> {
    return (await run('token')).out.trim();
  }

  it('lists the ways to log in to anybody, without a secret, for caches', async () => {
    const { status, headers, json } = await callUrl(`${testServer.url}/login/methods`, { method: 'GET' });
    assert.deepEqual([status, headers['cache-control']], [200, 'public, max-age=60']);
    assert.deepEqual(json, {
      password: true,
      issuers: [
        {
          issuer: provider.url,
          name: new URL(provider.url).host,
          clientId: 'gatehouse-cli',
          scopes: ['profile'],
        },
      ],
    });
  });

  it('signs in with a code on any device, and prints the token for curl', async () => {
    const { code, out, err } = await logIn();
    assert.equal(code, 0, err);
    assert.equal(out, `signed in at ${testServer.url} as ada, with the roles admin\n`);
    assert.ok(err.includes(`  ${provider.url}/code?user_code=ABCD-EFGH\n`), err);
    assert.match(err, /confirm the code ABCD-EFGH\. The code is valid for 10 minutes\./);
    const token = await tokenOfUser();
    assert.equal((await callUrl(`${testServer.url}/adapters`, { method: 'GET', token })).status, 200);
    assert.equal((await run('token', '--for-curl')).out, `header = "Authorization: Bearer ${token}"\n`);
  });

  it('uses a browser on this machine if the provider has no device authorization, or refuses it', async () => {
    for (const mood of [
      { metadata: { device_authorization_endpoint: undefined } },
      { deviceError: 'unauthorized_client' },
    ]) {
      provider.mood = mood;
      const { code, out, err } = await logIn();
      assert.equal(code, 0, err);
      assert.match(err, /open this page in a browser on this machine/);
      assert.match(out, /as ada/);
      const { grant_type: grant, redirect_uri: redirectUri } = provider.tokenRequests.at(-1)?.form ?? {};
      assert.equal(grant, 'authorization_code');
      assert.match(redirectUri ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    }
    provider.mood = { deviceError: 'unauthorized_client' };
    assert.match(
      (await logIn('--device')).err,
      /does not allow this grant to the client.*\(unauthorized_client\)/,
    );
    provider.mood = {};
    assert.match((await logIn('--browser')).err, /in a browser on this machine/);
  });

  it('reports a person who denies the sign-in, and keeps the former tokens', async () => {
    await logIn();
    const token = await tokenOfUser();
    provider.mood = { denies: true };
    const { code, err } = await logIn();
    assert.equal(code, 1);
    assert.match(err, /the sign-in was denied \(access_denied\)/);
    assert.equal(await tokenOfUser(), token);
  });

  it('explains a token that the server does not accept', async () => {
    provider.mood = { access: { aud: 'another' } };
    const { code, err } = await logIn();
    assert.equal(code, 77);
    assert.match(
      err,
      /does not accept the access token of the client "gatehouse-cli"\. Usually its audience is missing/,
    );
    assert.equal((await run('token')).code, 77);
  });

  it('renews a token that expires soon, once for several processes', async () => {
    provider.mood = { lifeSeconds: 20 };
    await logIn();
    provider.mood = {};
    const renewals = (): number =>
      provider.tokenRequests.filter(({ form }) => form['grant_type'] === 'refresh_token').length;
    const before = renewals();
    const tokens = await Promise.all([tokenOfUser(), tokenOfUser(), tokenOfUser()]);
    assert.equal(new Set(tokens).size, 1);
    assert.equal(renewals(), before + 1);
    const [token] = tokens;
    assert.equal((await callUrl(`${testServer.url}/adapters`, { method: 'GET', token })).status, 200);
  });

  it('says that the sign-in has ended when the provider refuses the refresh token', async () => {
    provider.mood = { lifeSeconds: 20 };
    await logIn();
    const path = join(env['XDG_CONFIG_HOME'] ?? '', 'gatehouse', 'tokens.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"refresh-[^"]*"/, '"refresh-of-nobody"'));
    const { code, err } = await run('token');
    assert.equal(code, 77);
    assert.match(err, /^gatehouse token: your sign-in at http:\S+ has ended\. Run: gatehouse login http:/);
  });

  it('shows who is signed in, for people and for programs', async () => {
    await logIn();
    const { out } = await run('whoami');
    assert.match(
      out,
      /^ada\n {2}server {2}http:\S+\n {2}issuer {2}http:\/\/localhost:\d+\n {2}roles {3}admin\n/,
    );
    assert.match(out, /; it is renewed before that\n$/);
    const json = JSON.parse((await run('whoami', testServer.url, '--json')).out) as Record<string, unknown>;
    assert.deepEqual(
      [json['url'], json['username'], json['issuer'], json['roles'], json['isRenewed']],
      [testServer.url, 'ada', provider.url, ['admin'], true],
    );
  });

  it('revokes both tokens at logout', async () => {
    await logIn();
    const token = await tokenOfUser();
    const { code, out } = await run('logout');
    assert.deepEqual([code, out], [0, `signed out at ${testServer.url}\n`]);
    assert.match(provider.revoked.at(-1) ?? '', /^refresh-/);
    assert.equal((await callUrl(`${testServer.url}/adapters`, { method: 'GET', token })).status, 401);
    for (const command of ['token', 'whoami']) assert.equal((await run(command)).code, 77);
    assert.equal((await run('logout')).out, 'you are not signed in\n');
  });

  it('logs in with a name and a password', async () => {
    const login = (input: string): Promise<CommandResult> =>
      runCommand(['login', testServer.url, '--username', 'grace'], { env, input });
    const wrong = await login('wrong\n');
    assert.equal(wrong.code, 77);
    assert.match(wrong.err, /^gatehouse login: Invalid credentials\. Correct the name and the password/);
    const { code, out } = await login(`${PASSWORD}\n`);
    assert.deepEqual(
      [code, out],
      [0, `signed in at ${testServer.url} as grace, with the roles engineering\n`],
    );
    assert.match((await run('whoami')).out, /issuer {2}the server itself/);
    assert.equal((await run('logout')).code, 0);
  });

  it('asks for a choice between several providers, by name or issuer', async () => {
    await configure([provider, other]);
    const { code, err } = await logIn();
    assert.equal(code, 64);
    assert.match(err, /choose an identity provider with --issuer: "localhost:\d+" \(http:/);
    assert.equal((await logIn('--issuer', other.url)).code, 0);
    assert.match((await run('whoami')).out, new RegExp(`issuer {2}${other.url}`));
    assert.match(
      (await logIn('--issuer', 'nobody')).err,
      /there is no identity provider "nobody"; there are: /,
    );
  });

  it('says what to do at a server without a way to log in', async () => {
    await configure([]);
    assert.match((await logIn()).err, /takes a name and a password: add --username NAME/);
    await configure([], false);
    assert.match(
      (await logIn()).err,
      /offers no sign-in at a shell\. Its operator can set auth\.issuers\[\]\.cli/,
    );
    assert.match((await logIn('--username', 'grace')).err, /has no users with passwords/);
  });

  it('names a server that is not reached or is no gatehouse, and options that cannot be used', async () => {
    assert.match((await run('login', 'http://127.0.0.1:1')).err, /127\.0\.0\.1:1 cannot be reached: /);
    assert.match(
      (await run('login', provider.url)).err,
      /is not a gatehouse with this command: it answers with status 404/,
    );
    assert.match((await run('login')).err, /name one server/);
    assert.match((await logIn('--device', '--browser')).err, /choose one of --device and --browser/);
    assert.match(
      (await logIn('--ca', '/nowhere/ca.pem')).err,
      /the CA file \/nowhere\/ca\.pem cannot be read/,
    );
  });
});

describe('gatehouse token without --role', () => {
  it('says how to sign in, and how to issue a token on the server', async () => {
    const { code, err } = await runCommand(['token'], { env: { XDG_CONFIG_HOME: temporaryFolder().path } });
    assert.equal(code, 77);
    assert.match(err, /you are not signed in at a server\. Run: gatehouse login URL\n/);
    assert.match(err, /On the server, name at least one role to issue a token, for example --role admin\./);
  });

  it('refuses options that need a role, and --url with a role', async () => {
    assert.match((await runCommand(['token', '--ttl', '60'])).err, /name at least one role/);
    assert.match(
      (await runCommand(['token', '--role', 'admin', '--url', 'https://a'])).err,
      /--url is for the token/,
    );
  });
});
