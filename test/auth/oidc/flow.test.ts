import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { challengeOf, FLOW_SECONDS, createFlow, resumeFlow } from '../../../src/auth/oidc/flow.js';
import { createStateCipher } from '../../../src/auth/oidc/seal.js';
import { Secret } from '../../../src/core/secret.js';
import { SignInFailure } from '../../../src/core/sign-in.js';
import { manualClock } from '../fixtures.js';

describe('a sign-in flow', () => {
  const clock = manualClock();
  const seal = createStateCipher(undefined);
  const begin = () => createFlow('https://idp.test', '/ui/', clock);
  const isMismatch = (message: RegExp) => (error: unknown) =>
    error instanceof SignInFailure && error.problem === 'state_mismatch' && message.test(error.message);

  it('has a unique state, nonce and code verifier of 256 bits each', () => {
    const [one, other] = [begin(), begin()];
    const ties = [one, other].flatMap(({ state, nonce, codeVerifier }) => [state, nonce, codeVerifier]);
    for (const tie of ties) assert.match(tie, /^[\w-]{43}$/);
    assert.equal(new Set(ties).size, 6);
    assert.equal(challengeOf(one), createHash('sha256').update(one.codeVerifier).digest('base64url'));
  });

  it('is resumed with its state until it expires', () => {
    const flow = begin();
    const sealed = seal.encrypt(JSON.stringify(flow));
    clock.seconds += FLOW_SECONDS - 1;
    assert.deepEqual(resumeFlow({ sealed, state: flow.state }, seal, clock), flow);
    clock.seconds += 1;
    assert.throws(() => resumeFlow({ sealed, state: flow.state }, seal, clock), isMismatch(/too long/));
  });

  it('is rejected with another state or an invalid cookie', () => {
    const flow = begin();
    const sealed = seal.encrypt(JSON.stringify(flow));
    for (const state of ['', begin().state, flow.state.slice(1), `${flow.state}x`])
      assert.throws(() => resumeFlow({ sealed, state }, seal, clock), isMismatch(/another sign-in/));
    for (const other of [
      '',
      JSON.stringify(flow),
      createStateCipher(new Secret('of another process, 32 characters')).encrypt(JSON.stringify(flow)),
    ])
      assert.throws(
        () => resumeFlow({ sealed: other, state: flow.state }, seal, clock),
        isMismatch(/no pending sign-in/),
      );
  });
});
