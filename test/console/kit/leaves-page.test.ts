import assert from 'node:assert/strict';
import { leavesPage } from '../../../console/src/kit/leaves-page.js';

const EDITOR = 'https://gatehouse.example.com/ui/adapters/nso1.example.com?tab=configuration';

describe('the guard of a page with unsaved input', () => {
  for (const [what, to, leaves] of [
    ['another page', '/ui/adapters', true],
    ['another tab', '/ui/adapters/nso1.example.com?tab=log', true],
    ['the first tab, which has no name in the URL', '/ui/adapters/nso1.example.com', true],
    ['the drawer of a request', '/ui/adapters/nso1.example.com?tab=configuration&request=a1', false],
    ['the same page', EDITOR, false],
  ] as const)
    it(`${leaves ? 'asks' : 'does not ask'} before ${what}`, () => {
      assert.equal(leavesPage(EDITOR, to), leaves);
    });
});
