import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describePages } from '../support/console-errors.js';
import { PAGES } from '../support/console-pages.js';
import { galleryFor } from '../support/form-gallery.js';
import { seen, settled } from '../support/page-text.js';
import { createTask } from '../support/task-page.js';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** What the pages have in common is measured here, so that no page has a look of its own. */
describePages('the parts of the pages', function () {
  const { site, gallery } = galleryFor(this);

  // A link to the same page keeps its heading, so pages and their tabs alternate.
  const paths = () => [
    ...PAGES,
    '/adapters/edge-berlin?tab=history',
    '/api/restCall',
    '/adapters/core1?tab=calls',
    `/profiles/${gallery().profileId}`,
    `/forms/${gallery().formId}`,
    `/profiles/${gallery().profileId}?tab=json`,
  ];

  /** Opens all pages one after the other, and returns what `measure` finds on each, without empty results. */
  async function onEach(view: typeof DESKTOP, measure: string): Promise<Readonly<Record<string, unknown>>> {
    const { page, follow } = await site.look('/ui/nothing/here', view);
    const found: Record<string, unknown> = {};
    for (const path of paths()) {
      await follow(`/ui${path}`);
      await settled(page);
      const faults = await page.evaluate<readonly unknown[]>(measure);
      if (faults.length > 0) found[path] = faults;
    }
    return found;
  }

  it('have actions in one order: default buttons, the primary one, the menu', async () => {
    assert.deepEqual(
      await onEach(
        DESKTOP,
        `(() => {
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
        })()`,
      ),
      {},
    );
  });

  it('have the menu on the line of the heading on a phone, and the lead below', async () => {
    assert.deepEqual(
      await onEach(
        PHONE,
        `(() => {
          const middle = (one) => { const { y, height } = one.getBoundingClientRect(); return y + height / 2; };
          const head = document.querySelector('.gh-page-head');
          const [heading, lead, menu] = ['h1', 'p', '.gh-menu-button[data-kind=plain]'].map((one) => head?.querySelector(one));
          // The editor of a form has its own row of actions.
          const isBeside = !menu || location.pathname.includes('/forms/') || Math.abs(middle(heading) - middle(menu)) <= 1;
          const gap = lead ? lead.getBoundingClientRect().top - heading.getBoundingClientRect().bottom : 0;
          return isBeside && gap <= 8 ? [] : [gap];
        })()`,
      ),
      {},
    );
  });

  it('have no two hairlines close to each other', async () => {
    assert.deepEqual(
      await onEach(
        DESKTOP,
        `(() => {
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
        })()`,
      ),
      {},
    );
  });

  it('show inline code of descriptions as code, and paths that break only after a separator', async () => {
    assert.deepEqual(
      await onEach(
        DESKTOP,
        `[...document.querySelectorAll('main p, main dd, main .gh-api-summary')]
          .filter((one) => one.checkVisibility() && /\`[^\`]+\`/.test(one.textContent))
          .map((one) => one.textContent)`,
      ),
      {},
    );
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

  for (const [width, height] of [
    [390, 844],
    [820, 900],
    [1440, 900],
  ] as const)
    it(`have the fields of a form close below its toolbar, ${width} px wide`, async () => {
      const { page, go } = await site.look('/ui/api/restCall', { width, height, formView: 'none' });
      for (const path of [
        '',
        '/ui/new-profile',
        `/json-forms/task/ShowJsonForm?task=${gallery().formTask}`,
      ]) {
        if (path !== '') await go(path);
        await page.locator('.gf-field').first().waitFor();
        const gap = await page.evaluate<number>(
          `document.querySelector('.gf-field, .gf-section').getBoundingClientRect().top -
            Math.max(...[...document.querySelectorAll('.gf-toolbar .gh-button')].map((one) => one.getBoundingClientRect().bottom))`,
        );
        assert.ok(gap >= 8 && gap <= 26, `${path} ${gap} px`);
      }
    });

  it('have actions of one kind in the rows of problems, without lines under links', async () => {
    const { page } = await site.look('/ui/', DESKTOP);
    const actions = page.locator('.gh-trouble-actions > :is(a, button)');
    await actions.first().waitFor();
    const looks = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.gh-trouble-actions > :is(a, button)')].map((one) =>
        [one.dataset.kind, one.dataset.size, getComputedStyle(one).textDecorationLine].join(' '))`,
    );
    assert.ok(looks.length > 3);
    assert.deepEqual([...new Set(looks)], ['link small none']);
  });

  for (const [path, name, most] of [
    ['/audit', 'Records', 100],
    ['/tasks?status=all', 'Tasks', 100],
    ['/adapters/core1?tab=calls', 'Calls', 100],
    ['/adapters', 'Adapters', 100],
    ['/health', 'Components', 130],
  ] as const)
    it(`${path} has short cards on a phone: a title, and words below it`, async () => {
      const { page } = await site.look(`/ui${path}`, PHONE);
      const rows = page.getByRole('table').locator('tbody tr');
      await rows.first().waitFor();
      await settled(page);
      const cards = await cardsOf(page);
      assert.ok(cards.length > 0, name);
      for (const { height, first, text } of cards) {
        assert.ok(height <= most, `${height} px: ${text}`);
        assert.equal(first, 'title', text);
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

  it('have empty states close to the heading of their section', async () => {
    const { page } = await site.look('/ui/notifications', DESKTOP);
    await seen(page, 'No receivers');
    const gaps = await page.evaluate<readonly number[]>(
      `[...document.querySelectorAll('.gh-panel .gh-empty')].map((one) =>
        one.firstElementChild.getBoundingClientRect().top - one.closest('.gh-panel').querySelector('header').getBoundingClientRect().bottom)`,
    );
    assert.ok(gaps.length === 2 && gaps.every((gap) => gap <= 12), gaps.join());
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
