import assert from 'node:assert/strict';
import fc from 'fast-check';
import { returnPath, signInPage } from '../../src/core/sign-in.js';

describe('returnPath', () => {
  it('returns permitted paths', () => {
    const paths =
      '/ui /ui/ /ui/forms?x=1 /docs /docs?a=//b /json-forms/task/ShowJsonForm?task=1&d=%5C /ui/a%2f..%2fb /ui/%E2%82%AC';
    for (const path of paths.split(' ')) assert.equal(returnPath(path), path, path);
  });

  it('returns the console for every other path', () => {
    const others = String.raw`/ ui/ //evil.example /\evil.example ///ui /ui\.. /uix /docs2 https://evil.example/ui/
      javascript:alert(1) /ui//x /ui/../adapters /ui/.%2E/adapters /%2e/..//ui /ui/é /adapters /console/oidc/begin /whoami
      /json-forms/forms`;
    const unusual = [undefined, null, '', '/ui/\t/x', '/ui/\n', ' /ui/', `/ui/${'a'.repeat(1500)}`];
    for (const path of [...unusual, ...others.split(/\s+/)])
      assert.equal(returnPath(path), '/ui/', JSON.stringify(path?.slice(0, 40)));
  });

  it('fits into the cookie after percent-encoding', () => {
    for (const text of ['"', "'", '<', 'a']) {
      const path = `/ui/?x=${text.repeat(1400)}`;
      assert.ok(returnPath(path).length <= 1500, text);
    }
  });

  it('returns a page of this server for any input (property)', () => {
    const wished = fc.oneof(
      fc.string(),
      fc.string().map((text) => `/${text}`),
      fc.webUrl(),
      fc
        .array(fc.constantFrom('/', '.', '..', '\\', 'ui', '%2e', '%2f', '?', '#', '@', ':', 'docs'))
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(wished, (text) => {
        const { origin, pathname } = new URL(returnPath(text), 'https://gateway.test');
        assert.equal(origin, 'https://gateway.test');
        assert.match(pathname, /^\/(?:ui|docs|json-forms\/task)(?:\/|$)/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('signInPage', () => {
  it('appends the problem and the return path', () => {
    assert.equal(signInPage(), '/ui/sign-in');
    const found = signInPage({ problem: 'denied', returnTo: '/ui/?a=1&b' });
    assert.equal(found, '/ui/sign-in?problem=denied&return=%2Fui%2F%3Fa%3D1%26b');
  });
});
