import assert from 'node:assert/strict';
import { KeycloakBrowser } from '../support/keycloak-browser.js';
import { changeClient } from '../support/keycloak-realm.js';
import { KEYCLOAK } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { until } from '../support/until.js';
import { type KeycloakSite, useKeycloakSite } from './gatehouse.js';

describeWith(KEYCLOAK, 'the browser sign-in at a real Keycloak', () => {
  let site: KeycloakSite;
  useKeycloakSite((started) => {
    site = started;
  });

  function beginUrl(): string {
    const query = new URLSearchParams({ issuer: site.realm.issuer, return: '/docs' });
    return `${site.url}/console/oidc/begin?${query.toString()}`;
  }

  it('returns to the requested page, with a session that has the roles of the person', async () => {
    const browser = new KeycloakBrowser();
    await browser.open(beginUrl());
    assert.ok(browser.page.url.startsWith(site.realm.issuer), browser.page.url);
    await browser.submit({ username: 'alice', password: site.realm.password });
    assert.equal(browser.page.status, 200, browser.page.url);
    assert.match(browser.page.text, /url=\/docs"/);
    await browser.open(`${site.url}/whoami`);
    assert.equal(browser.page.status, 200);
    assert.match(browser.page.text, /"name":"admin"/);
  });

  it('goes on at the public origin if it begins at another one (bug: always state_mismatch)', async () => {
    const browser = new KeycloakBrowser();
    const other = `${beginUrl()}&origin=${encodeURIComponent(site.url.replace('127.0.0.1', 'localhost'))}`;
    const page = await browser.open(other, `${site.url}/ui/sign-in`);
    assert.equal(page, `${site.url}/ui/sign-in?return=%2Fdocs`);
    await browser.open(`${beginUrl()}&origin=${encodeURIComponent(site.url)}`);
    await browser.submit({ username: 'alice', password: site.realm.password });
    assert.match(browser.page.text, /url=\/docs"/);
  });

  it("logs the error of Keycloak, which wants a pushed authorization request, with the page's request id", async () => {
    const client = {
      clientId: 'gatehouse-console',
      attributes: { 'require.pushed.authorization.requests': 'true' },
    };
    await changeClient(site.keycloak, site.realm, client);
    try {
      const browser = new KeycloakBrowser();
      const page = new URL(await browser.open(beginUrl(), `${site.url}/ui/sign-in`));
      assert.equal(page.searchParams.get('problem'), 'denied');
      const id = page.searchParams.get('request') ?? 'no id';
      // The output of the process may arrive after its reply.
      await until(() => site.logLines.some((one) => one.includes(id)));
      const line = site.logLines.find((one) => one.includes(id));
      assert.match(line ?? '', /"message":"a sign-in failed"/);
      assert.match(line ?? '', /the issuer returned the error invalid_request: Pushed Authorization Request/);
    } finally {
      const attributes = { 'require.pushed.authorization.requests': 'false' };
      await changeClient(site.keycloak, site.realm, { ...client, attributes });
    }
  });
});
