import assert from 'node:assert/strict';
import { makeIssuer } from '../support/tokens.js';
import { acceptNow, challengeOf, manualClock, refusalOf, verifierOf } from './fixtures.js';

const clock = manualClock();
const now = (): number => clock.now();
const NOT_ACCESS = 'Bearer error="invalid_token", error_description="The token is not an access token"';

describe('checkTokenType', () => {
  const idp = makeIssuer({ now });
  const open = makeIssuer({ now, settings: { acceptIdTokens: true } });

  const idTokens: readonly object[] = [
    { typ: 'ID' },
    { typ: 'ID', nonce: 'n', at_hash: 'h', azp: 'gatehouse' },
    { nonce: 'n' },
    { at_hash: 'h' },
    { c_hash: 'h' },
    { token_use: 'id' },
  ];
  for (const claims of idTokens)
    it(`identity review 4: refuses the ID token ${JSON.stringify(claims)}, unless acceptIdTokens is set`, async () => {
      const verifier = verifierOf(idp, clock);
      assert.match(await refusalOf(verifier, idp.sign({ ...claims })), /those of an ID token/);
      assert.equal(await challengeOf(verifier, idp.sign({ ...claims })), NOT_ACCESS);
      assert.equal(acceptNow(verifierOf(open, clock), open.sign({ ...claims })).subject, 'tester');
    });

  it('refuses an ID token that calls itself an access token in its header', async () => {
    const token = idp.sign({ typ: 'ID' }, { typ: 'at+jwt' });
    assert.match(await refusalOf(verifierOf(idp, clock), token), /those of an ID token/);
  });

  const otherTokens: readonly object[] = [
    { typ: 'Refresh' },
    { typ: 'Offline' },
    { typ: 'Logout' },
    { typ: 'logout+jwt' },
    { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
  ];
  for (const claims of otherTokens)
    it(`refuses ${JSON.stringify(claims)}, also if acceptIdTokens is set`, async () => {
      for (const issuer of [idp, open]) {
        const verifier = verifierOf(issuer, clock);
        assert.match(
          await refusalOf(verifier, issuer.sign({ ...claims })),
          /refresh token or a logout token/,
        );
        assert.equal(await challengeOf(verifier, issuer.sign({ ...claims })), NOT_ACCESS);
      }
    });

  for (const typ of ['logout+jwt', 'secevent+jwt', 'refresh+jwt', 'dpop+jwt'])
    it(`refuses the header type ${typ}`, async () => {
      const verifier = verifierOf(open, clock);
      assert.match(await refusalOf(verifier, open.sign({}, { typ })), /another typ/);
      assert.equal(await challengeOf(verifier, open.sign({}, { typ })), NOT_ACCESS);
    });

  for (const cnf of [{ jkt: 'a' }, { 'x5t#S256': 'a' }, {}, null])
    it(`identity review 13: never takes a token with cnf ${JSON.stringify(cnf)} as a plain bearer token`, async () => {
      const verifier = verifierOf(open, clock);
      assert.match(await refusalOf(verifier, open.sign({ typ: 'DPoP', cnf })), /bound to a key/);
      assert.match((await challengeOf(verifier, open.sign({ cnf }))) ?? '', /bound to a key of the client/);
    });

  const accessTokens: readonly (readonly [object, object])[] = [
    [{ typ: 'Bearer', azp: 'cli' }, {}],
    [{ typ: 'Bearer', nonce: 'n' }, {}],
    [{ token_use: 'access' }, {}],
    [{ nonce: 'n' }, { typ: 'at+jwt' }],
    [{}, { typ: 'application/at+jwt' }],
    [{ typ: 7 }, { typ: undefined }],
  ];
  for (const [claims, header] of accessTokens)
    it(`accepts ${JSON.stringify(claims)} with the header ${JSON.stringify(header)}`, () => {
      assert.equal(
        acceptNow(verifierOf(idp, clock), idp.sign({ ...claims }, { ...header })).subject,
        'tester',
      );
    });
});
