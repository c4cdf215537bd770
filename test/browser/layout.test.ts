import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describePages } from '../support/console-errors.js';
import { galleryFor } from '../support/form-gallery.js';
import { button, seen, settled } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { eventually } from '../support/until.js';

/** Adds up the layout shifts of a page, as the metric CLS does. */
const RECORD_SHIFTS = `window.shifts = 0;
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifts += shift.value;
}).observe({ type: 'layout-shift', buffered: true });`;

describePages('the layout of the pages', function () {
  const { site, gallery } = galleryFor(this);

  it('stays in place while the page Health loads', async () => {
    const before = (page: Page): Promise<void> => page.addInitScript(RECORD_SHIFTS).then(() => undefined);
    const { page } = await site.look('/ui/health', { before, isFresh: true });
    await page.getByRole('main').getByRole('table').first().waitFor();
    await settled(page);
    const shifts = await page.evaluate<number>('window.shifts');
    assert.ok(shifts < 0.1, `cumulative layout shift of ${shifts}`);
  });

  it('marks the current page and the selected field in forced colors', async () => {
    const { page, go } = await site.look('/ui/adapters', { isForced: true });
    const hasStyle = (selector: string, style: string, wanted: string): Promise<void> =>
      eventually(async () => {
        const script = `getComputedStyle(document.querySelector("${selector}")).${style}`;
        const found = await page.evaluate<string>(script);
        // On a busy machine Chromium now and then does not apply the emulated colors to a page that was just loaded.
        if (found !== wanted)
          for (const forcedColors of ['none', 'active'] as const) await page.emulateMedia({ forcedColors });
        assert.equal(found, wanted, selector);
      });
    await page.getByRole('navigation').getByRole('link', { name: 'Adapters', exact: true }).waitFor();
    await hasStyle('.gh-nav a[aria-current=page]', 'borderInlineStartStyle', 'solid');
    await hasStyle('.gh-nav a:not([aria-current])', 'borderInlineStartStyle', 'none');
    await go(`/ui/forms/${gallery().formId}`);
    await page.getByRole('treeitem').nth(1).click();
    await page.getByRole('treeitem', { selected: true }).waitFor();
    await hasStyle('[role=treeitem][aria-selected=true]', 'borderTopStyle', 'solid');
    await hasStyle('[role=treeitem][aria-selected=false]', 'borderTopStyle', 'none');
  });

  it('offers the links to copy a request once on each tab of an adapter', async () => {
    const { page, follow } = await site.look('/ui/adapters/core1');
    for (const tab of ['calls', 'log', 'configuration', 'changes', 'try', '']) {
      await follow('/ui/adapters');
      await follow(`/ui/adapters/core1${tab === '' ? '' : `?tab=${tab}`}`);
      await settled(page);
      const copies = button(page, 'Source of the data').or(button(page, 'Copy as curl'));
      await copies.first().waitFor();
      assert.equal(await copies.filter({ visible: true }).count(), 1, tab);
    }
  });

  it('shows messages where they cover no button of the page', async () => {
    const { page } = await site.look('/ui/adapters/core1');
    await clickMiddle(page, button(page, 'Test now: core1'));
    await seen(page, 'core1 is reachable.');
    const message = page.locator('.gh-toasts .gh-notice').first();
    const actions = page.getByRole('button', { name: 'Actions for core1', exact: true });
    const [above, below] = [await actions.boundingBox(), await message.boundingBox()];
    assert.ok(above && below && above.y + above.height <= below.y, JSON.stringify({ above, below }));
  });
});
