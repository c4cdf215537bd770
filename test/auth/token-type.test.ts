import assert from 'node:assert/strict';
import { makeIssuer, type TestIssuer } from '../support/tokens.js';
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
  /** Asserts that a token is refused with a reason, and with the challenge that says that it is no access token. */
  async function refuses(issuer: TestIssuer, token: string, reason: RegExp): Promise<void> {
    const verifier = verifierOf(issuer, clock);
    assert.match(await refusalOf(verifier, token), reason);
    assert.equal(await challengeOf(verifier, token), NOT_ACCESS);
  }

  for (const claims of idTokens)
    it(`identity review 4: refuses the ID token ${JSON.stringify(claims)}, unless acceptIdTokens is set`, async () => {
      await refuses(idp, idp.sign({ ...claims }), /those of an ID token/);
      assert.equal(acceptNow(verifierOf(open, clock), open.sign({ ...claims })).subject, 'tester');
    });

  it('refuses an ID token that calls itself an access token in its header', async () => {
    await refuses(idp, idp.sign({ typ: 'ID' }, { typ: 'at+jwt' }), /those of an ID token/);
  });

  for (const claims of [
    ...['Refresh', 'Offline', 'Logout', 'logout+jwt'].map((typ) => ({ typ })),
    { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
  ])
    it(`refuses ${JSON.stringify(claims)}, also if acceptIdTokens is set`, async () => {
      for (const issuer of [idp, open])
        await refuses(issuer, issuer.sign({ ...claims }), /refresh token or a logout token/);
    });

  for (const typ of ['logout+jwt', 'secevent+jwt', 'refresh+jwt', 'dpop+jwt'])
    it(`refuses the header type ${typ}`, () => refuses(open, open.sign({}, { typ }), /another typ/));

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
      const token = idp.sign({ ...claims }, { ...header });
      assert.equal(acceptNow(verifierOf(idp, clock), token).subject, 'tester');
    });
});
