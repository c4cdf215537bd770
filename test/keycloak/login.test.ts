import assert from 'node:assert/strict';
import { runCommand, type CommandResult } from '../support/command-io.js';
import { KeycloakBrowser } from '../support/keycloak-browser.js';
import { changeClient } from '../support/keycloak-realm.js';
import { KEYCLOAK } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type KeycloakSite, useKeycloakSite } from './gatehouse.js';

describeWith(KEYCLOAK, 'gatehouse login at a real Keycloak', () => {
  let site: KeycloakSite;
  const env = { XDG_CONFIG_HOME: temporaryFolder().path };
  useKeycloakSite((started) => {
    site = started;
  });

  const run = (...args: readonly string[]): Promise<CommandResult> => runCommand(args, { env });

  /** Runs `gatehouse login`, and acts as the person when the command shows or opens a page. */
  async function logIn(
    person: (url: string) => Promise<unknown>,
    ...options: readonly string[]
  ): Promise<CommandResult> {
    let acting: Promise<unknown> | undefined;
    const onMessage = (text: string): void => {
      const [url] = /http\S+[?]user_code=\S+/.exec(text) ?? [];
      if (url !== undefined) acting = person(url);
    };
    const openBrowser = (url: string): void => {
      acting = person(url);
    };
    const result = await runCommand(['login', site.url, ...options], { env, onMessage, openBrowser });
    await acting;
    return result;
  }

  const answerWith = (answer: Readonly<Record<string, string>>) => async (url: string) => {
    const browser = new KeycloakBrowser();
    await browser.open(url);
    await browser.submit({ username: 'alice', password: site.realm.password });
    await browser.submit(answer);
  };
  const confirmDevice = answerWith({ accept: 'Yes' });

  it('signs in with a code on another device, renews the token, and signs out', async () => {
    const { code, out, err } = await logIn(confirmDevice);
    assert.equal(code, 0, err);
    assert.match(out, /^signed in at http:\/\/127\.0\.0\.1:\d+ as .*, with the roles admin\n$/);

    const { out: caller } = await run('whoami', '--json');
    assert.deepEqual((JSON.parse(caller) as { roles: string[] }).roles, ['admin']);
    const first = (await run('token')).out.trim();
    assert.equal((await run('token')).out.trim(), first);
    assert.equal((await site.call('/adapters', first)).status, 200);

    // A token that lives for 20 seconds is renewed at each use.
    await site.keycloak.admin('PUT', `/${site.realm.name}`, { accessTokenLifespan: 20 });
    await logIn(confirmDevice);
    const short = (await run('token')).out.trim();
    const renewed = (await run('token')).out.trim();
    assert.notEqual(renewed, short);
    assert.equal((await site.call('/adapters', renewed)).status, 200);
    await site.keycloak.admin('PUT', `/${site.realm.name}`, { accessTokenLifespan: 300 });

    assert.equal((await run('logout')).code, 0);
    assert.equal((await run('token')).code, 77);
    assert.equal((await site.call('/adapters', renewed)).status, 401);
  });

  it('reports that a person denied the sign-in', async () => {
    const { code, err } = await logIn(answerWith({ cancel: 'No' }));
    assert.equal(code, 1);

    assert.match(err, /Company account: the sign-in was denied \(access_denied\)/);
  });

  it('says that the session at Keycloak has ended, and how to sign in', async () => {
    await site.keycloak.admin('PUT', `/${site.realm.name}`, { accessTokenLifespan: 20 });
    await logIn(confirmDevice);
    await site.keycloak.admin('POST', `/${site.realm.name}/logout-all`);
    const { code, err } = await run('token');
    await site.keycloak.admin('PUT', `/${site.realm.name}`, { accessTokenLifespan: 300 });
    assert.equal(code, 77);
    assert.match(err, /your sign-in at http:\S+ has ended\. Run: gatehouse login http:/);
  });

  it('uses a browser on this machine if Keycloak refuses the device authorization grant', async () => {
    const client = {
      clientId: 'gatehouse-cli',
      attributes: { 'oauth2.device.authorization.grant.enabled': 'false' },
    };
    await changeClient(site.keycloak, site.realm, client);
    const signIn = async (url: string): Promise<void> => {
      const browser = new KeycloakBrowser();
      await browser.open(url);
      await browser.submit({ username: 'bob', password: site.realm.password });
      assert.match(browser.page.text, /<h1>Signed in<\/h1>/);
    };
    const { code, out, err } = await logIn(signIn);
    assert.equal(code, 0, err);
    assert.match(err, /^Company account refuses the device authorization grant \(unauthorized_client\)\./);
    assert.match(out, /with the roles engineering/);
    const { code: refused } = await logIn(signIn, '--device');
    assert.equal(refused, 1);
  });
});
