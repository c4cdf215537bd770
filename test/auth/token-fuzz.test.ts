import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jwtVerify } from 'jose';
import { createVerifier } from '../../src/auth/verifier.js';
import type { Principal } from '../../src/core/principal.js';
import { anyText } from '../support/any-text.js';
import { makeIssuer } from '../support/tokens.js';
import { acceptNow, manualClock, NOW, refusalOf, trust, uniformReason, verifierOf } from './fixtures.js';
import { mutations } from './token-mutations.js';

const clock = manualClock();
const now = (): number => clock.now();

describe('a modified token', () => {
  it('is rejected after any mutation (property)', async () => {
    const issuers = ['ES256', 'RS256', 'PS256'].map((algorithm) =>
      makeIssuer({ algorithm, now, issuer: `https://${algorithm}.test` }),
    );
    const tokens = issuers.flatMap((idp) => [
      idp.sign(),
      idp.sign({ roles: [], jti: 'x' }, { kid: undefined }),
    ]);
    const verifier = createVerifier({ issuers: issuers.map(trust), clock });
    for (const token of tokens) acceptNow(verifier, token);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tokens), mutations, async (token, mutate) => {
        const changed = mutate(token);
        if (!tokens.includes(changed)) await refusalOf(verifier, changed);
      }),
      { numRuns: 4000 },
    );
  });

  it('with any claims is accepted only if jose accepts it too (property)', async () => {
    const idp = makeIssuer({ now });
    const verifier = verifierOf(idp, clock);
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(claims, types, async (claimed, typ) => {
        const token = idp.sign(claimed, { typ });
        if ((await outcomeOf(() => verifier.verify(token))) === undefined) return;
        accepted += 1;
        const options = { algorithms: ['ES256'], audience: 'gatehouse', issuer: idp.settings.issuer };
        const { payload } = await jwtVerify(token, idp.publicKey, {
          ...options,
          currentDate: new Date(now()),
        });
        assert.equal(payload.sub, claimed.sub);
      }),
      { numRuns: 1000 },
    );
    assert.ok(accepted > 100, `too few accepted tokens to prove anything: ${accepted}`);
  });

  it('is rejected when it is replaced by any text (property)', async () => {
    const idp = makeIssuer({ now });
    const verifier = verifierOf(idp, clock);
    const json = fc.json().map((text) => Buffer.from(text).toString('base64url'));
    const parts = fc.tuple(json, json, fc.base64String()).map((three) => three.join('.'));
    await fc.assert(
      fc.asyncProperty(fc.oneof(parts, fc.string(), anyText()), async (text) => {
        await refusalOf(verifier, text);
      }),
      { numRuns: 1000 },
    );
  });
});

async function outcomeOf(verify: () => Principal | Promise<Principal>): Promise<Principal | undefined> {
  try {
    return await verify();
  } catch (error) {
    uniformReason(error);
    return undefined;
  }
}

/** Generates the first value in most cases, so that many tokens are wrong in only one claim. */
function mostly(right: unknown, ...wrong: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(right) }, fc.constantFrom(...wrong));
}

const claims = fc.record({
  iss: mostly('https://idp.test', 'https://evil.test', 1),
  aud: mostly('gatehouse', ['gatehouse', 'x'], 'x', [], null, ['gatehouse', 1]),
  sub: mostly('a', 'ä', '', 1),
  exp: mostly(NOW + 300, NOW - 1, NOW, NOW + 1, NOW + 1e6, '1', null, undefined),
  nbf: mostly(undefined, NOW - 1, NOW, NOW + 1, null),
  iat: mostly(NOW, NOW - 1e6, NOW + 1, undefined, null),
});
const types = mostly('JWT', 'jwt', 'at+jwt', undefined, 'JOSE');
