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
    const provider = { isUp: true, isActive: true };
    const send: HttpClient['send'] = ({ url }) => {
      if (!provider.isUp) return Promise.reject(new Error('the issuer is down'));
      const document = url.endsWith('/introspect') ? { active: provider.isActive } : METADATA;
      const body = Buffer.from(JSON.stringify(document));
      const reply = { status: 200, headers: { 'content-type': 'application/json' }, body };
      return Promise.resolve(reply as Partial<HttpReply> as HttpReply);
    };
    const rules = {
      issuer: ISSUER,
      introspection: { clientId: 'gatehouse', clientSecret: new Secret('c4n4ry-secret'), cacheSeconds: 30 },
    };
    const issuer = { rules } as unknown as ConfiguredIssuer;
    const openHttpClient = () => ({ send, close: () => Promise.resolve() });
    const verifier = withIntrospection({ verify: () => PRINCIPAL }, [issuer], {
      openHttpClient,
      clock,
      log: memoryLog().log,
    });
    return { clock, provider, verify: async () => (await verifier.verify('a.b.c')).subject };
  }

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
