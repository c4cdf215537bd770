import assert from 'node:assert/strict';
import { createBrowserSessions } from '../../src/auth/browser-sessions.js';
import { createSessionCipher } from '../../src/auth/oidc/seal.js';
import { originOf, revokedSessionKey } from '../../src/auth/revoked-sessions.js';
import { createRevokedTokens } from '../../src/auth/revoked-tokens.js';
import type {
  BrowserSessionFilter,
  BrowserSessions,
  RenewedSession,
} from '../../src/core/browser-session.js';
import { Problem } from '../../src/core/problem.js';
import { Secret } from '../../src/core/secret.js';
import { SignInFailure, type SignIns, type SignInTokens } from '../../src/core/sign-in.js';
import { openStore } from '../../src/features/open-store.js';
import { problem } from '../support/failing.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';
import { until } from '../support/until.js';

const KEY = new Secret('key of the sessions of this test, 32 characters');
const ISSUER = 'https://idp.test';
const TOKEN_SECONDS = 300;
const RENEWAL_MS = 40_000;

/** Opens two nodes with one store, and a provider that rotates refresh tokens. */
async function openBench(lifetimes = { idleSeconds: 600, maxSeconds: 3600 }) {
  const clock = createFakeScheduler();
  const store = await openStore('sqlite::memory:');
  const revoked = createRevokedTokens(clock);
  const open = (): BrowserSessions =>
    createBrowserSessions({ store: store.browserSessions, revoked, clock, log: memoryLog().log });
  let issued = 0;
  const used: string[] = [];
  const tokens = (): SignInTokens => {
    issued += 1;
    const expiresAt = Math.floor(clock.now() / 1000) + TOKEN_SECONDS;
    return {
      token: `head.${issued}.signature`,
      principal: { subject: 'ada', issuer: ISSUER, roles: ['admin'], expiresAt },

      idToken: `id ${issued}`,
      refreshToken: `refresh ${issued}`,
      sid: 's1',
    };
  };
  /** Replaces the next renewals. */
  const provider: { renewal?: () => Promise<SignInTokens> } = {};
  return {
    provider,
    clock,
    store,
    revoked,
    used,
    tokens,
    nodes: [open(), open()] as const,
    signIns: {
      lifetimes,
      async renew(_issuer, _subject, refreshToken) {
        used.push(refreshToken);
        // The other node must have time to ask as well.
        await new Promise((resolve) => setImmediate(resolve));
        return provider.renewal ? provider.renewal() : tokens();
      },
      renewalMs: () => RENEWAL_MS,
      sessionCipher: (cookie) => createSessionCipher(KEY, cookie),
    } as Partial<SignIns> as SignIns,
  };
}

