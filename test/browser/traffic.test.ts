import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openStore } from '../../src/features/open-store.js';
import { consoleFor, describePages } from '../support/console-errors.js';
import { arrived, assertFits, assertPartClean, choose, dialogOf, press, seen } from '../support/page-text.js';
import { dragOver, swipe, tapMiddle } from '../support/pointer.js';
import { adapterNames, storeTraffic } from '../support/traffic-numbers.js';

const NAMES = adapterNames(36);

/** An adapter whose orchestrator does not exist. */
const ADAPTER = 'plugin: restconf\nbaseUrl: http://127.0.0.1:9\nauth: { type: none }\n';

describePages('the traffic pages of the console', function () {
  const site = consoleFor(this, {
    arrange: (folder) => {
      for (const name of NAMES.slice(1)) writeFileSync(join(folder, 'adapters', `${name}.yaml`), ADAPTER);
    },
    fill: async ({ testServer }) => {
      const store = await openStore(`sqlite:${join(dirname(testServer.configPath), 'data', 'gatehouse.db')}`);
      await storeTraffic(store.traffic, { now: Date.now(), minutes: 60, names: NAMES });
      await store.close();
    },
  });

  const stripOf = (page: Page): Locator => page.getByRole('region', { name: 'Time strip' });

  const plotOf = (page: Page): Locator => stripOf(page).locator('.gh-time-strip-plot');

  const timeOf = (page: Page): readonly [from: string | null, to: string | null] => {
    const query = new URL(page.url()).searchParams;
    return [query.get('from'), query.get('to')];
  };

  /** Asserts how many minutes are selected. */
  const assertMinutes = (page: Page, least: number, most: number): void => {
    const [from, to] = timeOf(page);
    const minutes = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 60_000;
    assert.ok(minutes >= least && minutes <= most, `${minutes} minutes`);
  };

  const focusedName = (page: Page): Promise<string> =>
    page.evaluate<string>('document.activeElement.ariaLabel');

  it('selects a time with the mouse, keeps it on other pages, drops it, and selects one with the keyboard', async () => {
    const { page } = await site.look('/ui/');
    await stripOf(page).waitFor();
    await dragOver(plotOf(page), 0.25, 0.5);
    await stripOf(page).getByRole('button', { name: 'Reset' }).waitFor();
    assertMinutes(page, 14, 17);
    const times = timeOf(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Adapters', exact: true }).click();
    await arrived(page, 'Adapters');
    await stripOf(page).getByRole('button', { name: 'Reset' }).waitFor();
    assert.deepEqual(timeOf(page), times);
    await press(stripOf(page), 'Reset');
    await seen(stripOf(page), 'Drag to select a time.');
    assert.deepEqual(timeOf(page), [null, null]);
    await page.getByRole('slider', { name: 'Start of the time' }).focus();
    await page.keyboard.press('PageUp');
    await stripOf(page).getByRole('button', { name: 'Reset' }).waitFor();
    assertMinutes(page, 50, 51);
    await assertFits(page);
  });

  it('shows before a stop or a pause which calls of the last hour would have failed or waited, by caller', async () => {
    const { page, go } = await site.look('/ui/adapters/nso2.pop-2.example.com', { width: 390, height: 844 });
    await tapMiddle(page, page.getByRole('button', { name: 'Actions for nso2.pop-2.example.com' }));
    await tapMiddle(page, page.getByRole('menuitem', { name: 'Stop', exact: true }));
    const dialog = await dialogOf(page);
    await seen(dialog, /^[12],\d\d\d calls of the last hour would have failed\.$/);
    const callers = dialog.getByRole('table', { name: 'Calls of the last hour' });
    await callers.getByRole('row', { name: /ada.*1,\d\d\d/ }).waitFor();
    await callers.getByRole('row', { name: /automation-2.*\d/ }).waitFor();
    await assertPartClean(dialog);
    await assertFits(page);
    await go('/ui/adapters/core1');
    await choose(page, 'Actions for core1', 'Pause (queue calls)');
    await seen(dialog, /calls of the last hour would have waited\.$/);
    await dialog.getByLabel('Until', { exact: true }).selectOption('Until a time …');
    await dialog.getByLabel('End', { exact: true }).fill('2020-01-02T03:04:05');
    await seen(dialog, 'Choose a time in the future.');
    assert.equal(await dialog.getByRole('button', { name: 'Pause', exact: true }).isDisabled(), true);
  });

  it('keeps the focus and the strip when the time changes', async () => {
    const { page } = await site.look('/ui/');
    await stripOf(page).getByRole('button', { name: '24 h', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/span=24h/);
    await page.getByRole('figure', { name: /^All adapters, last 24 hours/ }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.textContent'), '24 h');
    await page.getByRole('slider', { name: 'Start of the time' }).focus();
    const read = new Set<string>();
    page.on('request', (request) => {
      if (request.url().includes('from=')) read.add(request.url());
    });
    for (let key = 0; key < 12; key += 1) await page.keyboard.press('ArrowRight');
    await stripOf(page).getByRole('button', { name: 'Reset' }).waitFor();
    assert.equal(await focusedName(page), 'Start of the time');
    assert.equal(read.size, 1, [...read].join('\n'));
    await stripOf(page).getByRole('button', { name: 'Reset' }).focus();
    await page.keyboard.press('Enter');
    await seen(stripOf(page), 'Drag to select a time.');
    assert.equal(await focusedName(page), 'Start of the time');
    await assertFits(page);
  });

  it('selects a time with a finger on a phone', async () => {
    const { page } = await site.look('/ui/adapters/core1', { width: 390, height: 844, isFresh: true });
    await plotOf(page).scrollIntoViewIfNeeded();
    const box = await plotOf(page).boundingBox();
    assert.ok(box);
    const at = (part: number) => ({ x: box.x + box.width * part, y: box.y + box.height / 2 });
    await swipe(page, [at(0.2), at(0.3), at(0.45), at(0.6)]);
    await stripOf(page).getByRole('button', { name: 'Reset' }).waitFor();
    assertMinutes(page, 23, 27);
    await assertFits(page);
  });

  it('shows an open circuit breaker with forced colors', async () => {
    const { page } = await site.look('/ui/adapters/nso5.pop-5.example.com', { isForced: true });
    const open = page.locator('.gh-chart-breaker [data-state=open]').first();
    await open.waitFor();
    const colors = await page.evaluate<readonly string[]>(`(() => {
      const mark = document.querySelector('.gh-chart-breaker [data-state=open]');
      const key = document.querySelector('.gh-key-open');
      return [mark, mark.parentElement].map((one) => getComputedStyle(one).backgroundColor)
        .concat(getComputedStyle(key, '::before').backgroundColor);
    })()`);
    const [mark, ground, key] = colors;
    assert.notEqual(mark, ground);
    assert.equal(key, mark);
  });

  it('reads one adapter for its page, whose bars lead to calls, and the rows of a list in a fixed order', async () => {
    const paths: URL[] = [];
    const before = (page: Page): Promise<void> => {
      page.on('request', (request) => void paths.push(new URL(request.url())));
      return Promise.resolve();
    };
    const { page, go } = await site.look('/ui/adapters/core1', { before });
    const chart = page.getByRole('figure', { name: /^core1, last hour: [\d,]+ calls/ });
    await chart.waitFor();
    const overviews = paths.filter(({ pathname }) => pathname === '/console/overview');
    assert.ok(overviews.length > 0);
    // An empty name reads the problems of the server itself, which are on top of every page.
    assert.ok(
      overviews.every(({ searchParams }) => ['core1', ''].includes(searchParams.get('adapter') ?? 'all')),
    );
    await assertPartClean(chart);
    await chart.getByRole('link').last().focus();
    await page.keyboard.press('ArrowLeft');
    await seen(chart, /\d calls? · \d+ errors? · p50 .*, p95/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/tab=calls&from=.*&to=/);
    await go('/ui/adapters?sort=-rate');
    await page.getByRole('img', { name: /^core1, last hour: \d+ calls/ }).waitFor();
    const requests = paths.flatMap(({ searchParams }) => {
      const names = searchParams.get('adapters')?.split(',');
      return names ? [names] : [];
    });
    assert.ok(requests.flat().length > 20);
    for (const names of requests) assert.deepEqual(names, names.toSorted());
  });

  it('shows 36 adapters in the heat map, the one with errors first, in light and dark', async () => {
    const { page } = await site.look('/ui/');
    const map = page.getByRole('figure', { name: 'Adapters over time' });
    await map.waitFor();
    const rows = map.getByRole('group');
    assert.equal(await rows.count(), 36);
    assert.match((await rows.first().getAttribute('aria-label')) ?? '', /^nso5\.pop-5\.example\.com: /);
    await assertPartClean(rows.first());
    const cell = rows.first().getByRole('link').nth(45);
    await cell.scrollIntoViewIfNeeded();
    const box = await cell.boundingBox();
    assert.ok(box && box.width >= 8 && box.height >= 16, JSON.stringify(box));
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await arrived(page, 'nso5.pop-5.example.com');
    assert.ok(timeOf(page)[0]);
  });

  it('keeps names of 64 characters readable: 16 rows on a screen, and cards of four lines on a phone', async () => {
    const { page, go } = await site.look('/ui/adapters', { width: 390, height: 844 });
    const rows = page.getByRole('table', { name: 'Adapters' }).locator('tbody tr');
    await rows.first().waitFor();
    const heights = await Promise.all(
      (await rows.all()).slice(0, 10).map(async (row) => (await row.boundingBox())?.height ?? 0),
    );
    assert.ok(Math.max(...heights) <= 140, String(heights));
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('img', { name: /^nso9\.pop-2\.example\.com, last hour: \d+ calls/ }).waitFor();
    const links = await rows.locator('.gh-adapter-name a').all();
    const boxes = await Promise.all(links.map((link) => link.boundingBox()));
    assert.ok(boxes.filter((box) => box && box.y + box.height <= 900).length >= 16);
    assert.ok(boxes.every((box) => box && box.height < 30));
    await assertFits(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
    await go('/ui/');
    await stripOf(page).waitFor();
    await assertFits(page);
  });
});
