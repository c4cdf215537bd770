import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { describePages, type LookedAt } from '../support/console-errors.js';
import { PAGES } from '../support/console-pages.js';
import { galleryFor } from '../support/form-gallery.js';
import { seen, settled } from '../support/page-text.js';

/** Pages that viewers may not open, and which name the roles that are needed. */
const CLOSED = ['/yang', '/tasks', '/new-profile', '/new-adapter', '/secrets', '/access', '/audit', '/rest'];

const ADAPTER_TABS = ['overview', 'configuration', 'history', 'log', 'calls', 'try', 'changes'];
const PROFILE_TABS = ['edit', 'compare', 'history', 'json'];
const FORM_TABS = ['design', 'check', 'examples', 'versions'];

/** First words of controls that change something on the server. */
const CHANGES =
  /^(Save|Delete|Remove|Import|Create|New|Register|Edit|Activate|Deactivate|Stop|Start|Restart|Mute|Acknowledge|Test|Try|Roll back|Confirm|Cancel change|Send|Duplicate|Suspend|Resume|Pause calls|Refuse|Log level|Publish|Verify|Refresh)\b/;

describePages('the console for a viewer', function () {
  const { site, gallery } = galleryFor(this);
  const refused: string[] = [];
  const watch = (page: Page): Promise<void> => {
    page.on('response', (reply) => {
      const method = reply.request().method();
      if (reply.status() >= 400 || method !== 'GET')
        refused.push(`${reply.status()} ${method} ${new URL(reply.url()).pathname}`);
    });
    return Promise.resolve();
  };
  let page: Page;
  let follow: LookedAt['follow'];
  before(async () => {
    ({ page, follow } = await site.look('/ui/nothing/here', { role: 'viewer', isKept: true, before: watch }));
  });
  /** Follows a link from a page that needs no data, so that also two tabs of one page are two pages. */
  const visit = async (path: string): Promise<void> => {
    if (!page.url().endsWith('/nothing/here')) await follow('/ui/nothing/here');
    await follow(`/ui${path}`);
    await settled(page);
  };

  it('shows every page without a refused request and without a control that changes something', async () => {
    const paths = [
      ...PAGES.filter((path) => !CLOSED.includes(path)),
      ...FORM_TABS.map((tab) => `/forms/${gallery().formId}?tab=${tab}`),
      `/forms/${gallery().formId}?view=source`,
      ...PROFILE_TABS.map((tab) => `/profiles/${gallery().profileId}?tab=${tab}`),
      ...ADAPTER_TABS.map((tab) => `/adapters/core1?tab=${tab}`),
      '/api/restAction',
    ];
    for (const path of paths) {
      await visit(path);
      const enabled = page.locator('main').getByRole('button', { disabled: false });
      assert.deepEqual([path, refused, await changesOf(enabled)], [path, [], []]);
    }
  });

  it('has menus without actions that change something', async () => {
    for (const [path, menu] of [
      ['/adapters', 'Actions for core1'],
      ['/adapters/core1', 'Actions for core1'],
      [`/forms/${gallery().formId}`, 'More actions on the form'],
    ] as const) {
      await visit(path);
      await page.getByRole('button', { name: menu }).click();
      const items = page.getByRole('menuitem');
      await items.first().waitFor();
      assert.deepEqual([path, await changesOf(items)], [path, []]);
    }
  });

  it('names the roles that the other pages need', async () => {
    for (const path of CLOSED) {
      await visit(path);
      await seen(page, /This page needs (the role|one of these roles:) /);
    }
    assert.deepEqual(refused, []);
  });
});

/** Returns the names of the controls that change something. */
async function changesOf(controls: Locator): Promise<readonly string[]> {
  const names = await controls.allInnerTexts();
  return names.map((name) => name.trim()).filter((name) => CHANGES.test(name));
}
