import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describePages } from '../support/console-errors.js';
import { galleryFor } from '../support/form-gallery.js';
import { button, press, seen, settled } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { createTask } from '../support/task-page.js';
import { eventually } from '../support/until.js';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** Adds up the layout shifts of a page, as the metric CLS does. */
const RECORD_SHIFTS = `window.shifts = 0;
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifts += shift.value;
}).observe({ type: 'layout-shift', buffered: true });`;

describePages('the parts of the pages', function () {
  const { site, gallery } = galleryFor(this);

  it('show paths that break only after a separator, and inline code in the descriptions of fields', async () => {
    const { page } = await site.look('/ui/api/restCall', DESKTOP);
    const pieces = page.locator('.gh-api-entry code > span');
    await pieces.first().waitFor();
    const broken = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.gh-api-entry code > span')].filter((one) => one.getBoundingClientRect().height > 24).map((one) => one.textContent)`,
    );
    assert.deepEqual(broken, []);
    const jsonSchema = { properties: { mtu: { type: 'integer', description: 'As `mtu` of the port' } } };
    const { path } = await createTask(site, { jsonSchema, formData: {} });
    const { page: task } = await site.look(path, { formView: 'none' });
    await task.locator('.gf-description code').filter({ hasText: /^mtu$/ }).waitFor();
  });

  it('have the fields of a form close below its toolbar, at every width', async () => {
    const { page, go } = await site.look('/ui/api/restCall', { formView: 'none' });
    for (const path of ['', '/ui/new-profile', `/json-forms/task/ShowJsonForm?task=${gallery().formTask}`]) {
      if (path !== '') await go(path);
      await page.locator('.gf-field').first().waitFor();
      for (const width of [390, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const gap = await page.evaluate<number>(
          `document.querySelector('.gf-field, .gf-section').getBoundingClientRect().top -
            Math.max(...[...document.querySelectorAll('.gf-toolbar .gh-button')].map((one) => one.getBoundingClientRect().bottom))`,
        );
        assert.ok(gap >= 8 && gap <= 26, `${path}, ${width} px wide: ${gap} px`);
      }
    }
  });

  it('have short cards on a phone: a title, and words below it', async () => {
    const { page, follow } = await site.look('/ui/nothing/here', PHONE);
    for (const [path, most] of [
      ['/audit', 100],
      ['/tasks?status=all', 100],
      ['/adapters/core1?tab=calls', 100],
      ['/adapters', 100],
      // The cause of an unreachable orchestrator says what to check.
      ['/health', 160],
    ] as const) {
      await follow(`/ui${path}`);
      await page.getByRole('table').locator('tbody tr').first().waitFor();
      await settled(page);
      const cards = await cardsOf(page);
      assert.ok(cards.length > 0, path);
      for (const { height, first, text } of cards) {
        assert.ok(height <= most, `${path}: ${height} px: ${text}`);
        assert.equal(first, 'title', `${path}: ${text}`);
      }
    }
  });

  it('show the first task of a phone on the first screen, and the tools of the log on common lines', async () => {
    const { page, go } = await site.look('/ui/tasks', PHONE);
    const first = page.getByRole('table').locator('tbody tr').first();
    await first.waitFor();
    const box = await first.boundingBox();
    assert.ok(box && box.y + box.height <= PHONE.height / 2, JSON.stringify(box));
    await go('/ui/log');
    await seen(page, /^Pause$/);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const middles = await page.evaluate<readonly number[]>(
        `[...document.querySelectorAll('.gh-toolbar :is(input, select, button)')].map((one) => {
          const { y, height } = one.getBoundingClientRect(); return Math.round(y + height / 2); })`,
      );
      const lines = [...new Set(middles)].sort((a, b) => a - b);
      assert.ok(
        lines.every((line, at) => at === 0 || line - (lines[at - 1] ?? 0) > 30),
        lines.join(),
      );
    }
  });

  it('have empty states close to the heading of their section, with the settings to copy', async () => {
    const { page } = await site.look('/ui/notifications', DESKTOP);
    await seen(page, 'No receivers');
    await seen(page, /https:\/\/chat\.example\.com\/hooks\/noc/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(page.getByRole('figure'), 'Copy');
    await eventually(async () => {
      assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /name: chat/);
    });
    const gaps = await page.evaluate<readonly number[]>(
      `[...document.querySelectorAll('.gh-panel .gh-empty')].map((one) =>
        one.firstElementChild.getBoundingClientRect().top - one.closest('.gh-panel').querySelector('header').getBoundingClientRect().bottom)`,
    );
    assert.ok(gaps.length === 2 && gaps.every((gap) => gap <= 12), gaps.join());
  });

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

  it('shows messages where they cover no button, and the links to copy a request once on each tab', async () => {
    const { page, follow } = await site.look('/ui/adapters/core1');
    await clickMiddle(page, button(page, 'Test now: core1'));
    await seen(page, 'core1 is reachable.');
    const message = page.locator('.gh-toasts .gh-notice').first();
    const actions = page.getByRole('button', { name: 'Actions for core1', exact: true });
    const [above, below] = [await actions.boundingBox(), await message.boundingBox()];
    assert.ok(above && below && above.y + above.height <= below.y, JSON.stringify({ above, below }));
    for (const tab of ['calls', 'log', 'configuration', 'changes', 'try', '']) {
      await follow('/ui/adapters');
      await follow(`/ui/adapters/core1${tab === '' ? '' : `?tab=${tab}`}`);
      await settled(page);
      const copies = button(page, 'Source of the data').or(button(page, 'Copy as curl'));
      await copies.first().waitFor();
      assert.equal(await copies.filter({ visible: true }).count(), 1, tab);
    }
  });
});

interface Card {
  readonly height: number;
  /** Role of the cell that is at the top and first of its line. */
  readonly first: string | undefined;
  readonly text: string;
}

function cardsOf(page: Page): Promise<readonly Card[]> {
  return page.evaluate(
    `[...document.querySelectorAll('.gh-table tbody tr')].map((row) => {
      const cells = [...row.cells].filter((one) => one.checkVisibility() && one.dataset.card !== 'pick')
        .map((one) => ({ card: one.dataset.card, box: one.getBoundingClientRect() }));
      const title = cells.find(({ card }) => card === 'title');
      const isFirst = title && cells.every(({ card, box }) => card === 'title' ||
        box.top >= title.box.bottom - 1 || box.left >= title.box.left + 40);
      return { height: Math.round(row.getBoundingClientRect().height), first: isFirst ? 'title' : undefined, text: row.innerText };
    })`,
  );
}
