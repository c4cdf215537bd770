import type { Page } from 'playwright-core';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { assertCleanInBothThemes, choose, dialogOf, press, settled } from '../support/page-text.js';
import { PAGES } from '../support/console-pages.js';
import { fillGallery, type Gallery } from '../support/form-gallery.js';
import { consoleFor, type LookedAt, type LookInside } from '../support/console-errors.js';

/** Overlays of a page, with the action that opens each. */
const OVERLAYS: readonly (readonly [path: string, what: string, open: (page: Page) => Promise<unknown>])[] = [
  // With one row: axe takes a button that the menu covers for a small one.
  ['/adapters?q=core1', 'the menu of an adapter', (page) => press(page, 'Actions for core1')],
  ['/adapters', 'an import', (page) => press(page, 'Import')],
  ['/adapters', 'a log level', (page) => choose(page, 'Actions for core1', 'Set log level')],
  ['/adapters', 'a deletion', (page) => choose(page, 'Actions for lab', 'Delete')],
  ['/forms', 'an import', (page) => press(page, 'Import')],
  ['/', 'the menu of the user', (page) => press(page, 'Account of ada')],
  ['/adapters', 'a suspension', (page) => choose(page, 'Actions for core1', 'Pause (queue calls)')],
  ['/adapters', 'the deleted adapters', (page) => press(page, 'Deleted adapters')],
  ['/adapters?state=running', 'a view to save', (page) => choose(page, 'Views', 'Save view')],
  ['/profiles', 'an import', (page) => press(page, 'Import')],
  ['/forms', 'a new form', (page) => press(page, 'Create')],
  ['/', 'the search', (page) => page.keyboard.press('Control+k')],
  ['/', 'the list of keys', (page) => page.keyboard.press('?')],
];

describeWith([BROWSER, BUILT_PAGES], 'every page of the console, with data', function () {
  let gallery: Gallery;
  const site = consoleFor(this, {
    fill: async ({ testServer }) => {
      gallery = await fillGallery(testServer);
    },
  });
  const look = (path: string, more: LookInside = {}) =>
    site.look(`/ui${path}`, { token: site.testServer.issueToken('admin', 'engineering'), ...more });
  let looked: LookedAt;
  before(async () => {
    looked = await look('/nothing/here', { isKept: true });
  });

  for (const [what, path] of [
    ...PAGES.map((one) => [one, () => one] as const),
    ['a form in the designer', () => `/forms/${gallery.formId}`],
    ['a profile', () => `/profiles/${gallery.profileId}`],
    ['an operation', () => '/api/restCall'],
  ] as const)
    it(`${what} is accessible, light and dark`, async () => {
      await looked.follow(`/ui${path()}`);
      await assertCleanInBothThemes(looked);
    });

  for (const [path, what, open] of OVERLAYS)
    it(`${what} over ${path} is accessible, light and dark`, async () => {
      const covered = await look(path);
      await settled(covered.page);
      await open(covered.page);
      if (what.startsWith('the menu')) await covered.page.getByRole('menu').waitFor();
      else await dialogOf(covered.page);
      await assertCleanInBothThemes(covered);
    });
});
