import assert from 'node:assert/strict';
import { KeycloakBrowser } from '../support/keycloak-browser.js';
import { changeClient } from '../support/keycloak-realm.js';
import { KEYCLOAK } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { eventually } from '../support/until.js';
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

  const begin = async (browser: KeycloakBrowser): Promise<string> => {
    const query = new URLSearchParams({ issuer: site.realm.issuer, return: '/docs' });
    return browser.open(`${site.url}/console/oidc/begin?${query.toString()}`);
  };
  const signIn = async (username = 'alice'): Promise<KeycloakBrowser> => {
    const browser = new KeycloakBrowser();
    await begin(browser);
    await browser.submit({ username, password: site.realm.password });
    assert.equal(browser.page.status, 200, browser.page.url);
    return browser;
  };
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

  it('is renewed with the refresh token, again and again', async () => {
    const browser = await signIn();
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
    const browser = await signIn();
    const { json } = await browser.fetch('DELETE', `${site.url}/console/session`);
    const { ended, signOutUrl = '' } = json as { ended: boolean; signOutUrl?: string };
    assert.ok(ended);
    assert.equal(await statusOf(browser), 401);
    assert.ok(signOutUrl.startsWith(site.realm.issuer), signOutUrl);
    const back = await browser.open(signOutUrl, `${site.url}/ui/sign-in`);
    assert.ok(back.startsWith(`${site.url}/ui/sign-in`), `${back}\n${browser.page.text.slice(0, 500)}`);
    // Keycloak asks for the password again.
    await begin(browser);
    assert.match(browser.page.text, /name="password"/);
  });

  it('ends here, with its bearer token, when Keycloak ends it', async function () {
    this.timeout(REALM_MS);
    // A person with this session only: for several sessions at once Keycloak may send one logout token.
    const browser = await signIn('bob');
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
