import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { seen, settled } from '../support/page-text.js';
import { fillGallery, type Gallery } from '../support/form-gallery.js';
import { PAGES } from '../support/console-pages.js';
import { consoleFor, type LookedAt } from '../support/console-errors.js';

/** Pages that viewers may not open, and which name the roles that are needed. */
const CLOSED = ['/yang', '/tasks', '/new-profile', '/new-adapter', '/secrets', '/access', '/audit', '/rest'];

const ADAPTER_TABS = ['overview', 'configuration', 'history', 'log', 'calls', 'try', 'changes'];
const PROFILE_TABS = ['edit', 'compare', 'history', 'json'];
const FORM_TABS = ['design', 'check', 'examples', 'versions'];

/** First words of controls that change something on the server. */
const CHANGES =
  /^(Save|Delete|Remove|Import|Create|New|Register|Edit|Activate|Deactivate|Stop|Start|Restart|Mute|Acknowledge|Test|Try|Roll back|Confirm|Cancel change|Send|Duplicate|Suspend|Resume|Pause calls|Refuse|Log level|Publish|Verify|Refresh)\b/;

describeWith([BROWSER, BUILT_PAGES], 'the console for a viewer', function () {
  let gallery: Gallery;
  const site = consoleFor(this, {
    fill: async ({ testServer }) => {
      gallery = await fillGallery(testServer);
    },
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
  const open = (): Promise<LookedAt> => site.look('/ui/nothing/here', { role: 'viewer', before: watch });
  /** Follows a link from a page that needs no data, so that also two tabs of one page are two pages. */
  const visit = async ({ page, follow }: LookedAt, path: string): Promise<void> => {
    if (!page.url().endsWith('/nothing/here')) await follow('/ui/nothing/here');
    await follow(`/ui${path}`);
    await settled(page);
  };

  it('shows every page without a refused request and without a control that changes something', async () => {
    const looked = await open();
    const { page } = looked;
    const paths = [
      ...PAGES.filter((path) => !CLOSED.includes(path)),
      ...FORM_TABS.map((tab) => `/forms/${gallery.formId}?tab=${tab}`),
      `/forms/${gallery.formId}?view=source`,
      ...PROFILE_TABS.map((tab) => `/profiles/${gallery.profileId}?tab=${tab}`),
      ...ADAPTER_TABS.map((tab) => `/adapters/core1?tab=${tab}`),
      '/api/restAction',
    ];
    for (const path of paths) {
      await visit(looked, path);
      const enabled = page.locator('main').getByRole('button', { disabled: false });
      assert.deepEqual([path, refused, await changesOf(enabled)], [path, [], []]);
    }
  });

  it('has menus without actions that change something', async () => {
    const looked = await open();
    const { page } = looked;
    for (const [path, menu] of [
      ['/adapters', 'Actions for core1'],
      ['/adapters/core1', 'Actions for core1'],
      [`/forms/${gallery.formId}`, 'More actions on the form'],
    ] as const) {
      await visit(looked, path);
      await page.getByRole('button', { name: menu }).click();
      const items = page.getByRole('menuitem');
      await items.first().waitFor();
      assert.deepEqual([path, await changesOf(items)], [path, []]);
    }
  });

  it('names the roles that the other pages need', async () => {
    const looked = await open();
    for (const path of CLOSED) {
      await visit(looked, path);
      await seen(looked.page, /This page needs (the role|one of these roles:) /);
    }
    assert.deepEqual(refused, []);
  });
});

/** Returns the names of the controls that change something. */
async function changesOf(controls: Locator): Promise<readonly string[]> {
  const names = await controls.allInnerTexts();
  return names.map((name) => name.trim()).filter((name) => CHANGES.test(name));
}
