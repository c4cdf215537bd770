import assert from 'node:assert/strict';
import { chooseToken } from '../../../src/auth/oidc/choose-token.js';
import { invalidToken, RejectedToken } from '../../../src/auth/rejected-token.js';
import type { Principal, TokenVerifier } from '../../../src/core/principal.js';
import { Problem } from '../../../src/core/problem.js';
import { SignInFailure } from '../../../src/core/sign-in.js';
import { makeIssuer } from '../../support/tokens.js';

const ISSUER = 'https://idp.test';
const principal = (roles: readonly string[], issuer = ISSUER): Principal => ({
  subject: 'ada',
  issuer,
  roles,
  expiresAt: 4_000_000_000,
});

/** A verifier that accepts the listed tokens. */
function accepting(principals: Readonly<Record<string, Principal>>): TokenVerifier {
  return {
    verify(token) {
      const found = principals[token];
      if (!found) throw invalidToken(new RejectedToken('signature', `${token.length} characters`));
      return found;
    },
  };
}

describe('chooseToken', () => {
  const idp = makeIssuer({ issuer: ISSUER });
  const id = idp.sign({ sid: 's1' });
  const confirmed = accepting({ [id]: principal([]) });
  const choose = (
    gate: Readonly<Record<string, Principal>>,
    tokens: object = { idToken: id },
    idTokens: TokenVerifier = confirmed,
  ) =>
    chooseToken({ accessToken: 'access', ...tokens }, ISSUER, {
      gate: accepting(gate),
      idTokens,
      clientId: 'console',
    });

  it('takes the access token if both are accepted, with the other tokens of the response', async () => {
    const [access, other] = [principal(['admin']), principal(['engineering'])];
    assert.deepEqual(await choose({ access, [id]: other }, { idToken: id, refreshToken: 'r' }), {
      token: 'access',
      principal: access,
      idToken: id,
      refreshToken: 'r',
      sid: 's1',
    });
  });

  it('takes the id token if only that has roles, or if only that is accepted', async () => {
    const roles = principal(['admin']);
    const foreign = principal(['admin'], 'https://other.test');
    for (const [gate, token] of [
      [{ access: principal([]), [id]: roles }, id],
      [{ [id]: principal([]) }, id],
      [{ access: foreign, [id]: roles }, id],
      [{ access: principal([]), [id]: principal([]) }, 'access'],
    ] as const)
      assert.equal((await choose(gate)).token, token);
  });

  it('leaves out what the response does not have', async () => {
    const access = principal(['admin']);
    assert.deepEqual(await choose({ access }, {}), { token: 'access', principal: access });
    const withoutSid = idp.sign({ sid: 7, azp: 'console' });
    const idTokens = accepting({ [withoutSid]: access });
    const chosen = await choose({ access }, { idToken: withoutSid }, idTokens);
    assert.deepEqual(chosen, { token: 'access', principal: access, idToken: withoutSid });
  });

  /** Returns the problem and the message of a failed choice, and whether the issuer has confirmed the caller. */
  const failureOf = async (choosing: Promise<unknown>) => {
    const error: unknown = await choosing.catch((reason: unknown) => reason);
    assert.ok(error instanceof SignInFailure);
    return [error.problem, error.message, error.caller !== undefined];
  };

  it('names the reason of each token if neither is accepted, and the caller that the issuer has confirmed', async () => {
    const reasons = `neither the access token (6 characters) nor the id token (${id.length} characters)`;
    assert.deepEqual(await failureOf(choose({})), ['not_accepted', `the verifier accepts ${reasons}`, true]);
    const foreign = { access: principal(['admin'], 'https://other.test') };
    const missing =
      'the verifier accepts neither the access token (from another issuer) nor the id token (missing)';
    assert.deepEqual(await failureOf(choose(foreign, {})), ['not_accepted', missing, false]);
  });

  it('refuses an id token for another party, and one that its verifier rejects', async () => {
    const other = idp.sign({ azp: 'portal' });
    const access = principal(['admin']);
    for (const [idToken, verifier, reason] of [
      [other, accepting({ [other]: access }), 'the id token is for another party'],
      [id, accepting({}), `the id token: ${id.length} characters`],
    ] as const)
      assert.deepEqual(await failureOf(choose({ access }, { idToken }, verifier)), [
        'not_accepted',
        reason,
        false,
      ]);
  });

  it('says that the issuer does not answer if the id token cannot be checked', async () => {
    const cause = new Error('the keys are out of reach');
    for (const [error, ...expected] of [
      [
        new Problem('issuer_unavailable', 'x', { cause }),
        'issuer_unavailable',
        'the keys are out of reach',
        false,
      ],
      [new Problem('unauthorized', 'x'), 'not_accepted', 'the id token: unknown', false],
      [new Error('x'), 'not_accepted', 'the id token: unknown', false],
    ] as const) {
      const failing = { verify: () => Promise.reject(error) };
      assert.deepEqual(await failureOf(choose({}, { idToken: id }, failing)), expected);
    }
  });
});
