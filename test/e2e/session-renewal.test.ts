import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { Browser } from '../support/cookie-browser.js';
import { openEventStream } from '../support/event-stream.js';
import { ADA, type SignInServer, startSignInServer, tokenOf } from '../support/sign-in-server.js';

const CSRF_HEADER = { 'x-gatehouse-csrf': '1' };

/** Reply of a renewal. */
interface Renewal {
  readonly state: string;
  readonly reason?: string;
  readonly expiresIn?: number;
}

/** Part of the reply of `GET /whoami`. */
interface WhoAmIReply {
  readonly expiresIn: number;
  readonly isRenewable: boolean;
}

describe('the session of a browser at an identity provider', () => {
  let server: SignInServer;

  before(async () => {
    server = await startSignInServer();
  });

  beforeEach(() => {
    server.provider.mood = {};
  });

  after(() => server.close());

  async function signInBrowser(): Promise<Browser> {
    const browser = new Browser();
    await server.signIn(browser);
    assert.ok(tokenOf(browser));
    return browser;
  }

  async function renew(browser: Browser, idleSeconds = 0): Promise<Renewal> {
    const { text } = await browser.fetch('/console/session/renew', {
      method: 'POST',
      headers: CSRF_HEADER,
      body: { idleSeconds },
    });
    return JSON.parse(text) as Renewal;
  }

  async function statusWith(token: string | undefined): Promise<number> {
    assert.ok(token);
    return (await callUrl(`${server.url}/whoami`, { method: 'GET', token })).status;
  }

  async function logOutAtProvider(token: string): Promise<number> {
    const { status } = await fetch(`${server.url}/console/oidc/back-channel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
    return status;
  }

  it('is reported as renewable to its browser, and not to a program with the same token', async () => {
    const browser = await signInBrowser();
    const ofBrowser = JSON.parse((await browser.fetch('/whoami')).text) as WhoAmIReply;
    assert.equal(ofBrowser.isRenewable, true);
    assert.ok(ofBrowser.expiresIn > 200 && ofBrowser.expiresIn <= 300, String(ofBrowser.expiresIn));
    const token = tokenOf(browser) ?? '';
    const { json } = await callUrl(`${server.url}/whoami`, { method: 'GET', token });
    assert.equal((json as WhoAmIReply).isRenewable, false);
  });

  it('is renewed with a refresh token that no reply and no cookie contains', async () => {
    const browser = await signInBrowser();
    const first = tokenOf(browser);
    const { state, expiresIn } = await renew(browser);
    assert.equal(state, 'renewed');
    assert.ok(expiresIn !== undefined && expiresIn > 290 && expiresIn <= 300, String(expiresIn));
    assert.notEqual(tokenOf(browser), first);
    assert.equal(await statusWith(tokenOf(browser)), 200);
    const used = server.provider.refreshed.at(-1) ?? '';
    assert.match(used, /^refresh-/);
    for (const { value } of browser.cookies) assert.ok(!value.includes('refresh-'));
    const session = browser.cookies.find(({ name }) => name === 'gatehouse-session');
    assert.match(session?.text ?? '', /Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    const record = (await server.records()).find((line) => line.includes('session renewed'));
    assert.match(
      record ?? '',
      /^login\.renewSession 200 session renewed, f3b1-ada of .*, from 127\.0\.0\.1$/,
    );
  });

  it('ends if the new token is that of another person', async () => {
    const browser = await signInBrowser();
    server.provider.mood = { access: { sub: 'eve' }, id: { sub: 'eve' } };
    assert.equal((await renew(browser)).state, 'ended');
  });

  it('is not renewed for a page of another site', async () => {
    const browser = await signInBrowser();
    const sent = { method: 'POST', body: { idleSeconds: 0 } };
    assert.equal((await browser.fetch('/console/session/renew', sent)).status, 403);
  });

  it('ends at the provider too when the person signs out', async () => {
    const browser = await signInBrowser();
    const token = tokenOf(browser);
    const { text } = await browser.fetch('/console/session', { method: 'DELETE', headers: CSRF_HEADER });
    const { ended, signOutUrl } = JSON.parse(text) as { ended: boolean; signOutUrl: string };
    assert.equal(ended, true);
    const query = new URL(signOutUrl).searchParams;
    assert.equal(query.get('post_logout_redirect_uri'), `${server.url}/ui/sign-in`);
    assert.equal(query.get('client_id'), 'console');
    assert.ok(server.provider.given.includes(query.get('id_token_hint') ?? ''));
    assert.equal(new URL((await browser.click(signOutUrl)).url).pathname, '/ui/sign-in');
    assert.equal(await statusWith(token), 401);
    assert.deepEqual(browser.cookies, []);
  });

  it('ends its open streams when the provider signs the person out', async () => {
    const browser = await signInBrowser();
    const [own, other] = await Promise.all([
      openEventStream(`${server.url}/console/events`, tokenOf(browser) ?? ''),
      openEventStream(`${server.url}/console/events`, server.issueToken('admin')),
    ]);
    const token = await server.provider.logoutToken({ sid: server.provider.latestSid() });
    assert.equal(await logOutAtProvider(token), 200);
    await own.ended();
    other.leave();
    await other.ended();
  });

  it('ignores logout tokens that are not for this client, repeated, old or no logout tokens', async () => {
    const browser = await signInBrowser();
    const sid = server.provider.latestSid();
    const { provider, other } = server;
    const bad = await Promise.all([
      provider.logoutToken({ sid, aud: 'another' }),
      provider.logoutToken({ sid, iat: Math.floor(Date.now() / 1000) - 3600 }),
      provider.sign({ aud: 'console', sid }),
      other.logoutToken({ sid, iss: provider.url, aud: 'console' }),
    ]);
    for (const token of [...bad, 'x']) assert.equal(await logOutAtProvider(token), 400);
    assert.equal(await statusWith(tokenOf(browser)), 200);
    const right = await provider.logoutToken({ sid });
    assert.deepEqual([await logOutAtProvider(right), await logOutAtProvider(right)], [200, 400]);
    assert.deepEqual(await renew(browser), { state: 'ended', reason: 'the browser has no session' });
    const record = (await server.records()).find((line) => line.includes('backChannelLogout 200'));
    assert.match(record ?? '', /signed out by the identity provider, one session of unknown subject of /);
  });

  it('ends when another person signs in with a password or a token in the same browser', async () => {
    for (const login of [
      { path: '/login', body: ADA },
      { path: '/console/session', body: { token: server.issueToken('admin') } },
    ]) {
      const browser = await signInBrowser();
      const sent = { method: 'POST', headers: CSRF_HEADER, body: login.body };
      assert.equal((await browser.fetch(login.path, sent)).status, 200);
      const token = tokenOf(browser);
      assert.deepEqual(await renew(browser), { state: 'ended', reason: 'the browser has no session' });
      assert.equal(tokenOf(browser), token);
    }
  });

  it('finding 9: begins in two tabs at once', async () => {
    const browser = new Browser();
    const [first = ''] = (await server.toProvider(browser, '/docs?tab=1')).links;
    const [second = ''] = (await server.toProvider(browser, '/docs?tab=2')).links;
    assert.equal((await browser.click(first)).url, `${server.url}/docs?tab=1`);
    assert.equal((await browser.click(second)).url, `${server.url}/docs?tab=2`);
    assert.deepEqual(browser.cookies.map(({ name }) => name).sort(), ['gatehouse-session', 'token']);
  });

  it('keeps the cookies of the three latest attempts only', async () => {
    const browser = new Browser();
    for (const tab of [1, 2, 3, 4, 5]) await server.toProvider(browser, `/docs?tab=${tab}`);
    assert.equal(browser.cookies.filter(({ name }) => name.startsWith('gatehouse-sign-in-')).length, 3);
  });

  it('is asked for at the introspection endpoint, at most once within the seconds of the cache', async () => {
    const introspection = 'introspection: { clientId: console, clientSecret: $VAULT_adapters/oidc#secret';
    await server.configure(server.url, '', { issuer: `${introspection}, cacheSeconds: 300 },` });
    const browser = await signInBrowser();
    assert.equal(await statusWith(tokenOf(browser)), 200);
    const asked = server.provider.introspections;
    assert.deepEqual([await statusWith(tokenOf(browser)), server.provider.introspections], [200, asked]);
    server.provider.endSessions();
    await server.configure(server.url, '', { issuer: `${introspection}, cacheSeconds: 0 },` });
    assert.equal(await statusWith(tokenOf(browser)), 401);
    // Bug: "does not answer", although it answered 401.
    const unknownClient = introspection.replace('clientId: console', 'clientId: nobody');
    await server.configure(server.url, '', { issuer: `${unknownClient}, cacheSeconds: 1 },` });
    const { status, text, headers } = await callUrl(`${server.url}/whoami`, {
      method: 'GET',
      token: tokenOf(browser) ?? '',
    });
    assert.deepEqual([status, headers['retry-after']], [503, '5']);
    assert.match(text, /"issuer_unavailable".*The issuer of the token refuses the login of this server\./);
    await server.configure();
  });
});
