import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { consoleFor, describePages, registerAdapter } from '../support/console-errors.js';
import {
  assertFits,
  assertPartClean,
  button,
  choose,
  dialogGone,
  dialogOf,
  press,
  seen,
} from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';

/** Number of registered adapters, which have names as network engineers give them. */
const COUNT = 36;

function nameOf(at: number): string {
  return `nso${at}.example.com`;
}

/** Sizes of an element and of its content. */
interface Sizes {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Returns whether an element does not show all of its text. */
function isCut({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Sizes): boolean {
  return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
}

describePages('the page of many adapters', function () {
  const site = consoleFor(this, {
    fill: async ({ ask }) => {
      for (let at = 1; at <= COUNT; at += 1) {
        const tags = [at % 2 === 0 ? 'site:berlin' : 'site:paris', ...(at <= 3 ? ['core'] : [])];
        await registerAdapter(ask, nameOf(at), { tags, settings: { enabled: at !== 36 } });
      }
    },
  });

  const boxOf = (page: Page, at: number) =>
    page.getByRole('checkbox', { name: `Select ${nameOf(at)}`, exact: true });

  it('selects the adapters that the search shows, and acts only on these; a stop of many asks for their number', async () => {
    const { page } = await site.look('/ui/adapters?sort=name');
    const search = page.getByRole('textbox', { name: 'Search Adapters' });
    await search.fill('nso1');
    await clickMiddle(page, button(page, 'Select the 11 adapters shown'));
    await seen(page, '11 selected');
    await search.fill('');
    await clickMiddle(page, button(page, `Select all ${COUNT + 1} adapters`));
    await seen(page, `${COUNT + 1} selected`);
    await choose(page, 'Actions on the selected adapters', 'Stop');
    const dialog = await dialogOf(page);
    const stopped = dialog.getByRole('list', { name: 'Adapters' }).getByRole('listitem');
    const stop = button(dialog, 'Stop');
    assert.equal(await stop.isDisabled(), true);
    await dialog.getByLabel(/^Type \d+ to confirm/).fill(String(await stopped.count()));
    assert.equal(await stop.isDisabled(), false);
    await page.keyboard.press('Escape');
    await dialogGone(page);
    await search.fill('nso1');
    await seen(page, '11 selected');
    await choose(page, 'Actions on the selected adapters', 'Stop');
    await dialog.getByRole('heading', { name: 'Stop: 11 adapters' }).waitFor();
    assert.deepEqual(await stopped.allInnerTexts(), [1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19].map(nameOf));
    await page.keyboard.press('Escape');
    await dialogGone(page);
    await search.fill('');
    await seen(page, `${COUNT + 1} selected`);
  });

  it('shows 20 rows on a screen with numbers at their ends, filters by tag, and keeps the filter as a view', async () => {
    const { page } = await site.look('/ui/adapters?sort=name');
    const rows = page.getByRole('table', { name: 'Adapters' }).locator('tbody tr');
    const box = await rows.nth(19).boundingBox();
    assert.ok(box && box.y + box.height <= 900, JSON.stringify(box));
    const style = await rows
      .first()
      .locator('td[data-column=rate]')
      .evaluate((cell) => {
        const { textAlign, fontVariantNumeric } = (
          globalThis as unknown as { getComputedStyle(one: unknown): Record<string, string> }
        ).getComputedStyle(cell);
        return [textAlign, fontVariantNumeric];
      });
    assert.deepEqual(style, ['end', 'tabular-nums']);
    const groups = page.getByRole('list', { name: 'Adapters by tag' });
    await clickMiddle(page, groups.getByRole('link', { name: 'core' }));
    await boxOf(page, 4).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('checkbox').count(), 3);
    await choose(page, 'Views', 'Save view');
    const dialog = await dialogOf(page);
    await dialog.getByLabel('Name').fill('Core routers');
    await press(dialog, 'Save');
    await choose(page, 'Views: Core routers', 'All adapters');
    await boxOf(page, 4).waitFor();
    await choose(page, 'Views', 'Core routers');
    await boxOf(page, 4).waitFor({ state: 'detached' });
    assert.match(page.url(), /tag=core/);
    await assertFits(page);
  });

  it('stops a range of adapters, and shows what failed', async () => {
    const { page } = await site.look('/ui/adapters?sort=name&tag=site%3Aparis');
    await clickMiddle(page, boxOf(page, 1));
    await clickMiddle(page, boxOf(page, 9), ['Shift']);
    await seen(page, '5 selected');
    await boxOf(page, 11).focus();
    await page.keyboard.press('Space');
    await seen(page, '6 selected');
    await choose(page, 'Actions on the selected adapters', 'Stop');
    const dialog = await dialogOf(page);
    await seen(dialog, nameOf(9));
    await dialog.getByLabel('Reason').fill('power work in Paris');
    await assertPartClean(dialog);
    // Another operator removes one of the adapters meanwhile.
    await site.ask('DELETE', `/adapters/${nameOf(3)}`);
    await press(dialog, 'Stop');
    await seen(dialog, '1 failed; 6 of 6 finished');
    await seen(dialog, new RegExp(`there is no adapter "${nameOf(3)}"`));
    await assertPartClean(dialog);
    await page.keyboard.press('Escape');
    await dialogGone(page);
    const row = page.getByRole('row', { name: nameOf(5) });
    await row.getByText('Stopped', { exact: true }).waitFor();
  });

  for (const [how, size, rows, click] of [
    ['the mouse', {}, [1, 2, 9, 17, 26, 35, COUNT], clickMiddle],
    ['a finger on a phone', { width: 390, height: 844 }, [1, 17, 35], tapMiddle],
  ] as const)
    it(`opens the actions of rows from the first to the last of 36, and selects one, with ${how}`, async () => {
      const { page } = await site.look('/ui/adapters?sort=name', size);
      await boxOf(page, 1).waitFor();
      for (const at of rows) {
        await click(page, page.getByRole('button', { name: `Actions for ${nameOf(at)}`, exact: true }));
        const item = page.getByRole('menuitem', { name: 'Set log level' });
        await item.waitFor();
        await click(page, item);
        const dialog = await dialogOf(page);
        await dialog.getByRole('heading', { name: `Log level of ${nameOf(at)}`, exact: true }).waitFor();
        await page.keyboard.press('Escape');
        await dialogGone(page);
      }
      await click(page, boxOf(page, 2));
      await seen(page, '1 selected');
      await choose(page, 'Actions on the selected adapters', 'Test now');
      await press(await dialogOf(page), 'Test now');
      await seen(await dialogOf(page), /1 of 1/);
    });

  it('shows the whole cause of a paused adapter', async () => {
    const reason = 'power work in Berlin, ticket CHG0012345';
    // More than a day, so that the cause has the date as well as the time.
    await site.ask('PUT', '/adapters/core1/suspend', { mode: 'pause', seconds: 90_000, comment: reason });
    const { page } = await site.look('/ui/adapters?sort=name&q=core1');
    const cause = page.getByRole('row', { name: 'core1' }).getByText(reason);
    for (const width of [390, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await cause.waitFor();
      assert.equal(await cause.evaluate(isCut), false, `at ${width} px`);
    }
    await site.ask('PUT', '/adapters/core1/start');
  });

  it('asks the same for the log level of several adapters as for one, with a reason', async () => {
    const { page } = await site.look('/ui/adapters?sort=name&tag=core');
    await choose(page, `Actions for ${nameOf(1)}`, 'Set log level');
    const fieldsOf = async (dialog: Locator) => {
      const fields = dialog.getByRole('combobox');
      await fields.first().waitFor();
      const values = (await fields.all()).map((field) => field.inputValue());
      return { choices: await fields.allTextContents(), values: await Promise.all(values) };
    };
    const wanted = await fieldsOf(await dialogOf(page));
    await page.keyboard.press('Escape');
    await dialogGone(page);
    await boxOf(page, 1).check();
    await boxOf(page, 2).check();
    await choose(page, 'Actions on the selected adapters', 'Set log level');
    const dialog = await dialogOf(page);
    assert.deepEqual(await fieldsOf(dialog), wanted);
    assert.match(wanted.choices[0] ?? '', /Info \(default\)/);
    assert.deepEqual(wanted.values, ['info', '', '']);
    await dialog.getByLabel('Reason').fill('a slow login');
    const sent = page.waitForRequest((request) => request.url().endsWith(`/adapters/${nameOf(2)}/loglevel`));
    await press(dialog, 'Set log level');
    assert.deepEqual((await sent).postDataJSON(), {
      properties: { level: 'info' },
      comment: 'a slow login',
    });
    await seen(dialog, /All done/);
  });
});
