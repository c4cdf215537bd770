import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from '../support/cookie-browser.js';
import { callUrl } from '../support/call.js';
import type { OidcProvider } from '../support/oidc-provider.js';
import { openSignInWorld, problemOf, type SignInWorld, tokenOf } from '../support/sign-in-server.js';

describe('the browser sign-in with an identity provider', () => {
  let world: SignInWorld;
  before(async () => {
    world = await openSignInWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.provider.mood = {};
  });

  it('returns only the sign-in methods to a caller without a token', async () => {
    const { status, json } = await callUrl(`${world.url}/console/sign-in`, { method: 'GET' });
    assert.equal(status, 200);
    assert.deepEqual(json, {
      local: true,
      token: true,
      cookies: true,
      issuers: [
        { issuer: world.provider.url, name: 'Example' },
        { issuer: world.other.url, name: new URL(world.other.url).host },
      ],
    });
  });

  it('returns to the requested page after the provider, with a session', async () => {
    const browser = new Browser();
    const refused = await browser.type(`${world.url}/docs?a=1&token=not.a.token`);
    assert.equal(refused.status, 401);
    assert.deepEqual(refused.links, [`${world.url}/ui/sign-in?return=%2Fdocs%3Fa%3D1`]);
    const page = await world.signIn(browser, '/docs?a=1');
    assert.deepEqual([page.status, page.url], [200, `${world.url}/docs?a=1`]);
    assert.match(page.text, /<title>/);
    const cookie = browser.cookies.find(({ name }) => name === 'token');
    assert.match(cookie?.text ?? '', /; Path=\/; Max-Age=(?:300|299|298); HttpOnly; SameSite=Strict$/);
    assert.deepEqual(
      browser.cookies.map(({ name }) => name),
      ['token'],
    );
    const { text } = await browser.fetch('/whoami');
    assert.deepEqual(
      (JSON.parse(text) as { groups: { name: string }[] }).groups.map(({ name }) => name),
      ['admin'],
    );
  });

  it('sends its cookies only where browsers send them: not on the redirect back, but on the next request', async () => {
    const browser = new Browser();
    await world.signIn(browser);
    const trail = browser.trail.map((line) =>
      line.replace(world.url, '').replace(world.provider.url, 'provider'),
    );
    assert.deepEqual(trail, [
      '200 /console/sign-in []',
      '303 /console/oidc/begin []',
      '200 provider/authorize []',
      '302 provider/agree []',
      '200 /console/oidc/callback [gatehouse-sign-in]',
      '200 /docs [token]',
    ]);
  });

  it('uses PKCE, state and nonce, and sends the client secret only to the token endpoint', async () => {
    const browser = new Browser();
    const { url } = await world.toProvider(browser);
    const query = new URL(url).searchParams;
    assert.equal(query.get('scope'), 'openid profile');
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.match(query.get(name) ?? '', /^[\w-]{43}$/);
    const [agree = ''] = browser.page.links;
    await browser.click(agree);
    const { authorization, form } = world.provider.tokenRequests.at(-1)!;
    assert.match(authorization ?? '', /^Basic /);
    assert.deepEqual(Object.keys(form).sort(), ['code', 'code_verifier', 'grant_type', 'redirect_uri']);
  });

  it('succeeds after a reload as well, without a configured sign-in secret', async () => {
    const file = join(world.folder, 'gatehouse.yaml');
    const own = readFileSync(file, 'utf8').replace(/^ {2}signInSecret: .*\n/m, '');
    writeFileSync(file, own);
    assert.deepEqual(await world.running.reload(), []);
    const browser = new Browser();
    const [agree = ''] = (await world.toProvider(browser)).links;
    writeFileSync(file, `${own}roles: { documentation.getDocs: [admin] }\n`);
    assert.deepEqual(await world.running.reload(), []);
    assert.equal((await browser.click(agree)).url, `${world.url}/docs`);
    await world.configure();
  });

  it('supports a provider for which it is a public client', async () => {
    const browser = new Browser();
    assert.equal((await world.signIn(browser, '/docs', world.other.url)).url, `${world.url}/docs`);
    const { authorization, form } = world.other.tokenRequests.at(-1)!;
    assert.deepEqual(
      [authorization, form['client_id'], form['client_secret']],
      [undefined, 'public', undefined],
    );
  });

  it('uses the ID token if the access token has another audience', async () => {
    world.provider.mood = {
      access: { aud: 'somebody-else' },
      id: { aud: ['console', 'gatehouse'], azp: 'console' },
    };
    const browser = new Browser();
    assert.equal((await world.signIn(browser)).status, 200);
    assert.equal(tokenOf(browser), world.provider.given.at(-1));
  });

  it('redirects only to its own pages', async () => {
    for (const evil of [
      ...['https://evil.example/', '//evil.example/', '/\\evil.example', '/ui//evil.example', '/ui/\\x'],
      ...[
        '/adapters',
        '/ui/../modules/stop/x',
        '/ui/%2e%2e/adapters',
        'javascript:alert(1)',
        'ui',
        '',
        '/uix',
      ],
      ...[`/ui/${'a'.repeat(1500)}`, '/ui/\u0000', '/docs\r\nset-cookie: a=b'],
    ]) {
      const browser = new Browser();
      const page = await world.signIn(browser, evil);
      assert.equal(page.url, `${world.url}/ui/`, evil);
    }
  });

  it('reports an unknown issuer, and keeps the return path', async () => {
    const browser = new Browser();
    const page = await browser.type(world.beginUrl('/docs', 'https://nobody.example'));
    assert.equal(problemOf(page), 'issuer_unknown');
    assert.equal(new URL(page.url).searchParams.get('return'), '/docs');
  });

  it('reports that the user denied consent', async () => {
    world.provider.mood = { answer: { code: undefined, error: 'access_denied' } };
    const browser = new Browser();
    const asked = world.provider.tokenRequests.length;
    assert.equal(problemOf(await world.signIn(browser)), 'denied');
    assert.equal(world.provider.tokenRequests.length, asked);
    assert.equal(tokenOf(browser), undefined);
    const [line = ''] = world.logLines.filter((one) => one.includes('a sign-in failed')).slice(-1);
    const { problem, reason } = JSON.parse(line) as Record<string, string>;
    assert.deepEqual([problem, reason], ['denied', 'the issuer returned no code']);
  });

  describe('is refused', () => {
    /** Returns an unused redirect of a sign-in: the address of the callback. */
    async function wayBack(browser: Browser): Promise<string> {
      const [agree = ''] = (await world.toProvider(browser)).links;
      return `${world.provider.redirectUri}${new URL(agree).search}`;
    }

    it('for a browser that has not started it', async () => {
      const victim = new Browser();
      const page = await victim.type(await wayBack(new Browser()));
      assert.equal(problemOf(page), 'state_mismatch');
      assert.equal(tokenOf(victim), undefined);
    });

    it('with the state of another browser', async () => {
      const [victim, attacker] = [new Browser(), new Browser()];
      await world.toProvider(victim);
      assert.equal(problemOf(await victim.type(await wayBack(attacker))), 'state_mismatch');
    });

    it('for a repeated callback', async () => {
      const browser = new Browser();
      const way = await wayBack(browser);
      const kept = browser.cookies.filter(({ name }) => name === 'gatehouse-sign-in');
      assert.equal((await browser.type(way)).url, `${world.url}/docs`);
      assert.equal(problemOf(await browser.type(way)), 'state_mismatch');
      // Even with the cookie, which a browser has forgotten by now, the code is used up.
      browser.cookies.push(...kept);
      assert.equal(problemOf(await browser.type(way)), 'not_accepted');
    });

    it('with the code of another browser', async () => {
      const [victim, attacker] = [new Browser(), new Browser()];
      const own = new URL(await wayBack(victim));
      own.searchParams.set('code', new URL(await wayBack(attacker)).searchParams.get('code') ?? '');
      assert.equal(problemOf(await victim.type(own.href)), 'not_accepted');
      assert.equal(tokenOf(victim), undefined);
    });

    it('with an ID token for another sign-in', async () => {
      for (const id of [{ nonce: 'another' }, { nonce: '' }, { aud: 'gatehouse' }, { azp: 'another' }]) {
        world.provider.mood = { id };
        assert.equal(problemOf(await world.signIn(new Browser())), 'not_accepted', JSON.stringify(id));
      }
      for (const tokens of [{ id_token: undefined }, { id_token: 7 }, { id_token: 'a.b.c' }]) {
        world.provider.mood = { tokens };
        assert.equal(problemOf(await world.signIn(new Browser())), 'not_accepted', JSON.stringify(tokens));
      }
    });

    it('with another or a missing issuer in the callback', async () => {
      for (const iss of [world.other.url, `${world.provider.url}/`, '', undefined]) {
        world.provider.mood = { answer: { iss } };
        const asked = world.provider.tokenRequests.length;
        assert.equal(problemOf(await world.signIn(new Browser())), 'issuer_mismatch', String(iss));
        assert.equal(world.provider.tokenRequests.length, asked);
      }
    });

    it('with a token of another issuer', async () => {
      const foreign = await world.other.sign({ aud: 'gatehouse' });
      world.provider.mood = { tokens: { access_token: foreign } };
      const browser = new Browser();
      assert.equal(problemOf(await world.signIn(browser)), 'not_accepted');
      assert.equal(tokenOf(browser), undefined);
    });

    it('with a token that is too long for a cookie', async () => {
      world.provider.mood = { access: { more: 'x'.repeat(4000) } };
      assert.equal(problemOf(await world.signIn(new Browser())), 'token_too_long');
    });

    it('if the token endpoint redirects, sends too much, sends no JSON, fails or closes the connection', async () => {
      const answers: readonly NonNullable<OidcProvider['mood']['token']>[] = [
        (_request, response) => response.writeHead(307, { location: `${world.other.url}/token` }).end(),
        (_request, response) => response.writeHead(200).end('x'.repeat(300 * 1024)),
        (_request, response) => response.writeHead(200).end('<html>'),
        (_request, response) => response.writeHead(500).end('{}'),
        (request) => request.socket.destroy(),
      ];
      const asked = world.other.tokenRequests.length;
      for (const token of answers) {
        world.provider.mood = { token };
        assert.equal(problemOf(await world.signIn(new Browser())), 'issuer_unavailable');
      }
      assert.equal(world.other.tokenRequests.length, asked);
    });
  });
});
