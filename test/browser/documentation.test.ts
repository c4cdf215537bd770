import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { consoleFor } from '../support/console-errors.js';
import { BROWSER, BUILT_PAGES, BUILT_SITE } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { assertFits, settled } from '../support/page-text.js';
import { eventually } from '../support/until.js';

const GLOSSARY = '/docs/guide/reference/glossary';

/** Waits until the scripts of a page have taken over what the server rendered: before, its buttons do nothing. */
const interactive = (page: Page): Promise<void> =>
  eventually(async () => {
    assert.ok(await page.evaluate(`'__vue_app__' in document.querySelector('#app')`));
  });

// The suite fails if a page has an error, violates the policy, or asks another server.
describeWith([BROWSER, BUILT_PAGES, BUILT_SITE], 'the documentation', function () {
  const site = consoleFor(this);

  it('is found by a search, offline', async () => {
    const { page } = await site.look('/docs/guide/', { isStranger: true });
    await interactive(page);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('glossary');
    await page.locator(`.VPLocalSearchBox a[href*="${GLOSSARY}"]`).first().click();
    await page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor();
    assert.equal(new URL(page.url()).pathname, GLOSSARY);
  });

  it('has a dark theme, which stays', async () => {
    const { page } = await site.look(GLOSSARY, { isStranger: true });
    await settled(page);
    const isDark = () => page.evaluate("document.documentElement.classList.contains('dark')");
    assert.equal(await isDark(), false);
    await interactive(page);
    await page.locator('.VPNavBarAppearance button').click();
    await page.locator('html.dark').waitFor({ state: 'attached' });
    await page.reload();
    await settled(page);
    assert.equal(await isDark(), true);
  });

  it('opens pages below its sidebar, and explains a path without a page', async () => {
    const { page } = await site.look('/docs/guide/', { isStranger: true, width: 1440 });
    await page.locator(`aside a[href="${GLOSSARY}"]`).click();
    await page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor();
    const missing = await site.look('/docs/guide/gone', { isStranger: true, mayFault: true });
    await missing.page.getByText('PAGE NOT FOUND').waitFor();
  });

  it('fits on a phone', async () => {
    const { page, go } = await site.look(GLOSSARY, { isStranger: true, width: 360, height: 740 });
    for (const path of [GLOSSARY, '/docs/guide/', '/docs/guide/project/adapter-plugins']) {
      await go(path);
      await assertFits(page, path);
    }
  });
});
