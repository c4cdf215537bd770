import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PageView } from '../support/browser.js';
import { FORM_OF_ALL_KINDS } from '../support/form-of-all-kinds.js';
import { formPageFor } from '../support/form-page.js';
import { BROWSER, SAMPLE_FORMS } from '../support/need-list.js';
import { describeWith, itWith } from '../support/needs.js';
import {
  assertAccessibleInBothThemes,
  button,
  dialogGone,
  dialogOf,
  focused,
  press,
  seen,
  words,
} from '../support/page-text.js';
import { eventually } from '../support/until.js';

describeWith(BROWSER, 'the form', function () {
  let page: Page;
  const { open: openPage, stands } = formPageFor(this, { forms: FORM_OF_ALL_KINDS });
  // The first `view` counts.
  const open = async (query: string, look: PageView = {}) => {
    page = await openPage(`${query}&view=table`, { height: 2400, formView: 'table', ...look });
  };
  const row = (name: string | RegExp) =>
    page.locator('.gf-rows [role=row]').filter({ has: page.getByRole('rowheader', { name }) });
  const value = (name: string) => row(new RegExp(`^${name} `)).locator('.gf-value');
  const keys = async (...all: readonly string[]) => {
    for (const key of all) await page.keyboard.press(key);
  };
  /** Waits until a row has the focus, whose title begins so. */
  const isAt = (title: string) =>
    page
      .locator('[role=row]:focus, [role=row]:focus-within')
      .filter({
        has: page.locator('[role=rowheader] .gf-clip', {
          hasText: new RegExp(`^${title.replace(/[[\]]/g, '\\$&')}`),
        }),
      })
      .waitFor();
  const axeSays = async (state: string, part = page.locator('html')) => {
    await assertAccessibleInBothThemes(part, state);
  };

  it('has no accessibility or CSP errors, with all overlays, light and dark', async () => {
    await open('sample=kinds&checked');
    await axeSays('full');
    await row(/^mtu /).first().focus();
    await keys('ArrowRight', 'ArrowRight', 'x');
    await focused(page.getByRole('textbox', { name: 'mtu' }));
    await axeSays('editing');
    await keys('Enter');
    await isAt('mtu');
    for (const name of ['Export', 'Shortcuts', /error/, /Review/]) {
      await page.getByRole('button', { name }).last().click();
      await axeSays(String(name), await dialogOf(page));
      await keys('Escape');
      await dialogGone(page);
    }
    await press(page, 'Form');
    await page.locator('.gf-field').first().waitFor();
    await axeSays('plain');
  });

  it('is filled in, searched, corrected and submitted by keyboard only', async () => {
    await open('sample=kinds');
    await keys('Tab', 'Tab', 'Tab');
    await focused(page.getByRole('button', { name: /Review/ }));
    await keys('Tab');
    await isAt('name');
    await keys('ArrowDown', 'ArrowRight', 'ArrowRight');
    await page.keyboard.type('70000');
    await seen(page, 'Must be at most 9216');
    await keys('Escape');
    await stands({ mtu: 9000 });
    await keys('F2');
    await page.keyboard.type('9100');
    await keys('Tab');
    await page.keyboard.type('42');
    await keys('Enter');
    await stands({ mtu: 9100, counter: '42' });
    await keys('Control+z');
    await stands({ counter: '18446744073709551615' });
    await keys('Control+y');
    await stands({ counter: '42' });
    await keys('Control+Home', 'ArrowLeft', 'ArrowLeft', 'Delete', 'Control+s');
    await page.getByRole('dialog', { name: '1 error' }).waitFor();
    await keys('Escape');
    await dialogGone(page);
    await keys('End', 'n');
    await isAt('name');
    await keys('Enter');
    await page.keyboard.type('core1');
    await keys('Enter', 'ArrowLeft', 'ArrowLeft', '/');
    await page.keyboard.type('eth1');
    await seen(page, '1 row found');
    await keys('Enter', 'Control+s');
    await page.getByRole('dialog', { name: '3 changes' }).waitFor();
    await button(page, 'Submit').focus();
    await focused(button(page, 'Submit'));
    await keys('Enter');
    await eventually(async () => {
      const sent = JSON.parse((await page.evaluate<string | undefined>('window.form.sent')) ?? '{}') as Data;
      assert.deepEqual([sent['name'], sent['mtu'], sent['left-over']], ['core1', 9100, { kept: [1, 2.5] }]);
    });
  });

  it('supports the keys of the treegrid pattern', async () => {
    await open('sample=kinds');
    await row(/^name /)
      .first()
      .focus();
    await keys('End');
    const last = page.locator('.gf-rows [role=row]').last();
    await focused(last);
    await keys('Home');
    await isAt('name');
    await keys('Control+End');
    await focused(last);
    const list = row(/^interface /);
    await list.focus();
    await focused(list.and(page.locator('[aria-expanded=true]')));
    await keys('ArrowLeft');
    await focused(list.and(page.locator('[aria-expanded=false]')));
    await keys('ArrowRight', 'ArrowDown');
    await focused(row('[eth0]').and(page.locator('[aria-level="2"][aria-setsize="2"]')));
    await keys('ArrowLeft', 'ArrowLeft');
    await focused(list);
    await keys('PageUp');
    await list.and(page.locator(':not(:focus)')).waitFor();
  });

  it('writes the value of every kind of editor into the document', async () => {
    await open('sample=kinds');
    await value('enabled').getByRole('checkbox').click();
    await value('mode').click();
    await page.getByRole('combobox', { name: 'mode' }).selectOption('trunk');
    await keys('Tab');
    await page.getByRole('radio', { name: '10G' }).check();
    await keys('Escape');
    await value('encapsulation').click();
    await page.keyboard.type('vx');
    await keys('ArrowDown', 'Enter');
    await value('flags').click();
    await page.getByRole('checkbox', { name: 'fin' }).check();
    await page.getByRole('checkbox', { name: 'syn' }).check();
    await keys('Enter');
    await value('since').click();
    await page.keyboard.type('2026-01-02T03:04:05Z');
    await value('notes').click();
    await page.keyboard.type('two');
    await keys('Enter');
    await page.keyboard.type('lines');
    await keys('Control+Enter');
    await value('secret').click();
    await page.keyboard.type('hush');
    await value('uplink').click();
    await page.getByRole('option', { name: 'eth1' }).click();
    await value('address').click();
    await page.keyboard.type('17');
    await keys('Enter');
    await value('passive').getByRole('checkbox').click();
    await value('version').getByRole('checkbox').click();
    await stands({
      enabled: false,
      mode: 'trunk',
      speed: '10G',
      encapsulation: 'mod:vxlan',
      flags: 'syn fin',
      since: '2026-01-02T03:04:05Z',
      notes: 'two\nlines',
      secret: 'hush',
      uplink: 'eth1',
      address: 17,
      passive: [null],
      version: 2,
    });
    assert.equal(await page.getByText('hush').count(), 0);
  });

  it('has no accessibility or CSP errors when narrow, empty or read-only', async () => {
    await open('sample=empty', { width: 390 });
    await seen(page, 'This form has no fields.');
    await axeSays('empty');
    await page.goto(page.url().replace('sample=empty', 'sample=kinds&readOnly'));
    await row(/^mtu /).first().waitFor();
    await axeSays('read-only');
    assert.equal(await button(page, 'Undo').count(), 0);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= 390, `${width} px wide`);
  });

  it('keeps the data of the other case of a choice, and shows why a row is disabled', async () => {
    await open('sample=kinds');
    await value('routing').click();
    await page.getByRole('radio', { name: 'bgp' }).check();
    await seen(page, /kept until the form is submitted/);
    await stands({ 'static-route': undefined });
    await page.getByRole('radio', { name: /static/ }).check();
    await stands({ 'static-route': '192.0.2.0/24' });
    await keys('Escape');
    await press(page, 'Expand all');
    await page.keyboard.press('/');
    await focused(page.getByRole('searchbox'));
    await page.keyboard.type('native');
    await row(/^native /)
      .filter({ hasText: "Only when ../../mode = 'trunk'" })
      .waitFor();
  });

  it('adds, duplicates, moves and removes entries; opens JSON and a table; reverts', async () => {
    await open('sample=kinds');
    await row(/^interface /).focus();
    await keys('Insert');
    await focused(row('#3'));
    await keys('Alt+ArrowUp', 'Alt+ArrowUp', 'Control+z', 'Control+z', 'Control+z');
    await stands({ interface: INTERFACES });
    await row('[eth1]').focus();
    await keys('Alt+ArrowUp');
    await stands({ interface: INTERFACES.toReversed() });
    await keys('Delete');
    await stands({ interface: INTERFACES.slice(0, 1) });
    await row(/^interface /).focus();
    await keys('j');
    const json = page.getByRole('textbox', { name: 'JSON of interface' });
    await focused(json);
    await json.fill('[{"name":');
    await keys('Tab');
    await json.and(page.locator('[aria-invalid=true]')).waitFor();
    await json.fill('[{"name":"lo0"}]');
    await press(page, 'Apply');
    await stands({ interface: [{ name: 'lo0' }] });
    await press(row(/^interface /), 'Table: interface');
    await page.getByRole('textbox', { name: 'name 1' }).fill('lo1');
    await press(page, 'Import CSV');
    await page.getByRole('textbox', { name: 'Import CSV' }).fill('name,mtu\nlo2,1400\n');
    await press(page, 'Apply');
    await page.getByRole('textbox', { name: 'name 2' }).waitFor();
    await axeSays('table', page.getByRole('dialog'));
    await stands({ interface: [{ name: 'lo1' }, { name: 'lo2', mtu: 1400 }] });
    await keys('Escape');
    await dialogGone(page);
    await press(row(/^interface /), 'Revert: interface');
    await stands({ interface: INTERFACES });
  });

  it('leads from an error to its row, shows why options are missing, and exports the changes', async () => {
    await open('sample=kinds');
    await row(/^name /)
      .first()
      .focus();
    await keys('Delete', 'End', 'Control+s');
    await press(page.getByRole('dialog', { name: '1 error' }), 'name');
    await focused(row(/^name /).first());
    await page.locator('.gf-state', { hasText: 'Required' }).waitFor();
    await value('peer').click();
    await seen(page, /nobody answers/);
    await keys('Escape');
    await press(page, 'Export');
    const dialog = await dialogOf(page);
    await dialog.getByRole('combobox', { name: 'Format' }).selectOption({ label: 'JSON Patch (RFC 6902)' });
    await eventually(async () => {
      assert.deepEqual(JSON.parse(await dialog.locator('pre').innerText()), [
        { op: 'remove', path: '/name' },
      ]);
    });
  });

  it('has labeled fields, and a print view with every value', async () => {
    await open('sample=kinds&view=form');
    await page.getByRole('textbox', { name: /^counter/ }).fill('7');
    await keys('Enter');
    await page.getByRole('button', { name: /^1 change|\(1\)/ }).waitFor();
    await stands({ counter: '7' });
    await page.getByRole('combobox', { name: /^mode/ }).selectOption('routed');
    await stands({ mode: 'routed' });
    const values = [
      'name',
      'edge1',
      String.raw`interface / \[eth1\] / description`,
      'to core',
      'labels / site',
      'routed',
    ];
    // On a busy machine Chromium occasionally does not apply a change of the medium.
    await eventually(async () => {
      await page.emulateMedia({ media: 'screen' });
      await page.emulateMedia({ media: 'print' });
      await page.evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
      for (const value of values)
        await words(page.locator('.gf-print'), new RegExp(value)).waitFor({ timeout: 2_000 });
      await page.locator('.gf-screen').waitFor({ state: 'hidden', timeout: 2_000 });
    });
  });

  it('accepts text pasted onto a row', async () => {
    await open('sample=kinds');
    await row(/^name /)
      .first()
      .focus();
    await keys('End', 'Home', 'ArrowDown');
    await isAt('mtu');
    const paste = (what: string) =>
      page.evaluate(`(() => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', ${JSON.stringify(what)});
          document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
        })()`);
    await paste('1400');
    await stands({ mtu: 1400 });
    await row('[eth0]').focus();
    await focused(row('[eth0]').and(page.locator('[tabindex="0"]')));
    await paste('{"mtu": 1300}');
    await seen(page, /1 value pasted/);
    await stands({ interface: [{ name: 'eth0', mtu: 1300 }, INTERFACES[1]] });
  });

  itWith(SAMPLE_FORMS, 'renders few of 2,105 nodes, with few tab stops', async () => {
    await open('sample=oc-ni');
    await press(page, 'Expand all');
    let count = 0;
    await eventually(async () => {
      count = Number(await page.getByRole('treegrid').getAttribute('aria-rowcount'));
      assert.ok(count > 2000, `${count} rows`);
    });
    const nodes = await page.evaluate<number>('document.querySelectorAll("*").length');
    assert.ok(nodes <= 1500, `${nodes} nodes`);
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    const stops = new Set<string>();
    for (let at = 0; at < 14; at += 1) {
      await keys('Tab');
      stops.add(await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 300)'));
    }
    assert.ok(stops.size <= 12, `${stops.size} stops`);
    await row(/^network-instances /)
      .first()
      .focus();
    await keys('End');
    const last = page.locator(`[aria-rowindex="${count}"]`);
    await focused(last);
    await page.getByRole('treegrid').hover();
    await page.mouse.wheel(0, -200_000);
    await row(/^network-instances /)
      .first()
      .waitFor();
    await page.locator(`[aria-rowindex="${count}"]:focus`).waitFor({ state: 'attached' });
  });
});

type Data = Record<string, unknown>;

const INTERFACES = [
  { name: 'eth0', mtu: 1500 },
  { name: 'eth1', description: 'to core' },
];
