import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { accessibilityFaults } from '../support/browser.js';
import { consoleFor, describePages, registerAdapter } from '../support/console-errors.js';
import { assertFits, button, focused, seen, settled } from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';
import { createTask } from '../support/task-page.js';

/** Adapters whose orchestrators refuse connections. */
const NAMES = Array.from({ length: 12 }, (_, at) => `nso${at + 1}.pop-berlin.example.com`);
/** More profiles than one page of a table shows. */
const PROFILES = 60;

/** Rules of good practice that four pages broke. */
const PRACTICE = ['landmark-unique', 'aria-allowed-role', 'page-has-heading-one'];

describePages('dense pages', function () {
  const site = consoleFor(this, {
    fill: async ({ ask }) => {
      for (const name of NAMES)
        await registerAdapter(ask, name, {
          model: 'http-rest',
          settings: {
            baseUrl: 'http://127.0.0.1:9',
            auth: { type: 'basic', username: 'gatehouse', password: `$VAULT_adapters/${name}#password` },
            timeouts: { totalMs: 1234 },
          },
        });
      for (let at = 0; at < PROFILES; at += 1)
        await ask('POST', '/profiles', { properties: { id: `night-${at}` } });
    },
  });

  const boxesOf = (things: Locator) =>
    things.evaluateAll((all) =>
      (all as unknown as readonly { getBoundingClientRect(): { x: number; width: number; height: number } }[])
        .map((one) => one.getBoundingClientRect())
        .map(({ x, width, height }) => ({ x: Math.round(x), right: Math.round(x + width), width, height })),
    );

  it('show the problems with their actions in one column, 8 px from each other, of one kind and without lines (N16)', async () => {
    const { page } = await site.look('/ui/');
    const actions = page.getByRole('region', { name: /^Problems/ }).locator('.gh-trouble-actions');
    await actions.first().waitFor();
    assert.equal(new Set((await boxesOf(actions)).map(({ x }) => x)).size, 1);
    const buttons = (await boxesOf(actions.first().locator('> *'))).filter(({ width }) => width > 0);
    assert.ok(buttons.length > 2);
    for (const [at, { x }] of buttons.slice(1).entries()) {
      const gap = x - (buttons[at]?.right ?? 0);
      assert.ok(gap >= 7 && gap <= 8, `${gap} px`);
    }
    const looks = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.gh-trouble-actions > :is(a, button)')].map((one) =>
        [one.dataset.kind, one.dataset.size, getComputedStyle(one).textDecorationLine].join(' '))`,
    );
    assert.deepEqual([...new Set(looks)], ['link small none']);
  });

  it('have distinct landmarks, and headings and times on one line (N26, D26, D27)', async () => {
    const { page, follow } = await site.look('/ui/nothing/here');
    for (const path of ['/adapters', '/profiles', '/audit', '/profiles/night-1?tab=history']) {
      await follow(`/ui${path}`);
      await settled(page);
      const practice = { type: 'rule', values: PRACTICE };
      assert.deepEqual(await accessibilityFaults(page.locator('html'), false, practice), [], path);
      for (const [things, most] of [
        ['main th', 36],
        ['main td time', 24],
      ] as const)
        for (const { height } of await boxesOf(page.locator(things)))
          assert.ok(height <= most, `${path}: ${things} of ${height} px`);
    }
  });

  it('break references to secrets only at their separators (D7)', async () => {
    const { page } = await site.look('/ui/secrets', { width: 1280, height: 900 });
    const pieces = page.locator('td code').filter({ hasText: NAMES[11]! }).locator('span');
    await pieces.first().waitFor();
    assert.deepEqual(await pieces.allInnerTexts(), ['$VAULT_adapters/', `${NAMES[11]!}#`, 'password']);
    for (const { height } of await boxesOf(pieces)) assert.ok(height < 24, `${height} px`);
  });

  it('keep their controls and their focus while other records are read (D30)', async () => {
    const { page } = await site.look('/ui/audit');
    const show = page.getByLabel('Show', { exact: true });
    await show.waitFor();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/audit?*', async (route) => {
      await held;
      await route.continue();
    });
    await show.focus();
    await show.selectOption('All records');
    await page.locator('[aria-busy=true]').getByRole('table', { name: 'Records' }).waitFor();
    await focused(show);
    release();
    await seen(page.getByRole('table', { name: 'Records' }), 'audit.getAudit');
    await focused(show);
  });

  it('register an adapter with five fields, closed sections, and both buttons in sight (N9)', async () => {
    const { page } = await site.look('/ui/new-adapter');
    await clickMiddle(page, page.getByRole('button', { name: /^Cisco NSO/ }));
    const main = page.getByRole('main');
    for (const name of ['Test connection', 'Register adapter']) {
      const box = await button(page, name).boundingBox();
      assert.ok(box && box.y + box.height <= 900, `${name} at ${box?.y}`);
    }
    assert.equal(await main.locator('details[open]').count(), 0);
    await seen(main, /^Timeouts, retries and limits\s*nothing set$/);
    assert.equal(await main.getByText('Default: null').count(), 0);
  });

  it('keep the heading of an edited list on one line on a phone (N7)', async () => {
    const ports = {
      type: 'array',
      title: 'Ports of the interface',
      items: { type: 'object', properties: { name: { type: 'string' }, mtu: { type: 'integer' } } },
    };
    const jsonSchema = { type: 'object', properties: { ports } };
    const formData = { ports: [{ name: 'eth1/0/1234', mtu: 1500 }] };
    const { path } = await createTask(site, { jsonSchema, formData });
    const { page } = await site.look(path, { formView: 'none', width: 390, height: 844 });
    const mtu = page.getByRole('textbox', { name: 'mtu', exact: true });
    await tapMiddle(page, mtu);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('9216');
    await page.keyboard.press('Tab');
    const legend = page.locator('legend').filter({ hasText: 'Ports of the interface' }).first();
    await seen(page, 'edited');
    const title = await legend.getByText('Ports of the interface', { exact: true }).boundingBox();
    assert.ok(title && title.height < 30, `${title?.height} px`);
    await assertFits(page);
  });
});
