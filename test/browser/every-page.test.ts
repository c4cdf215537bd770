import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
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
  seen,
  settled,
  showTheme,
  within,
} from '../support/page-text.js';

/** Overlays of a page, with the action that opens each. */
const OVERLAYS: readonly (readonly [path: string, what: string, open: (page: Page) => Promise<unknown>])[] = [
  // With one row: axe takes a button that the menu covers for a small one.
  ['/adapters?q=core1', 'the menu of an adapter', (page) => press(page, 'Actions for core1')],
  ['/adapters?state=running', 'a view to save', (page) => choose(page, 'Views', 'Save view')],
  ['/adapters', 'an import', (page) => press(page, 'Import')],
  ['/adapters', 'a log level', (page) => choose(page, 'Actions for core1', 'Set log level')],
  ['/adapters', 'a deletion', (page) => choose(page, 'Actions for lab', 'Delete')],
  ['/adapters', 'a suspension', (page) => choose(page, 'Actions for core1', 'Pause (queue calls)')],
  ['/adapters', 'a restart', (page) => choose(page, 'Actions for core1', 'Restart')],
  ['/adapters', 'the deleted adapters', (page) => press(page, 'Deleted adapters')],
  ['/forms', 'an import', (page) => press(page, 'Import')],
  ['/forms', 'a new form', (page) => press(page, 'Create')],
  ['/profiles', 'an import', (page) => press(page, 'Import')],
  ['/', 'the menu of the user', (page) => press(page, 'Account of ada')],
  ['/', 'the search', (page) => page.keyboard.press('Control+k')],
  ['/', 'the list of keys', (page) => page.keyboard.press('?')],
];

/** Texts of headings that leave their column. */
const WIDE_HEADINGS = `[...document.querySelectorAll('main th')].filter((one) => {
  const { right } = one.getBoundingClientRect();
  return [...one.querySelectorAll('button, span')].some((part) => part.getBoundingClientRect().right > right + 1);
}).map((one) => one.textContent)`;

/** Labels of the actions of a page, if they are not in one order: default buttons, the primary one, the menu. */
const ACTIONS_OUT_OF_ORDER = `(() => {
  const all = [...document.querySelectorAll('.gh-page-head :is(a, button).gh-button')];
  const rank = (one) => one.textContent === '⋮' ? 2 : one.dataset.kind === 'primary' ? 1 : 0;
  const kinds = all.map(({ dataset: { kind } }) => kind);
  const isOrdered = all.every((one, at) => at === 0 || rank(all[at - 1]) <= rank(one));
  const isSorted = all.every((one, at) => at === 0 ||
    all[at - 1].getBoundingClientRect().right <= one.getBoundingClientRect().left);
  const isPlain = kinds.filter((kind) => kind === 'primary').length <= 1 && !kinds.includes('danger');
  const isAlone = all.filter((one) => rank(one) === 2).length <= 1;
  const loose = document.querySelectorAll('.gh-page-head .gh-actions a:not(.gh-button)').length;
  return isOrdered && isSorted && isPlain && isAlone && loose === 0 ? [] : all.map((one) => one.textContent);
})()`;

/** Hairlines less than 18 px from each other. */
const CLOSE_LINES = `(() => {
  const main = document.querySelector('main');
  const least = main.getBoundingClientRect().width * 0.3;
  const lines = [...main.querySelectorAll('.gh-tabs, .gh-panel, .gh-panes, .gh-table tr, .gh-table td:first-child')]
    .filter((one) => one.checkVisibility())
    .flatMap((one) => {
      const { top, bottom, left, width } = (one.closest('tr') ?? one).getBoundingClientRect();
      const style = getComputedStyle(one);
      return [['Top', top], ['Bottom', bottom]]
        .filter(([side]) => parseFloat(style['border' + side + 'Width']) > 0 && width >= least)
        .map(([, y]) => ({ y, left, right: left + width }));
    })
    .sort((a, b) => a.y - b.y);
  return lines.flatMap(({ y, left, right }, at) => lines.slice(at + 1)
    .filter((next) => next.y - y > 2 && next.y - y < 18 && next.left < right && next.right > left)
    .map((next) => Math.round(y) + ' and ' + Math.round(next.y)));
})()`;

/** Descriptions that show their backticks. */
const CODE_AS_TEXT = `[...document.querySelectorAll('main p, main dd, main .gh-api-summary')]
  .filter((one) => one.checkVisibility() && /\`[^\`]+\`/.test(one.textContent))
  .map((one) => one.textContent)`;

/** The gap below the heading of a phone, if it is too wide or if the menu is not on the line of the heading. */
const LOOSE_HEAD = `(() => {
  const middle = (one) => { const { y, height } = one.getBoundingClientRect(); return y + height / 2; };
  const head = document.querySelector('.gh-page-head');
  const [heading, lead, menu] = ['h1', 'p', '.gh-menu-button[data-kind=plain]'].map((one) => head?.querySelector(one));
  // The editor of a form has its own row of actions.
  const isBeside = !menu || location.pathname.includes('/forms/') || Math.abs(middle(heading) - middle(menu)) <= 1;
  const gap = lead ? lead.getBoundingClientRect().top - heading.getBoundingClientRect().bottom : 0;
  return isBeside && gap <= 8 ? [] : [gap];
})()`;

