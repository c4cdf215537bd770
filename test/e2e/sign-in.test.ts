import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, type Page } from '../support/cookie-browser.js';
import type { OidcProvider } from '../support/oidc-provider.js';
import { startSignInServer, problemOf, type SignInServer, tokenOf } from '../support/sign-in-server.js';

describe('the browser sign-in with an identity provider', () => {
  let testServer: SignInServer;
  before(async () => {
    testServer = await startSignInServer();
  });
  after(() => testServer.close());
  beforeEach(() => {
    testServer.provider.mood = {};
  });

  it('returns to the requested page after the provider, with a session', async () => {
    const browser = new Browser();
    const refused = await browser.type(`${testServer.url}/docs?a=1&token=not.a.token`);
    // The page of the 401 goes on to the sign-in.
    assert.equal(refused.url, `${testServer.url}/ui/sign-in?return=%2Fdocs%3Fa%3D1`);
    const page = await testServer.signIn(browser, '/docs?a=1');
    assert.deepEqual([page.status, page.url], [200, `${testServer.url}/docs?a=1`]);
    assert.match(page.text, /<title>/);
    const cookie = browser.cookies.find(({ name }) => name === 'token');
    assert.match(cookie?.text ?? '', /; Path=\/; Max-Age=(?:300|299|298); HttpOnly; SameSite=Strict$/);
    assert.deepEqual(
      browser.cookies.map(({ name }) => name),
      ['token', 'gatehouse-session'],
    );
    const { text } = await browser.fetch('/whoami');
    assert.deepEqual(
      (JSON.parse(text) as { groups: { name: string }[] }).groups.map(({ name }) => name),
      ['admin'],
    );
  });

  it('sends its cookies only where browsers send them: not on the redirect back, but on the next request', async () => {
    const browser = new Browser();
    await testServer.signIn(browser);
    const trail = browser.trail.map((line) =>
      line
        .replace(testServer.url, '')
        .replace(testServer.provider.url, 'provider')
        .replace(/gatehouse-sign-in-[0-9a-f]{12}/, 'attempt'),
    );
    assert.deepEqual(trail, [
      '200 /console/sign-in []',
      '303 /console/oidc/begin []',
      '200 provider/authorize []',
      '302 provider/agree []',
      '200 /console/oidc/callback [attempt]',
      '200 /docs [token gatehouse-session]',
    ]);
  });

  it('uses PKCE, state and nonce, and sends the client secret only to the token endpoint', async () => {
    const browser = new Browser();
    const { url } = await testServer.toProvider(browser);
    const query = new URL(url).searchParams;
    assert.equal(query.get('scope'), 'openid profile');
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.match(query.get(name) ?? '', /^[\w-]{43}$/);
    const [agree = ''] = browser.page.links;
    await browser.click(agree);
    const { authorization, form } = testServer.provider.tokenRequests.at(-1)!;
    assert.match(authorization ?? '', /^Basic /);
    assert.deepEqual(Object.keys(form).sort(), ['code', 'code_verifier', 'grant_type', 'redirect_uri']);
  });

  it('succeeds after a reload as well, without a configured sign-in secret', async () => {
    const file = join(testServer.folder, 'gatehouse.yaml');
    const own = readFileSync(file, 'utf8').replace(/^ {2}signInSecret: .*\n/m, '');
    writeFileSync(file, own);
    assert.deepEqual(await testServer.running.reload(), []);
    const browser = new Browser();
    const [agree = ''] = (await testServer.toProvider(browser)).links;
    writeFileSync(file, `${own}roles: { documentation.getDocs: [admin] }\n`);
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal((await browser.click(agree)).url, `${testServer.url}/docs`);
    await testServer.configure();
  });

  it('redirects only to its own pages', async () => {
    assert.equal((await testServer.signIn(new Browser(), '//evil.example')).url, `${testServer.url}/ui/`);
  });

  /** Returns the last line of the log about a failed sign-in. */
  function lastFailure(): Readonly<Record<string, string>> {
    const [line = ''] = testServer.logLines.filter((one) => one.includes('a sign-in failed')).slice(-1);
    return JSON.parse(line) as Record<string, string>;
  }

  it('fault 10: logs every failed sign-in, with the request id that the page shows', async () => {
    const shownRequest = (page: Page): string | null => new URL(page.url).searchParams.get('request');
    const failures: (() => Promise<Page>)[] = [
      () => new Browser().type(testServer.beginUrl('/docs', 'https://nobody.example')),
      () => new Browser().type(`${testServer.provider.redirectUri}?state=x&code=y`),
      () => {
        testServer.provider.mood = { access: { filler: 'a'.repeat(4096) } };
        return testServer.signIn(new Browser());
      },
    ];
    const logged: (string | undefined)[] = [];
    for (const fail of failures) {
      const page = await fail();
      const line = lastFailure();
      assert.equal(shownRequest(page), line['requestId'], page.url);
      assert.match(line['requestId'] ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(problemOf(page), line['problem']);
      logged.push(line['problem']);
    }
    assert.deepEqual(logged, ['issuer_unknown', 'state_mismatch', 'token_too_long']);
  });

  describe('is refused', () => {
    /** Returns an unused redirect of a sign-in: the address of the callback. */
    async function callbackUrl(browser: Browser): Promise<string> {
      const [agree = ''] = (await testServer.toProvider(browser)).links;
      return `${testServer.provider.redirectUri}${new URL(agree).search}`;
    }

    it('with the state of another browser', async () => {
      const [victim, attacker] = [new Browser(), new Browser()];
      await testServer.toProvider(victim);
      assert.equal(problemOf(await victim.type(await callbackUrl(attacker))), 'state_mismatch');
    });

    it('for a repeated callback', async () => {
      const browser = new Browser();
      const way = await callbackUrl(browser);
      const kept = browser.cookies.filter(({ name }) => name.startsWith('gatehouse-sign-in-'));
      assert.equal((await browser.type(way)).url, `${testServer.url}/docs`);
      assert.equal(problemOf(await browser.type(way)), 'state_mismatch');
      // The code is used up even with the cookie, which a browser has removed by now.
      browser.cookies.push(...kept);
      assert.equal(problemOf(await browser.type(way)), 'not_accepted');
    });

    it('with the code of another browser', async () => {
      const [victim, attacker] = [new Browser(), new Browser()];
      const own = new URL(await callbackUrl(victim));
      own.searchParams.set('code', new URL(await callbackUrl(attacker)).searchParams.get('code') ?? '');
      assert.equal(problemOf(await victim.type(own.href)), 'not_accepted');
      assert.equal(tokenOf(victim), undefined);
    });

    it('if the token endpoint redirects, sends too much or closes the connection', async () => {
      const answers: readonly NonNullable<OidcProvider['mood']['token']>[] = [
        (_request, response) => response.writeHead(307, { location: `${testServer.other.url}/token` }).end(),
        (_request, response) => response.writeHead(200).end('x'.repeat(300 * 1024)),
        (request) => request.socket.destroy(),
      ];
      const asked = testServer.other.tokenRequests.length;
      for (const token of answers) {
        testServer.provider.mood = { token };
        assert.equal(problemOf(await testServer.signIn(new Browser())), 'issuer_unavailable');
      }
      assert.equal(testServer.other.tokenRequests.length, asked);
    });
  });
});
