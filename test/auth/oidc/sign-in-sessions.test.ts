import assert from 'node:assert/strict';
import { failureOf, SignInBench } from './sign-in-bench.js';

describe('the sessions of sign-ins', () => {
  const bench = new SignInBench();
  const issuer = () => bench.provider.url;

  it('are renewed with the refresh token, for the same subject alone', async () => {
    const node = await bench.openNode();
    const { refreshToken = '', principal } = await bench.signIn(node);
    const renewed = await node.renew(issuer(), principal.subject, refreshToken);
    const { subject, roles } = renewed.principal;
    assert.deepEqual([subject, roles], [principal.subject, principal.roles]);
    assert.notEqual(renewed.refreshToken, refreshToken);
    const failure = await failureOf(node.renew(issuer(), 'another', renewed.refreshToken ?? ''));
    assert.equal(failure, 'not_accepted: the new token has another subject');
  });

  it('are not renewed with another token, or at an issuer without sign-ins', async () => {
    const node = await bench.openNode();
    const failureAt = (url: string) => failureOf(node.renew(url, 'ada', 'unknown'));
    assert.match(await failureAt(issuer()), /^not_accepted: .*\(invalid_grant\)$/);
    assert.equal(await failureAt('https://other.test'), 'issuer_unknown: this issuer has no sign-in');
    assert.equal(node.renewalMs('https://other.test'), 0);
    assert.ok(node.renewalMs(issuer()) > 20_000);
  });

  it('end at the issuer, and return to the page of the sign-out, unless the setting is off', async () => {
    const node = await bench.openNode();
    const url = new URL((await node.signOutUrl(issuer(), 'id-token')) ?? '');
    assert.equal(url.origin + url.pathname, `${issuer()}/end-session`);
    assert.equal(url.searchParams.get('id_token_hint'), 'id-token');
    assert.equal(url.searchParams.get('post_logout_redirect_uri'), 'http://127.0.0.1:1/ui/sign-in');
    assert.equal(await node.signOutUrl('https://other.test', 'id-token'), undefined);
    const silent = await bench.openNode({ signIn: { endSession: false } });
    assert.equal(await silent.signOutUrl(issuer(), 'id-token'), undefined);
  });

  it('end with a logout token of the issuer, and with no other text', async () => {
    const node = await bench.openNode();
    const token = await bench.provider.logoutToken({ sid: 's1' });
    const notice = await node.verifyLogoutToken(token);
    assert.deepEqual([notice.issuer, notice.sid], [issuer(), 's1']);
    for (const [text, reason] of [
      [token, 'was sent before'],
      ['text', 'does not have three parts'],
    ] as const)
      assert.equal(await failureOf(node.verifyLogoutToken(text)), `not_accepted: the logout token ${reason}`);
  });

  it('ask for a prompt if the caller names one, and not otherwise', async () => {
    const node = await bench.openNode();
    const promptOf = async (prompt?: 'login') => {
      const { location } = await node.begin(issuer(), '/docs', prompt);
      return new URL(location).searchParams.get('prompt');
    };
    assert.equal(await promptOf(), null);
    assert.equal(await promptOf('login'), 'login');
  });
});