/** What is measured on each page, by the width of the screen. */
const MEASURES = [
  [390, LOOSE_HEAD],
  [1280, WIDE_HEADINGS],
  [1440, `[...${WIDE_HEADINGS}, ...${ACTIONS_OUT_OF_ORDER}, ...${CLOSE_LINES}, ...${CODE_AS_TEXT}]`],
] as const;

/** Pages that viewers may not open, and which name the roles that are needed. */
const CLOSED = ['/yang', '/tasks', '/new-profile', '/new-adapter', '/secrets', '/access', '/audit', '/rest'];

const ADAPTER_TABS = ['overview', 'configuration', 'history', 'log', 'calls', 'try', 'changes'];
const PROFILE_TABS = ['edit', 'compare', 'history', 'json'];
const FORM_TABS = ['design', 'check', 'examples', 'versions'];

/** First words of controls that change something on the server. */
const CHANGES =
  /^(Save|Delete|Remove|Import|Create|New|Register|Edit|Activate|Deactivate|Stop|Start|Restart|Mute|Acknowledge|Test|Try|Roll back|Confirm|Cancel change|Send|Duplicate|Suspend|Resume|Pause calls|Refuse|Log level|Publish|Verify|Refresh)\b/;

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
    it(`${what} is accessible, light and dark, with actions, headings, lines and code as on all pages`, async () => {
      const { page, follow } = looked;
      await follow(`/ui${path()}`);
      for (const [width, measure] of MEASURES) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        assert.deepEqual(await page.evaluate<readonly unknown[]>(measure), [], `${width} px`);
      }
      await assertCleanInBothThemes(page);
    });

  for (const [path, what, open] of OVERLAYS)
    it(`${what} over ${path} is accessible, light and dark`, async () => {
      const { page, follow } = looked;
      if (!page.url().endsWith(`/ui${path}`)) {
        await follow('/ui/nothing/here');
        await follow(`/ui${path}`);
      }
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

  const refused: string[] = [];
  const watch = (page: Page): Promise<void> => {
    page.on('response', (reply) => {
      const method = reply.request().method();
      if (reply.status() >= 400 || method !== 'GET')
        refused.push(`${reply.status()} ${method} ${new URL(reply.url()).pathname}`);
    });
    return Promise.resolve();
  };
  /** Follows a link from a page that needs no data, so that also two tabs of one page are two pages. */
  const visit = async ({ page, follow }: LookedAt, path: string): Promise<void> => {
    if (!page.url().endsWith('/nothing/here')) await follow('/ui/nothing/here');
    await follow(`/ui${path}`);
    await settled(page);
  };

  const lookAsViewer = () => site.look('/ui/nothing/here', { role: 'viewer', before: watch });

  it('shows a viewer every page without a refused request and without a control that changes something, and names the roles that the others need', async () => {
    const paths = [
      ...PAGES.filter((path) => !CLOSED.includes(path)),
      ...FORM_TABS.map((tab) => `/forms/${gallery().formId}?tab=${tab}`),
      `/forms/${gallery().formId}?view=source`,
      ...PROFILE_TABS.map((tab) => `/profiles/${gallery().profileId}?tab=${tab}`),
      ...ADAPTER_TABS.map((tab) => `/adapters/core1?tab=${tab}`),
      '/api/restAction',
    ];
    const viewer = await lookAsViewer();
    for (const path of paths) {
      await visit(viewer, path);
      const enabled = viewer.page.locator('main').getByRole('button', { disabled: false });
      assert.deepEqual([path, refused, await changesOf(enabled)], [path, [], []]);
    }
    for (const [path, menu] of [
      ['/adapters', 'Actions for core1'],
      ['/adapters/core1', 'Actions for core1'],
      [`/forms/${gallery().formId}`, 'More actions on the form'],
    ] as const) {
      await visit(viewer, path);
      await viewer.page.getByRole('button', { name: menu }).click();
      const items = viewer.page.getByRole('menuitem');
      await items.first().waitFor();
      assert.deepEqual([path, await changesOf(items)], [path, []]);
    }
    for (const path of CLOSED) {
      await visit(viewer, path);
      await seen(viewer.page, /This page needs (the role|one of these roles:) /);
    }
    assert.deepEqual(refused, []);
  });
});

describePages('every page of the console, without data', function () {
  const site = consoleFor(this);

  // The pages alternate between the themes. Axe checks what is not there with data: empty states, and, once in each theme, the
  // notice of a failure.
  for (const [state, arrange] of [
    ['with little data', undefined],
    ['while requests fail', failRequests],
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
          await settled(looked.page);
          const isNew = arrange ? at < 2 : (await looked.page.locator('main .gh-empty').count()) > 0;
          await (isNew ? assertClean : assertFits)(looked.page);
        });
    });
});

/** Returns the names of the controls that change something. */
async function changesOf(controls: Locator): Promise<readonly string[]> {
  const names = await controls.allInnerTexts();
  return names.map((name) => name.trim()).filter((name) => CHANGES.test(name));
}