describe('createBrowserSessions', () => {
  let bench: Awaited<ReturnType<typeof openBench>>;

  async function open(lifetimes?: Parameters<typeof openBench>[0]): Promise<string> {
    bench = await openBench(lifetimes);
    const { cookie } = await bench.nodes[0].start(bench.tokens(), bench.signIns);
    return cookie;
  }

  type Renewal = Partial<Parameters<BrowserSessions['renew']>[0]> & { readonly node?: BrowserSessions };
  const renew = (cookie: string, { node = bench.nodes[0], ...more }: Renewal = {}) =>
    node.renew({ cookie, sentToken: undefined, idleSeconds: 0, signIns: bench.signIns, ...more });

  const tokenOf = (renewed: RenewedSession) => renewed.state === 'renewed' && renewed.token;
  function reasonOf(renewed: RenewedSession): string | undefined {
    return renewed.state === 'ended' ? renewed.reason : undefined;
  }

  afterEach(() => bench.store.close());

  it('renews an expired token, and rotates the refresh token', async () => {
    const cookie = await open();
    for (const time of [1, 2, 3]) {
      await bench.clock.pass(TOKEN_SECONDS * 1000);
      assert.equal(tokenOf(await renew(cookie)), `head.${time + 1}.signature`);
      assert.equal(bench.used.at(-1), `refresh ${time}`);
    }
  });

  it('keeps neither tokens nor the cookie in the database as text', async () => {
    const cookie = await open();
    const [stored] = await bench.store.browserSessions.removeAll({ issuer: ISSUER, sid: 's1' });
    assert.ok(stored);
    for (const text of [cookie, 'refresh 1', 'head.1', 'id 1'])
      assert.ok(!JSON.stringify(stored).includes(text), text);
    assert.equal(createSessionCipher(KEY, 'another cookie').decrypt(stored.sealed), undefined);
    assert.match(createSessionCipher(KEY, cookie).decrypt(stored.sealed) ?? '', /"refreshToken":"refresh 1"/);
  });

  for (const renewalMs of [0, RENEWAL_MS])
    it(`uses a refresh token once on two nodes, if the provider takes ${renewalMs} ms (bug: twice after 15 s)`, async () => {
      const cookie = await open();
      await bench.clock.pass(TOKEN_SECONDS * 1000);
      bench.provider.renewal = () =>
        new Promise((resolve) => {
          bench.clock.after(renewalMs, () => {
            resolve(bench.tokens());
          });
        });
      const both = Promise.all([renew(cookie), renew(cookie, { node: bench.nodes[1] })]);
      const progress = { isDone: false };
      void both.then(() => (progress.isDone = true));
      while (!progress.isDone) {
        // The waiting node looks at the store again; otherwise the nodes wait for the store or the provider.
        if (bench.clock.next() !== undefined) await bench.clock.pass(200);
        else await new Promise((resolve) => setImmediate(resolve));
      }
      assert.deepEqual((await both).map(tokenOf), ['head.2.signature', 'head.2.signature']);
      assert.deepEqual(bench.used, ['refresh 1']);
    });

  it('returns the valid token to a browser that has lost it, and another one to a browser whose token is refused', async () => {
    const cookie = await open();
    assert.equal(tokenOf(await renew(cookie)), 'head.1.signature');
    assert.deepEqual(bench.used, []);
    assert.equal(tokenOf(await renew(cookie, { sentToken: 'head.1.signature' })), 'head.2.signature');
  });

  it('ends after the idle time and after the maximum time, and revokes its token', async () => {
    const idle = await open();
    assert.equal((await renew(idle, { idleSeconds: 599 })).state, 'renewed');
    await bench.clock.pass(599_000);
    assert.equal((await renew(idle, { idleSeconds: 0 })).state, 'renewed');
    await bench.clock.pass(600_000);
    assert.equal(reasonOf(await renew(idle, { idleSeconds: 600 })), 'the session was idle for too long');
    assert.ok(bench.revoked.has('head.2.signature'));
    assert.equal(reasonOf(await renew(idle)), 'the browser has no session');
    await bench.store.close();

    const long = await open({ idleSeconds: 100_000, maxSeconds: 3600 });
    await bench.clock.pass(3_599_000);
    const last = await renew(long);
    assert.equal(last.state === 'renewed' && last.endsAt - bench.clock.now(), 1000);
    await bench.clock.pass(1_000);
    assert.equal(reasonOf(await renew(long)), 'the session has reached its maximum time');
  });

  it('counts the input of the person in any tab', async () => {
    const cookie = await open();
    await bench.clock.pass(500_000);
    await renew(cookie, { idleSeconds: 0 });
    await bench.clock.pass(500_000);
    // This tab has seen no input since its start, and another tab has.
    assert.equal((await renew(cookie, { idleSeconds: 1_000 })).state, 'renewed');
  });

  it('goes on after a failure of the provider, and ends after its refusal', async () => {
    const cookie = await open();
    await bench.clock.pass(TOKEN_SECONDS * 1000);
    bench.provider.renewal = () => Promise.reject(new SignInFailure('issuer_unavailable', 'away'));
    assert.deepEqual(await renew(cookie), { state: 'unavailable' });
    delete bench.provider.renewal;
    assert.equal((await renew(cookie)).state, 'renewed');
    await bench.clock.pass(TOKEN_SECONDS * 1000);
    bench.provider.renewal = () => Promise.reject(new SignInFailure('not_accepted', 'invalid_grant'));
    assert.equal(reasonOf(await renew(cookie)), 'the identity provider does not renew the session');
  });

  it('ends if the session was ended while the provider answered, and revokes the new token', async () => {
    const cookie = await open();
    await bench.clock.pass(TOKEN_SECONDS * 1000);
    bench.provider.renewal = async () => {
      const notice = { issuer: ISSUER, sid: 's1', subject: undefined, issuedAt: 0 };
      await bench.nodes[1].endAtProvider(notice);
      return bench.tokens();
    };
    assert.equal(reasonOf(await renew(cookie)), 'the session was ended during its renewal');
    assert.ok(bench.revoked.has('head.2.signature'));
  });

  it('ends without a refresh token, and with another key', async () => {
    bench = await openBench();
    const { refreshToken, ...tokens } = bench.tokens();
    assert.ok(refreshToken);
    const { cookie } = await bench.nodes[0].start(tokens, bench.signIns);
    await bench.clock.pass(TOKEN_SECONDS * 1000);
    assert.equal(reasonOf(await renew(cookie)), 'the identity provider gave no refresh token');
    const { cookie: other } = await bench.nodes[0].start(bench.tokens(), bench.signIns);
    const signIns = { ...bench.signIns, sessionCipher: () => createSessionCipher(KEY, 'another') };
    assert.equal(reasonOf(await renew(other, { signIns })), 'the key that seals sessions has changed');
  });

  it('returns the id token of a session that a person ends, and revokes its token', async () => {
    const cookie = await open();
    const ended = { issuer: ISSUER, subject: 'ada', idToken: 'id 1' };
    assert.deepEqual(await bench.nodes[1].end(cookie, bench.signIns), ended);
    assert.ok(bench.revoked.has('head.1.signature'));
    assert.equal(await bench.nodes[1].end(cookie, bench.signIns), undefined);
  });

  it('ends all sessions of a subject at the provider, and no others', async () => {
    const cookie = await open();
    const eve = { ...bench.tokens(), principal: { ...bench.tokens().principal, subject: 'eve' } };
    const { cookie: other } = await bench.nodes[0].start(eve, bench.signIns);
    const issuedAt = Math.floor(bench.clock.now() / 1000);
    const notice = { issuer: ISSUER, sid: undefined, subject: 'ada', issuedAt };
    assert.equal(await bench.nodes[0].endAtProvider(notice), 1);
    assert.equal(reasonOf(await renew(cookie)), 'the browser has no session');
    assert.equal((await renew(other)).state, 'renewed');
    const foreign = { ...notice, issuer: 'https://other.test', subject: 'eve' };
    assert.equal(await bench.nodes[0].endAtProvider(foreign), 0);
  });

  /** Opens a node whose database can be away. */
  function openNode() {
    const database = { isAway: false };
    const { browserSessions } = bench.store;
    const whenBack = <T>(ask: () => Promise<T>): Promise<T> =>
      database.isAway ? Promise.reject(new Problem('store_unavailable', 'away')) : ask();
    const store = {
      ...browserSessions,
      find: (id: string) => whenBack(() => browserSessions.find(id)),
      removeAll: (filter: BrowserSessionFilter) => whenBack(() => browserSessions.removeAll(filter)),
    };
    const { revoked, clock } = bench;
    return { database, node: createBrowserSessions({ store, revoked, clock, log: memoryLog().log }) };
  }

  for (const [what, notice, origin] of [
    ['session', { sid: 's1' }, { session: revokedSessionKey(ISSUER, 's1'), subject: '', issuedAt: 0 }],
    ['subject', { subject: 'ada' }, originOf(ISSUER, { sub: 'ada', iat: 1 })],
  ] as const)
    it(`refuses the tokens of a ${what} at once while the database is away, and ends its sessions afterwards (bug: nothing was revoked)`, async () => {
      const cookie = await open();
      const { database, node } = openNode();
      database.isAway = true;
      const given = { issuer: ISSUER, sid: undefined, subject: undefined, issuedAt: 1, ...notice };
      await assert.rejects(node.endAtProvider(given), problem('store_unavailable'));
      assert.ok(bench.revoked.hasOrigin(origin));
      await bench.clock.pass(3_000);
      assert.ok(!bench.revoked.has('head.1.signature'));
      database.isAway = false;
      await bench.clock.pass(1_000);
      await until(() => bench.revoked.has('head.1.signature'));
      assert.equal(reasonOf(await renew(cookie)), 'the browser has no session');
    });

  it('renews no session that a person ended while the database was away, and ends it afterwards', async () => {
    const cookie = await open();
    const { database, node } = openNode();
    database.isAway = true;
    await assert.rejects(node.end(cookie, bench.signIns), problem('store_unavailable'));
    database.isAway = false;
    assert.equal(reasonOf(await renew(cookie, { node })), 'the person has signed out');
    await node.close();
    assert.ok(bench.revoked.has('head.1.signature'));
    assert.equal(reasonOf(await renew(cookie)), 'the browser has no session');
  });
});
