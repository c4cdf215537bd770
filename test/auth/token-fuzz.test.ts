import fc from 'fast-check';
import { createVerifier } from '../../src/auth/verifier.js';
import { anyText } from '../support/any-text.js';
import { makeIssuer } from '../support/tokens.js';
import { acceptNow, manualClock, refusalOf, trust, verifierOf } from './fixtures.js';
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
