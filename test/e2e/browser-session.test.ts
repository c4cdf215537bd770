import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { Browser } from '../support/cookie-browser.js';
import {
  ADA,
  problemOf,
  startSignInServer,
  SEAL,
  type SignInServer,
  tokenOf,
} from '../support/sign-in-server.js';

const CSRF_HEADER = { 'x-gatehouse-csrf': '1' };

/** Parses an identity without the remaining time of its token, which differs from one request to the next. */
function identityIn(text: string): object {
  return { ...(JSON.parse(text) as object), expiresIn: undefined };
}

describe('the session of a browser', () => {
  let testServer: SignInServer;
  before(async () => {
    testServer = await startSignInServer();
  });
  after(() => testServer.close());
  beforeEach(() => {
    testServer.provider.mood = {};
  });

  const statusOf = async (token: string): Promise<number> =>
    (await callUrl(`${testServer.url}/whoami`, { method: 'GET', token })).status;
  const signOut = (browser: Browser) =>
    browser.fetch('/console/session', { method: 'DELETE', headers: CSRF_HEADER });

  describe('with a pasted token', () => {
    const submitToken = (browser: Browser, token: string, headers: Record<string, string> = CSRF_HEADER) =>
      browser.fetch('/console/session', { method: 'POST', body: { token }, headers });

    async function openSignInPage(): Promise<Browser> {
      const browser = new Browser();
      await browser.type(`${testServer.url}/console/sign-in`);
      return browser;
    }

    it('sets the token as a cookie, returns the identity, and revokes the token on sign-out', async () => {
      const browser = await openSignInPage();
      const token = testServer.issueToken('admin');
      const { status, text } = await submitToken(browser, token);
      assert.equal(status, 200);
      assert.deepEqual(identityIn(text), identityIn((await browser.fetch('/whoami')).text));
      assert.equal(tokenOf(browser), token);
      assert.deepEqual(JSON.parse((await signOut(browser)).text), { ended: true });
      assert.deepEqual(browser.cookies, []);
      assert.equal(await statusOf(token), 401);
      assert.deepEqual(JSON.parse((await signOut(browser)).text), { ended: false });
      assert.equal((await submitToken(browser, token)).status, 401);
    });

    it('accepts a token of an identity provider, with a cookie for its remaining life', async () => {
      const browser = await openSignInPage();
      const token = await testServer.provider.sign({ aud: 'gatehouse' });
      assert.equal((await submitToken(browser, token)).status, 200);
      assert.match(browser.cookies[0]?.text ?? '', /; Max-Age=(?:300|299|298);/);
    });

    it('refuses requests from another site, and requests without the CSRF header', async () => {
      const token = testServer.issueToken('admin');
      const browser = await openSignInPage();
      await submitToken(browser, token);
      const unmarked = await submitToken(browser, token, {});
      assert.equal(unmarked.status, 403);
      assert.match(unmarked.text, /x-gatehouse-csrf: 1.*"code":"csrf_refused"/);
      await testServer.toProvider(browser);
      for (const method of ['POST', 'DELETE']) {
        const options = { method, headers: CSRF_HEADER, ...(method === 'POST' && { body: { token } }) };
        const foreign = await browser.fetch(`${testServer.url}/console/session`, options);
        assert.equal(foreign.status, 403);
        assert.match(foreign.text, /"csrf_refused"/);
      }
      assert.equal(await statusOf(token), 200);
    });
  });

  describe('with any kind of login', () => {
    it('remains valid after a link from another site, and offers a sign-in to other callers', async () => {
      const [ada, unknownCaller] = [new Browser(), new Browser()];
      await testServer.signIn(ada);
      for (const browser of [ada, unknownCaller]) await browser.type(`${testServer.provider.url}/elsewhere`);
      ada.trail.length = 0;
      assert.equal((await ada.click(`${testServer.url}/docs?a=1`)).status, 200);
      assert.deepEqual(ada.trail, [
        `401 ${testServer.url}/docs []`,
        `200 ${testServer.url}/docs [token gatehouse-session]`,
      ]);
      const page = await unknownCaller.click(`${testServer.url}/docs?a=1`);
      assert.deepEqual([page.status, page.url], [200, `${testServer.url}/ui/sign-in?return=%2Fdocs%3Fa%3D1`]);
    });

    it('sets Secure cookies and https redirects if the public URL uses https', async () => {
      await testServer.configure('https://gateway.example');
      const { headers } = await callUrl(testServer.beginUrl(), { method: 'GET' });
      assert.match(
        String(headers['set-cookie']),
        /^__Host-gatehouse-sign-in-[0-9a-f]{12}=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      );
      const query = new URL(String(headers['location'])).searchParams;
      assert.equal(query.get('redirect_uri'), 'https://gateway.example/console/oidc/callback');
      await testServer.configure();
    });

    it('appears in the audit trail, and exposes no token, code or secret', async () => {
      const records = await testServer.records();
      const ada = `f3b1-ada of ${testServer.provider.url}, from 127.0.0.1`;
      for (const line of [
        `login.finishSignIn 200 signed in, ${ada}`,
        `login.openSession 200 signed in with a token, ${ada}`,
        'login.openSession 403 csrf_refused',
        'login.closeSession 200 signed out, ada of gatehouse, from 127.0.0.1',
      ])
        assert.ok(records.includes(line), line);
      const file = readFileSync(join(testServer.folder, 'data', 'gatehouse.log'), 'utf8');
      const all = [...testServer.logLines, file, ...records].join('\n');
      const { tokenRequests, given, client } = testServer.provider;
      const codes = tokenRequests.flatMap(({ form }) => [form['code'], form['code_verifier']]);
      for (const secret of [...given, ...codes, client.secret, SEAL])
        assert.ok(secret && !all.includes(secret));
    });
  });

  describe('identity review 2: after wrong tokens and failed sign-ins', () => {
    before(async () => {
      const file = join(testServer.folder, 'gatehouse.yaml');
      // The revoked token of the first test counts for the address.
      writeFileSync(file, readFileSync(file, 'utf8').replace('perUser: 60', 'perUser: 3, perAddress: 11'));
      assert.deepEqual(await testServer.running.reload(), []);
    });

    const paste = async (token: string): Promise<number> => {
      const options = { body: { token }, headers: CSRF_HEADER };
      return (await callUrl(`${testServer.url}/console/session`, options)).status;
    };
    const signIn = () => testServer.signIn(new Browser());
    const signsIn = async (): Promise<void> => {
      assert.equal((await signIn()).url, `${testServer.url}/docs`);
    };
    /** The provider has forgotten the audience mapper for this person. */
    const failFor = async (sub: string): Promise<string | null> => {
      testServer.provider.mood = { access: { sub, aud: 'others' }, id: { sub } };
      const problem = problemOf(await signIn());
      testServer.provider.mood = {};
      return problem;
    };

    it('a person who fails again and again locks out nobody else, and is not locked out', async () => {
      for (let time = 0; time < 3; time += 1) assert.equal(await failFor('carol'), 'not_accepted');
      assert.equal(await failFor('carol'), 'too_many_requests');
      for (const sub of ['dave', 'erin']) assert.equal(await failFor(sub), 'not_accepted');
      testServer.provider.mood = { access: { sub: 'carol' }, id: { sub: 'carol' } };
      await signsIn();
    });

    it('finding F9: wrong pasted tokens from an address block neither sign-ins through the provider nor passwords', async () => {
      const statuses = [];
      for (let time = 0; time < 12; time += 1) statuses.push(await paste('a.b.c'));
      assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429, 429]);
      await signsIn();
      assert.equal(await failFor('frank'), 'not_accepted');
      const claims = { sub: 'grace', aud: 'gatehouse', realm_access: { roles: ['net-ops'] } };
      assert.equal(await paste(await testServer.provider.sign(claims)), 200);
      assert.equal((await callUrl(`${testServer.url}/login`, { body: ADA })).status, 200);
      const records = await testServer.records();
      for (const outcome of ['401 unauthorized', '429 too_many_requests'])
        assert.ok(records.includes(`login.openSession ${outcome}, a pasted token, from 127.0.0.1`), outcome);
    });
  });
});
