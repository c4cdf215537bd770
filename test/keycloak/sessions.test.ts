import assert from 'node:assert/strict';
import { KeycloakBrowser } from '../support/keycloak-browser.js';
import { changeClient } from '../support/keycloak-realm.js';
import { KEYCLOAK } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { eventually, until } from '../support/until.js';
import { type KeycloakSite, REALM_MS, useKeycloakSite } from './gatehouse.js';

describeWith(KEYCLOAK, 'the session of a browser at a real Keycloak', () => {
  let site: KeycloakSite;
  useKeycloakSite(async (started) => {
    site = started;
    await changeClient(site.keycloak, site.realm, {
      clientId: 'gatehouse-console',
      attributes: {
        'backchannel.logout.url': `${site.url}/console/oidc/back-channel-logout`,
        'backchannel.logout.session.required': 'true',
        'post.logout.redirect.uris': `${site.url}/ui/sign-in`,
      },
    });
  });

  const statusOf = async (browser: KeycloakBrowser): Promise<number> =>
    (await browser.fetch('GET', `${site.url}/whoami`)).status;
  const renew = async (browser: KeycloakBrowser): Promise<unknown> =>
    (await browser.fetch('POST', `${site.url}/console/session/renew`, { idleSeconds: 0 })).json;
  /** Ends the sessions of a person as an administrator of Keycloak. */
  const logOutAtKeycloak = async (username: string): Promise<void> => {
    const path = `/${site.realm.name}/users`;
    const [person] = (await site.keycloak.admin('GET', `${path}?username=${username}`)) as { id: string }[];
    await site.keycloak.admin('POST', `${path}/${person?.id ?? ''}/logout`);
  };

  it('begins at the requested page, with the roles of the person', async () => {
    const browser = new KeycloakBrowser();
    await browser.open(site.beginUrl);
    assert.ok(browser.page.url.startsWith(site.realm.issuer), browser.page.url);
    await browser.submit({ username: 'alice', password: site.realm.password });
    assert.equal(browser.page.status, 200, browser.page.url);
    assert.match(browser.page.text, /url=\/docs"/);
    await browser.open(`${site.url}/whoami`);
    assert.equal(browser.page.status, 200);
    assert.match(browser.page.text, /"name":"admin"/);
  });

  it('begins at the public origin if it is asked for at another one (bug: always state_mismatch)', async () => {
    const browser = new KeycloakBrowser();
    const at = (origin: string) => `${site.beginUrl}&origin=${encodeURIComponent(origin)}`;
    const other = at(site.url.replace('127.0.0.1', 'localhost'));
    const page = await browser.open(other, `${site.url}/ui/sign-in`);
    assert.equal(page, `${site.url}/ui/sign-in?return=%2Fdocs`);
    await browser.open(at(site.url));
    await browser.submit({ username: 'alice', password: site.realm.password });
    assert.match(browser.page.text, /url=\/docs"/);
  });

  it("logs the error of Keycloak, which wants a pushed authorization request, with the page's request id", async () => {
    const requirePushed = (isRequired: boolean) =>
      changeClient(site.keycloak, site.realm, {
        clientId: 'gatehouse-console',
        attributes: { 'require.pushed.authorization.requests': String(isRequired) },
      });
    await requirePushed(true);
    try {
      const browser = new KeycloakBrowser();
      const page = new URL(await browser.open(site.beginUrl, `${site.url}/ui/sign-in`));
      assert.equal(page.searchParams.get('problem'), 'denied');
      const id = page.searchParams.get('request') ?? 'no id';
      // The output of the process may arrive after its reply.
      await until(() => site.logLines.some((one) => one.includes(id)));
      const line = site.logLines.find((one) => one.includes(id)) ?? '';
      assert.match(line, /"message":"a sign-in failed"/);
      assert.match(line, /the issuer returned the error invalid_request: Pushed Authorization Request/);
    } finally {
      await requirePushed(false);
    }
  });

  it('is renewed with the refresh token, again and again', async () => {
    const browser = await site.signIn();
    for (let times = 0; times < 2; times += 1) {
      const first = browser.cookie('token');
      const { state, expiresIn } = (await renew(browser)) as { state: string; expiresIn: number };
      assert.equal(state, 'renewed');
      assert.ok(expiresIn > 200 && expiresIn <= 300, String(expiresIn));
      assert.notEqual(browser.cookie('token'), first);
      assert.equal(await statusOf(browser), 200);
    }
  });

  it('ends at Keycloak too when the person signs out', async () => {
    const browser = await site.signIn();
    const { json } = await browser.fetch('DELETE', `${site.url}/console/session`);
    const { ended, signOutUrl = '' } = json as { ended: boolean; signOutUrl?: string };
    assert.ok(ended);
    assert.equal(await statusOf(browser), 401);
    assert.ok(signOutUrl.startsWith(site.realm.issuer), signOutUrl);
    const back = await browser.open(signOutUrl, `${site.url}/ui/sign-in`);
    assert.ok(back.startsWith(`${site.url}/ui/sign-in`), `${back}\n${browser.page.text.slice(0, 500)}`);
    // Keycloak asks for the password again.
    await browser.open(site.beginUrl);
    assert.match(browser.page.text, /name="password"/);
  });

  it('ends here, with its bearer token, when Keycloak ends it', async function () {
    this.timeout(REALM_MS);
    // A person with this session only: for several sessions at once Keycloak may send one logout token.
    const browser = await site.signIn('bob');
    const token = browser.cookie('token') ?? '';
    assert.equal((await site.call('/whoami', token)).status, 200);
    await logOutAtKeycloak('bob');
    await eventually(async () => {
      const lines = site.logLines.filter((line) => line.includes('logout'));
      assert.equal(await statusOf(browser), 401, lines.join('\n'));
    });
    assert.equal((await site.call('/whoami', token)).status, 401);
    assert.equal(((await renew(browser)) as { state: string }).state, 'ended');
  });

  it('a bearer token is refused by introspection once its session has ended at Keycloak', async () => {
    const client = `{ clientId: gatehouse-console, clientSecret: ${site.realm.secret}, cacheSeconds: 0 }`;
    await site.configure({ more: `introspection: ${client}` });
    try {
      const token = await site.realm.tokenOf('bob');
      assert.equal((await site.call('/whoami', token)).status, 200);
      await logOutAtKeycloak('bob');
      assert.equal((await site.call('/whoami', token)).status, 401);
    } finally {
      await site.configure({});
    }
  });
});
