import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { consoleFor, describePages, type LookedAt } from '../support/console-errors.js';
import { failRequests, PAGES } from '../support/console-pages.js';
import { galleryFor } from '../support/form-gallery.js';
import {
  assertClean,
  assertCleanInBothThemes,
  assertFits,
  assertPartClean,
  choose,
  press,
  settled,
  showTheme,
  within,
} from '../support/page-text.js';

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
  ['/adapters', 'a restart', (page) => choose(page, 'Actions for core1', 'Restart')],
  ['/adapters', 'the deleted adapters', (page) => press(page, 'Deleted adapters')],
  ['/adapters?state=running', 'a view to save', (page) => choose(page, 'Views', 'Save view')],
  ['/profiles', 'an import', (page) => press(page, 'Import')],
  ['/forms', 'a new form', (page) => press(page, 'Create')],
  ['/', 'the search', (page) => page.keyboard.press('Control+k')],
  ['/', 'the list of keys', (page) => page.keyboard.press('?')],
];

/** Texts of headings that leave their column. */
const WIDE_HEADINGS = `[...document.querySelectorAll('main th')].filter((one) => {
  const { right } = one.getBoundingClientRect();
  return [...one.querySelectorAll('button, span')].some((part) => part.getBoundingClientRect().right > right + 1);
}).map((one) => one.textContent)`;

describePages('every page of the console, with data', function () {
  const { site, gallery } = galleryFor(this);
  let looked: LookedAt;
  before(async () => {
    const token = site.testServer.issueToken('admin', 'engineering');
    looked = await site.look('/ui/nothing/here', { token, isKept: true });
  });

  for (const [what, path] of [
    ...PAGES.map((one) => [one, () => one] as const),
    ['a page that does not exist', () => '/nothing/here/either'],
    ['an operation', () => '/api/restCall'],
    // A link to the same page keeps its heading, so pages and their tabs alternate.
    ['a form in the designer', () => `/forms/${gallery().formId}`],
    ['a profile', () => `/profiles/${gallery().profileId}`],
    ['the calls of an adapter', () => '/adapters/core1?tab=calls'],
    ['the check of a form', () => `/forms/${gallery().formId}?tab=check`],
    ['the edit of a profile', () => `/profiles/${gallery().profileId}?tab=edit`],
    ['the log of an adapter', () => '/adapters/core1?tab=log'],
    ['the examples of a form', () => `/forms/${gallery().formId}?tab=examples`],
    ['the comparison of a profile', () => `/profiles/${gallery().profileId}?tab=compare`],
    ['the configuration of an adapter', () => '/adapters/edge-berlin?tab=configuration'],
    ['the versions of a form', () => `/forms/${gallery().formId}?tab=versions`],
    ['the history of a profile', () => `/profiles/${gallery().profileId}?tab=history`],
    ['the history of an adapter', () => '/adapters/edge-berlin?tab=history'],
    ['the source of a form', () => `/forms/${gallery().formId}?view=source`],
    ['the text of a profile', () => `/profiles/${gallery().profileId}?tab=json`],
    ['the changes of an adapter', () => '/adapters/core1?tab=changes'],
    ['the access of operations', () => '/access?tab=operations'],
    ['a request to an adapter', () => '/adapters/core1?tab=try'],
    ['a question about access', () => '/access?tab=ask'],
    ['the clients of the API', () => '/deprecations?tab=clients'],
  ] as const)
    it(`${what} is accessible, light and dark, and keeps the headings of tables in their columns`, async () => {
      const { page, follow } = looked;
      await follow(`/ui${path()}`);
      for (const width of [1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        assert.deepEqual(await page.evaluate<readonly string[]>(WIDE_HEADINGS), [], `${width} px`);
      }
      await assertCleanInBothThemes(page);
    });

  for (const [path, what, open] of OVERLAYS)
    it(`${what} over ${path} is accessible, light and dark`, async () => {
      const { page, follow } = looked;
      await follow('/ui/nothing/here');
      await follow(`/ui${path}`);
      await settled(page);
      await open(page);
      const isMenu = what.startsWith('the menu');
      const overlay = page.getByRole(isMenu ? 'menu' : 'dialog');
      // A menu gets the focus with the first arrow key.
      await (isMenu ? overlay.waitFor() : within(overlay));
      await assertPartClean(overlay, what);
      await page.keyboard.press('Escape');
      await overlay.waitFor({ state: 'detached' });
    });
});

describePages('every page of the console, without data', function () {
  const site = consoleFor(this);

  // The pages alternate between the themes. All show the same notice of a failure, so axe checks it once in each theme.
  for (const [state, arrange, checked] of [
    ['with little data', undefined, PAGES.length],
    ['while requests fail', failRequests, 2],
  ] as const)
    describe(state, () => {
      let looked: LookedAt;
      before(async () => {
        const token = site.testServer.issueToken('admin', 'engineering');
        looked = await site.look('/ui/nothing/here', {
          token,
          isKept: true,
          ...(arrange && { before: arrange }),
        });
      });

      for (const [at, path] of PAGES.entries())
        it(`${path} has no faults`, async () => {
          await showTheme(looked.page, at % 2 === 0 ? 'light' : 'dark');
          await looked.follow(`/ui${path}`);
          await (at < checked ? assertClean : assertFits)(looked.page);
        });
    });
});
