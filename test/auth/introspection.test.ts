import assert from 'node:assert/strict';
import { withIntrospection } from '../../src/auth/introspection.js';
import type { ConfiguredIssuer } from '../../src/auth/issuer.js';
import type { HttpClient, HttpReply } from '../../src/core/http.js';
import type { Principal } from '../../src/core/principal.js';
import { Secret } from '../../src/core/secret.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';

const ISSUER = 'https://idp.test';
const HOUR_MS = 3_600_000;
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  introspection_endpoint: `${ISSUER}/introspect`,
};
const PRINCIPAL: Principal = { subject: 'ada', issuer: ISSUER, roles: [], expiresAt: 4_000_000_000 };

describe('the introspection of tokens', () => {
  /** Opens a verifier that accepts each token, with an issuer that the test controls. */
  function open() {
    const clock = createFakeScheduler();
    const provider = { isUp: true, isActive: true, isRefusing: false, asked: 0, closed: 0 };
    const send: HttpClient['send'] = ({ url }) => {
      if (!provider.isUp) return Promise.reject(new Error('the issuer is down'));
      const isQuestion = url.endsWith('/introspect');
      if (isQuestion) provider.asked += 1;
      const isRefused = isQuestion && provider.isRefusing;
      const document = isQuestion ? { active: provider.isActive } : METADATA;
      const body = Buffer.from(JSON.stringify(isRefused ? { error: 'invalid_client' } : document));
      const status = isRefused ? 401 : 200;
      const reply = { status, headers: { 'content-type': 'application/json' }, body };
      return Promise.resolve(reply as Partial<HttpReply> as HttpReply);
    };
    const rules = {
      issuer: ISSUER,
      introspection: { clientId: 'gatehouse', clientSecret: new Secret('c4n4ry-secret'), cacheSeconds: 30 },
    };
    const issuer = { rules } as unknown as ConfiguredIssuer;
    const plain = { rules: { issuer: 'https://plain.test' } } as unknown as ConfiguredIssuer;
    const close = () => {
      provider.closed += 1;
      return Promise.resolve();
    };
    const inner = { principal: PRINCIPAL, isSlow: false };
    const { log, lines } = memoryLog();
    const verifier = withIntrospection(
      { verify: () => (inner.isSlow ? Promise.resolve(inner.principal) : inner.principal) },
      [issuer, plain],
      { openHttpClient: () => ({ send, close }), clock, log },
    );
    const verify = async (token = 'a.b.c') => (await verifier.verify(token)).subject;
    return { clock, provider, inner, lines, verifier, verify };
  }

  it('asks for each token once in cacheSeconds, and answers at once in between', async () => {
    const { clock, provider, verifier, verify } = open();
    assert.equal(await verify(), 'ada');
    assert.equal(provider.asked, 1);
    await clock.pass(29_999);
    assert.equal(verifier.verify('a.b.c'), PRINCIPAL);
    assert.equal(provider.asked, 1);
    assert.equal(await verify('d.e.f'), 'ada');
    assert.equal(provider.asked, 2);
    await clock.pass(1);
    assert.ok(verifier.verify('a.b.c') instanceof Promise);
    assert.equal(await verify(), 'ada');
    assert.equal(provider.asked, 3);
  });

  it('asks once for calls with the same token at the same time', async () => {
    const { provider, verify } = open();
    assert.deepEqual(await Promise.all([verify(), verify(), verify()]), ['ada', 'ada', 'ada']);
    assert.equal(provider.asked, 1);
  });

  it('asks also when the first check has waited, and never for an issuer without the setting', async () => {
    const { provider, inner, verify } = open();
    inner.isSlow = true;
    provider.isActive = false;
    await assert.rejects(verify(), { code: 'unauthorized' });
    inner.principal = { ...PRINCIPAL, issuer: 'https://plain.test' };
    assert.equal(await verify(), 'ada');
    inner.isSlow = false;
    assert.equal(await verify(), 'ada');
    assert.equal(provider.asked, 1);
  });

  it('refuses a token that is not active, with the reason in the cause', async () => {
    const { provider, verify } = open();
    provider.isActive = false;
    await assert.rejects(verify(), (error: Error) => {
      assert.equal(String(error.cause), 'RejectedToken: the issuer says that the token is not active');
      return true;
    });
  });

  it('says whether the issuer is silent or refuses the login of this server, and asks again after 5 seconds', async () => {
    const { clock, provider, lines, verify } = open();
    provider.isUp = false;
    const unavailable = (message: string) => ({ code: 'issuer_unavailable', message });
    await assert.rejects(verify(), unavailable('The issuer of the token does not answer.'));
    provider.isUp = true;
    provider.isRefusing = true;
    await assert.rejects(verify(), (error: { extras: { headers: unknown } } & Error) => {
      assert.equal(error.message, 'The issuer of the token does not answer.');
      assert.deepEqual(error.extras.headers, { 'retry-after': '5' });
      return true;
    });
    assert.equal(lines.length, 1);
    await clock.pass(5_000);
    const refuses = 'The issuer of the token refuses the login of this server.';
    await assert.rejects(verify(), unavailable(refuses));
    assert.equal(lines.length, 1);
    await clock.pass(5_000);
    await assert.rejects(verify(), unavailable(refuses));
    assert.deepEqual(
      lines.map(({ level, message, fields }) => [level, message, fields['issuer']]),
      Array(2).fill(['warn', 'token introspection failed; refusing the tokens of the issuer', ISSUER]),
    );
    provider.isRefusing = false;
    await clock.pass(5_000);
    assert.equal(await verify(), 'ada');
  });

  it('leaves a verifier alone if no issuer has the setting, and closes the connections of the others', async () => {
    const { provider, verifier, verify } = open();
    await verify();
    await verifier.close();
    assert.ok(provider.closed > 0);
    const none = withIntrospection({ verify: () => PRINCIPAL }, [], {} as never);
    assert.equal(none.verify('a.b.c'), PRINCIPAL);
    await none.close();
  });

  it('asks again after the clock was set back (bug: a revoked token stayed valid until the clock had caught up)', async () => {
    const { clock, provider, verify } = open();
    assert.equal(await verify(), 'ada');
    provider.isActive = false;
    assert.equal(await verify(), 'ada');
    clock.set(-HOUR_MS);
    await clock.pass(30_000);
    await assert.rejects(verify(), { code: 'unauthorized' });
  });

  it('tries an issuer again after the clock was set back (bug: a failure lasted until the clock had caught up)', async () => {
    const { clock, provider, verify } = open();
    provider.isUp = false;
    await assert.rejects(verify(), { code: 'issuer_unavailable' });
    provider.isUp = true;
    clock.set(-HOUR_MS);
    await clock.pass(5_000);
    assert.equal(await verify(), 'ada');
  });
});
