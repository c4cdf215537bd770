import assert from 'node:assert/strict';
import { afterSignIn } from '../../../console/src/pages/sign-in/return-path.js';

describe('afterSignIn', () => {
  const cases = [
    ['/ui/adapters', '?q=core', '/ui/adapters?q=core'],
    ['/ui/sign-in', '', '/ui/'],
    ['/ui/sign-in', '?return=/json-forms/task/ShowJsonForm?task=1', '/json-forms/task/ShowJsonForm?task=1'],
    ['/ui/sign-in', '?return=https://evil.example/', '/ui/'],
    ['/ui/sign-in', '?return=//evil.example/', '/ui/'],
    ['/ui/sign-in', '?return=/%5Cevil.example/', '/ui/'],
    ['/ui/sign-in', '?return=/%09/evil.example/', '/ui/'],
    ['/ui/sign-in', '?return=javascript:alert(1)', '/ui/'],
    ['/ui/sign-in', '?return=/modules/stop/core1', '/ui/'],
    ['/ui/sign-in', '?return=/ui/../modules/stop/core1', '/ui/'],
  ] as const;
  it('returns a path of this site only', () => {
    for (const [pathname, search, wanted] of cases)
      assert.equal(afterSignIn({ pathname, search }), wanted, wanted);
  });
});
