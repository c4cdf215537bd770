import type { Page } from 'playwright-core';
import { assertClean, assertFocusSeen, choose, dialogOf, press, settled } from '../support/browser-words.js';
import { fillGallery, type Gallery } from '../support/gallery.js';
import { consoleFor, type LookedAt, type LookInside } from '../support/watched-console.js';

const THEMES = ['light', 'dark'] as const;

const PAGES = [
  '/',
  '/adapters',
  '/adapters/core1',
  '/health',
  '/forms',
  '/yang',
  '/tasks',
  '/profiles',
  '/deprecations',
  '/secrets',
  '/audit',
  '/api',
  '/rest',
] as const;

/** What lies over a page once it was pressed, and is not looked at in the tests of that page. */
const OVER_PAGES: readonly (readonly [path: string, what: string, open: (page: Page) => Promise<unknown>])[] =
  [
    ['/adapters', 'the menu of an adapter', (page) => press(page, 'Actions for core1')],
    ['/adapters', 'an import', (page) => press(page, 'Import')],
    ['/adapters', 'a log level', (page) => choose(page, 'Actions for core1', 'Log level')],
    ['/adapters', 'a deletion', (page) => choose(page, 'Actions for lab', 'Delete')],
    ['/forms', 'an import', (page) => press(page, 'Import')],
    ['/profiles', 'a new profile', (page) => press(page, 'New profile')],
    ['/', 'the menu of the person', (page) => press(page, 'ada')],
  ];

const AWAY = { code: 'store_unavailable', detail: 'The database does not answer.' };

/** Has the server answer 503 to everything but who one is. */
async function sendAway(page: Page): Promise<void> {
  await page.route(
    ({ pathname }) => !pathname.startsWith('/ui') && pathname !== '/whoami',
    (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(AWAY) }),
  );
}

describe('every page of the console', function () {
  const site = consoleFor(this);
  const look = (path: string, more: LookInside): Promise<LookedAt> =>
    site.look(`/ui${path}`, { token: site.world.mint('admin', 'engineering'), ...more });

  for (const theme of THEMES)
    for (const path of PAGES) {
      it(`${path} with little to show, ${theme}`, async () => assertClean(await look(path, { theme })));
      it(`${path} while the server cannot answer, ${theme}`, async () =>
        assertClean(await look(path, { theme, before: sendAway })));
    }

  describe('of a server that is lived in', () => {
    let gallery: Gallery;
    before(async () => {
      gallery = await fillGallery(site.world);
    });
    const all = () => [
      ...PAGES,
      `/forms/${gallery.formId}`,
      `/forms/${gallery.formId}?view=source`,
      `/profiles/${gallery.profileId}`,
      `/profiles/${gallery.profileId}?tab=edit`,
      '/api/restCall',
    ];

    for (const theme of THEMES) {
      for (const path of PAGES)
        it(`${path} with much to show, ${theme}`, async () => assertClean(await look(path, { theme })));
      it(`a form in the designer, ${theme}`, async () =>
        assertClean(await look(`/forms/${gallery.formId}`, { theme })));
      it(`a profile, ${theme}`, async () =>
        assertClean(await look(`/profiles/${gallery.profileId}`, { theme })));
      it(`an operation, ${theme}`, async () => assertClean(await look('/api/restCall', { theme })));
      it(`what lies over the pages, ${theme}`, async () => {
        for (const [path, what, open] of OVER_PAGES) {
          const looked = await look(path, { theme });
          await settled(looked.page);
          await open(looked.page);
          if (what.startsWith('the menu')) await looked.page.getByRole('menu').waitFor();
          else await dialogOf(looked.page);
          await assertClean(looked, `${what} on ${path}`);
          await looked.close();
        }
      });
    }

    for (const [name, how] of [
      ['320 px wide', { width: 320 }],
      ['at 200 %', { width: 640, height: 450, scale: 2 }],
      ['in the colours of the system', { isForced: true }],
    ] as const)
      it(`reads and works ${name}: nothing scrolls sideways, and the focus is seen`, async () => {
        const looked = await look('/', how);
        const { page, go } = looked;
        const task = `/json-forms/task/ShowJsonForm?task=${gallery.formTask}`;
        for (const path of [...all().map((one) => `/ui${one}`), task]) {
          await go(path);
          await assertClean(looked, path);
          for (let presses = 0; presses < 8; presses += 1) await assertFocusSeen(page, path);
        }
      });
  });
});
