import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, type Page } from '../support/cookie-browser.js';
import { callUrl } from '../support/call.js';
import { openEventStream } from '../support/event-stream.js';
import {
  ADA,
  openSignInWorld,
  problemOf,
  SEAL,
  type SignInWorld,
  tokenOf,
} from '../support/sign-in-server.js';

const MARK = { 'x-gatehouse-csrf': '1' };

describe('the session of a browser', () => {
  let world: SignInWorld;
  before(async () => {
    world = await openSignInWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.provider.mood = {};
  });

  describe('with a pasted token', () => {
    const show = (browser: Browser, token: string, headers: Record<string, string> = MARK) =>
      browser.fetch('/console/session', { method: 'POST', body: { token }, headers });

    async function atHome(): Promise<Browser> {
      const browser = new Browser();
      await browser.type(`${world.url}/console/sign-in`);
      return browser;
    }

    it('sets the token as a cookie, returns the identity, and revokes the token on sign-out', async () => {
      const browser = await atHome();
      const token = world.issueToken('admin');
      const { status, text } = await show(browser, token);
      assert.equal(status, 200);
      assert.equal(text, (await browser.fetch('/whoami')).text);
      assert.equal(tokenOf(browser), token);
      const bye = await browser.fetch('/console/session', { method: 'DELETE', headers: MARK });
      assert.deepEqual(JSON.parse(bye.text), { ended: true });
      assert.deepEqual(browser.cookies, []);
      const later = await callUrl(`${world.url}/whoami`, { method: 'GET', token });
      assert.equal(later.status, 401);
      const again = await browser.fetch('/console/session', { method: 'DELETE', headers: MARK });
      assert.deepEqual(JSON.parse(again.text), { ended: false });
      assert.equal((await show(browser, token)).status, 401);
    });

    it('ends the event streams of its token on sign-out, but no others', async () => {
      const browser = await atHome();
      const token = world.issueToken('admin');
      await show(browser, token);
      const events = await openEventStream(`${world.url}/console/events`, token);
      assert.equal(events.status, 200);
      await browser.fetch('/console/session', { method: 'DELETE', headers: MARK });
      assert.match(await events.ended(), /^retry: 3000\n\n/);
      assert.equal((await openEventStream(`${world.url}/console/events`, token)).status, 401);
      const other = await openEventStream(`${world.url}/console/events`, world.issueToken('admin'));
      assert.equal(other.status, 200);
      other.leave();
    });

    it('revokes the token of a password login on sign-out', async () => {
      const browser = await atHome();
      assert.equal((await browser.fetch('/login', { method: 'POST', body: ADA })).status, 200);
      assert.equal((await browser.fetch('/whoami')).status, 200);
      const old = tokenOf(browser)!;
      await browser.fetch('/console/session', { method: 'DELETE', headers: MARK });
      assert.equal((await callUrl(`${world.url}/whoami`, { method: 'GET', token: old })).status, 401);
    });

    it('accepts a token of an identity provider, with a cookie for its remaining life', async () => {
      const browser = await atHome();
      const token = await world.provider.sign({ aud: 'gatehouse' });
      assert.equal((await show(browser, token)).status, 200);
      assert.match(browser.cookies[0]?.text ?? '', /; Max-Age=(?:300|299|298);/);
    });

    it('refuses a token that has expired, has another audience, or is malformed', async () => {
      const browser = await atHome();
      const now = Math.floor(Date.now() / 1000);
      for (const token of [
        await world.provider.sign({ aud: 'gatehouse', iat: now - 600, exp: now - 300 }),
        await world.provider.sign({ aud: 'others' }),
        'not.a.token',
      ]) {
        const { status, text } = await show(browser, token);
        assert.deepEqual([status, (JSON.parse(text) as { code: string }).code], [401, 'unauthorized']);
      }
      assert.equal((await show(browser, 'x'.repeat(5000))).status, 400);
      assert.deepEqual(browser.cookies, []);
    });

    it('refuses requests from another site, and requests without the CSRF header', async () => {
      const token = world.issueToken('admin');
      const browser = await atHome();
      await show(browser, token);
      const codeOf = (page: Page): unknown => (JSON.parse(page.text) as { code?: string }).code;
      const unmarked = await show(browser, token, {});
      assert.deepEqual([unmarked.status, codeOf(unmarked)], [403, 'csrf_refused']);
      assert.match(unmarked.text, /x-gatehouse-csrf: 1/);
      await world.toProvider(browser);
      for (const method of ['POST', 'DELETE']) {
        const options = { method, headers: MARK, ...(method === 'POST' && { body: { token } }) };
        const foreign = await browser.fetch(`${world.url}/console/session`, options);
        assert.deepEqual([foreign.status, codeOf(foreign)], [403, 'csrf_refused']);
      }
      assert.equal((await callUrl(`${world.url}/whoami`, { method: 'GET', token })).status, 200);
    });
  });

  describe('with any kind of login', () => {
    it('remains valid after a link from another site, and offers a sign-in to other callers', async () => {
      const [ada, unknownCaller] = [new Browser(), new Browser()];
      await world.signIn(ada);
      for (const browser of [ada, unknownCaller]) await browser.type(`${world.provider.url}/elsewhere`);
      ada.trail.length = 0;
      assert.equal((await ada.click(`${world.url}/docs?a=1`)).status, 200);
      assert.deepEqual(ada.trail, [`401 ${world.url}/docs []`, `200 ${world.url}/docs [token]`]);
      const page = await unknownCaller.click(`${world.url}/docs?a=1`);
      assert.deepEqual([page.status, page.links], [401, [`${world.url}/ui/sign-in?return=%2Fdocs%3Fa%3D1`]]);
    });

    it('shows a page with the required role to a browser, and a problem to other clients', async () => {
      await world.configure(world.url, 'roles: { documentation.getDocs: [auditor] }\n');
      const page = await world.signIn(new Browser());
      assert.deepEqual([page.status, page.headers['content-type']], [403, 'text/html; charset=utf-8']);
      assert.match(page.text, /documentation\.getDocs needs one of these roles: auditor\./);
      const program = await callUrl(`${world.url}/docs`, { method: 'GET', token: world.issueToken('admin') });
      assert.deepEqual([program.status, (program.json as { code: string }).code], [403, 'forbidden']);
      await world.configure();
    });

    it('sets Secure cookies and https redirects if the public URL uses https', async () => {
      await world.configure('https://gateway.example');
      const { headers } = await callUrl(world.beginUrl(), { method: 'GET' });
      assert.match(
        String(headers['set-cookie']),
        /^gatehouse-sign-in=[\w-]+; Path=\/console\/oidc; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      );
      const query = new URL(String(headers['location'])).searchParams;
      assert.equal(query.get('redirect_uri'), 'https://gateway.example/console/oidc/callback');
      await world.configure();
    });

    it('limits the attempts with invalid tokens, but not password logins', async () => {
      const browser = new Browser();
      await browser.type(`${world.url}/console/sign-in`);
      let status = 0;
      for (let time = 0; time < 61 && status !== 429; time += 1)
        ({ status } = await browser.fetch('/console/session', {
          method: 'POST',
          body: { token: 'not.a.token' },
          headers: MARK,
        }));
      assert.equal(status, 429);
      assert.equal(problemOf(await world.signIn(new Browser())), 'too_many_requests');
      assert.equal((await browser.fetch('/login', { method: 'POST', body: ADA })).status, 200);
    });

    it('appears in the audit trail, and exposes no token, code or secret', async () => {
      assert.equal(problemOf(await new Browser().type(world.provider.redirectUri)), 'too_many_requests');
      const told = await world.records();
      const ada = `f3b1-ada of ${world.provider.url}, from 127.0.0.1`;
      for (const line of [
        `login.finishSignIn 200 signed in, ${ada}`,
        'login.finishSignIn 303 too_many_requests, from 127.0.0.1',
        `login.openSession 200 signed in with a token, ${ada}`,
        'login.openSession 401 unauthorized, a pasted token, from 127.0.0.1',
        'login.openSession 403 csrf_refused',
        'login.closeSession 200 signed out, ada of gatehouse, from 127.0.0.1',
      ])
        assert.ok(told.includes(line), line);
      const kept = [
        world.logLines.join(''),
        readFileSync(join(world.folder, 'data', 'gatehouse.log'), 'utf8'),
      ];
      const all = [...kept, ...told].join('\n');
      const codes = world.provider.tokenRequests.flatMap(({ form }) => [form['code'], form['code_verifier']]);
      for (const secret of [...world.provider.given, ...codes, world.provider.client.secret, SEAL])
        assert.ok(secret && !all.includes(secret));
    });
  });
});
