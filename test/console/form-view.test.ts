import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  accessibilityFaults,
  lackOfBrowser,
  openBrowser,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.js';
import {
  buildFormPage,
  type FormPage,
  lackOfSamples,
  type Library,
  serveFormPage,
} from '../support/form-page.js';
import { FORM_OF_ALL_KINDS } from '../support/form-of-all-kinds.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const LIBRARIES: readonly Library[] = ['react', 'preact'];

/** Whether the browser shows something else than the pages of the build. */
function lack(): string | undefined {
  const said = lackOfBrowser();
  return said?.startsWith('no browser') === true ? said : undefined;
}

for (const library of LIBRARIES)
  describe(`the form, made with ${library}`, function () {
    this.timeout(60_000);
    let served: FormPage;
    let browser: TestBrowser;
    let looked: WatchedPage;
    let page: Page;

    before(async function () {
      const lacking = lack();
      if (lacking !== undefined) {
        process.stderr.write(`  skipped: ${lacking}\n`);
        this.skip();
      }
      const folder = temporaryFolder().path;
      await buildFormPage(folder, library);
      served = await serveFormPage(folder, FORM_OF_ALL_KINDS);
      browser = await openBrowser();
    });
    after(async () => {
      await (browser as TestBrowser | undefined)?.close();
      await (served as FormPage | undefined)?.close();
    });
    afterEach(async function () {
      const faults = (looked as WatchedPage | undefined)?.faults ?? [];
      await (looked as WatchedPage | undefined)?.close();
      assert.deepEqual(faults, []);
    });

    const open = async (query: string, look: { theme?: 'light' | 'dark'; width?: number } = {}) => {
      looked = await browser.look(served.url, { height: 2400, ...look });
      ({ page } = looked);
      page.setDefaultTimeout(10_000);
      await page.goto(`${served.url}/?${query}`);
      await page.locator('html[data-opened-in]').waitFor();
    };
    const row = (name: string | RegExp) =>
      page.locator('.gf-rows [role=row]').filter({ has: page.getByRole('rowheader', { name }) });
    const value = (name: string) => row(new RegExp(`^${name} `)).locator('.gf-value');
    const text = async () => JSON.parse(await page.evaluate<string>('window.form.text()')) as Data;
    const keys = async (...all: readonly string[]) => {
      for (const key of all) await page.keyboard.press(key);
    };
    const focused = () =>
      page.evaluate<string>(
        `(document.activeElement.closest('[role=row]')?.querySelector('[role=rowheader] .gf-clip')?.textContent ?? document.activeElement.tagName)`,
      );

    for (const theme of ['light', 'dark'] as const)
      it(`${theme}: nothing that axe or the policy complain of, whatever lies over it`, async () => {
        await open('sample=kinds&checked', { theme });
        assert.deepEqual(await accessibilityFaults(page), [], 'full');
        await row(/^mtu /).first().focus();
        await keys('ArrowRight', 'ArrowRight', 'x');
        await page.getByRole('textbox', { name: 'mtu' }).waitFor();
        assert.deepEqual(await accessibilityFaults(page), [], 'editing');
        await keys('Enter');
        for (const name of ['Export', 'Keys', /error/, /Review/]) {
          await page.getByRole('button', { name }).last().click();
          await page.getByRole('dialog').waitFor();
          assert.deepEqual(await accessibilityFaults(page), [], String(name));
          await keys('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        }
        await page.getByRole('button', { name: 'Plain page' }).click();
        await page.locator('.gf-field').first().waitFor();
        assert.deepEqual(await accessibilityFaults(page), [], 'plain');
      });

    it('narrow, empty, read-only: the same', async () => {
      await open('sample=empty', { width: 390 });
      await page.getByText('This form has no fields.').waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.goto(`${served.url}/?sample=kinds&readOnly`);
      await row(/^mtu /).first().waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(width <= 390, `${width} px wide`);
    });

    it('is filled in, searched, mended and sent by keys alone', async () => {
      await open('sample=kinds');
      await keys('Tab', 'Tab', 'Tab');
      await page
        .getByRole('button', { name: /Review/ })
        .and(page.locator(':focus'))
        .waitFor();
      await keys('Tab');
      assert.equal((await focused()).startsWith('name'), true);
      await keys('ArrowDown', 'ArrowRight', 'ArrowRight');
      await page.keyboard.type('70000');
      await page.getByText('must be <= 9216').waitFor();
      await keys('Escape');
      assert.equal((await text())['mtu'], 9000);
      await keys('F2');
      await page.keyboard.type('9100');
      await keys('Tab');
      await page.keyboard.type('42');
      await keys('Enter');
      assert.deepEqual([(await text())['mtu'], (await text())['counter']], [9100, '42']);
      await keys('Control+z');
      assert.equal((await text())['counter'], '18446744073709551615');
      await keys('Control+y');
      assert.equal((await text())['counter'], '42');
      await keys('Control+Home', 'ArrowLeft', 'ArrowLeft', 'Delete', 'Control+s');
      await page.getByRole('dialog', { name: '1 error' }).waitFor();
      await keys('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await keys('End', 'n');
      assert.equal((await focused()).startsWith('name'), true);
      await keys('Enter');
      await page.keyboard.type('core1');
      await keys('Enter', 'ArrowLeft', 'ArrowLeft', '/');
      await page.keyboard.type('eth1');
      await page.getByText('1 row found').waitFor();
      await keys('Enter', 'Control+s');
      await page.getByRole('dialog', { name: '3 changes' }).waitFor();
      await keys('Tab', 'Tab', 'Tab', 'Tab');
      await page.getByRole('button', { name: 'Submit' }).focus();
      await keys('Enter');
      const sent = JSON.parse(await page.evaluate<string>('window.form.sent')) as Data;
      assert.deepEqual([sent['name'], sent['mtu'], sent['left-over']], ['core1', 9100, { kept: [1, 2.5] }]);
    });

    it('goes through the tree as the treegrid pattern says', async () => {
      await open('sample=kinds');
      await row(/^name /)
        .first()
        .focus();
      await keys('End');
      const last = await focused();
      await keys('Home');
      assert.ok((await focused()).startsWith('name'));
      await keys('Control+End');
      assert.equal(await focused(), last);
      await row(/^interface /).focus();
      assert.equal(await row(/^interface /).getAttribute('aria-expanded'), 'true');
      await keys('ArrowLeft');
      assert.equal(await row(/^interface /).getAttribute('aria-expanded'), 'false');
      await keys('ArrowRight', 'ArrowDown');
      assert.equal(await focused(), '[eth0]');
      assert.equal(await row('[eth0]').getAttribute('aria-level'), '2');
      assert.equal(await row('[eth0]').getAttribute('aria-setsize'), '2');
      await keys('ArrowLeft', 'ArrowLeft');
      assert.equal(await focused(), 'interface');
      await keys('PageUp');
      assert.notEqual(await focused(), 'interface');
    });

    it('takes what every kind of editor says into the document', async () => {
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
      const now = await text();
      const { enabled, mode, speed, encapsulation, flags, since, notes, secret, uplink, address } = now;
      assert.deepEqual(
        { enabled, mode, speed, encapsulation, flags, since, notes, secret, uplink, address },
        {
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
        },
      );
      assert.deepEqual([now['passive'], now['version']], [[null], 2]);
      assert.equal(await page.getByText('hush').count(), 0);
    });

    it('keeps the other case of a choice aside, and says why a row is off', async () => {
      await open('sample=kinds');
      await value('routing').click();
      await page.getByRole('radio', { name: 'bgp' }).check();
      await page.getByText('kept aside').waitFor();
      assert.equal('static-route' in (await text()), false);
      await page.getByRole('radio', { name: /static/ }).check();
      assert.equal((await text())['static-route'], '192.0.2.0/24');
      await keys('Escape');
      await page.getByRole('button', { name: 'Expand all' }).click();
      await page.keyboard.press('/');
      await page.keyboard.type('native');
      await row(/^native /)
        .filter({ hasText: "Only when ../../mode = 'trunk'" })
        .waitFor();
    });

    it('adds, duplicates, moves and removes entries; opens JSON and a table; reverts', async () => {
      await open('sample=kinds');
      await row(/^interface /).focus();
      await keys('Insert');
      await row('#3').and(page.locator(':focus')).waitFor();
      await keys('Alt+ArrowUp', 'Alt+ArrowUp', 'Control+z', 'Control+z', 'Control+z');
      assert.deepEqual((await text())['interface'], INTERFACES);
      await row('[eth1]').focus();
      await keys('Alt+ArrowUp');
      assert.deepEqual((await text())['interface'], INTERFACES.toReversed());
      await keys('Delete');
      assert.deepEqual((await text())['interface'], INTERFACES.slice(0, 1));
      await row(/^interface /).focus();
      await keys('j');
      const json = page.getByRole('textbox', { name: 'JSON of interface' });
      await json.fill('[{"name":');
      await keys('Tab');
      await json.and(page.locator('[aria-invalid=true]')).waitFor();
      await json.fill('[{"name":"lo0"}]');
      await page.getByRole('button', { name: 'Apply' }).click();
      assert.deepEqual((await text())['interface'], [{ name: 'lo0' }]);
      await row(/^interface /)
        .getByRole('button', { name: 'Table: interface' })
        .click();
      await page.getByRole('textbox', { name: 'name 1' }).fill('lo1');
      await page.getByRole('button', { name: 'From CSV' }).click();
      await page.getByRole('textbox', { name: 'From CSV' }).fill('name,mtu\nlo2,1400\n');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('textbox', { name: 'name 2' }).waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.deepEqual((await text())['interface'], [{ name: 'lo1' }, { name: 'lo2', mtu: 1400 }]);
      await keys('Escape');
      await row(/^interface /)
        .getByRole('button', { name: 'Revert: interface' })
        .click();
      assert.deepEqual((await text())['interface'], INTERFACES);
    });

    it('leads from an error to its row, says why there are no options, exports what was changed', async () => {
      await open('sample=kinds');
      await row(/^name /)
        .first()
        .focus();
      await keys('Delete', 'End', 'Control+s');
      await page.getByRole('dialog', { name: '1 error' }).getByRole('button', { name: 'name' }).click();
      await row(/^name /)
        .first()
        .and(page.locator(':focus'))
        .waitFor();
      await page.locator('.gf-state', { hasText: 'must be there' }).waitFor();
      await value('peer').click();
      await page.getByText('nobody answers').waitFor();
      await keys('Escape');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('combobox', { name: 'Format' }).selectOption({ label: 'JSON Patch (RFC 6902)' });
      const patch: unknown = JSON.parse(await page.getByRole('dialog').locator('pre').innerText());
      assert.deepEqual(patch, [{ op: 'remove', path: '/name' }]);
    });

    it('is a plain page with labels, and a print with every value', async () => {
      await open('sample=kinds&plain');
      await page.getByRole('textbox', { name: /^counter/ }).fill('7');
      await keys('Enter');
      await page
        .getByRole('button', { name: '1 change' })
        .or(page.getByRole('button', { name: /\(1\)/ }))
        .waitFor();
      assert.equal((await text())['counter'], '7');
      await page.getByRole('combobox', { name: /^mode/ }).selectOption('routed');
      assert.equal((await text())['mode'], 'routed');
      await page.emulateMedia({ media: 'print' });
      await page.evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
      const printed = await page.locator('.gf-print').innerText();
      for (const wanted of [
        '/name',
        'edge1',
        '/interface/1/description',
        'to core',
        '/labels/site',
        'routed',
      ])
        assert.ok(printed.includes(wanted), `${wanted} in ${printed}`);
      assert.equal(await page.locator('.gf-screen').isVisible(), false);
    });

    it('takes what is pasted onto a row', async () => {
      await open('sample=kinds');
      await row(/^name /)
        .first()
        .focus();
      await keys('End', 'Home', 'ArrowDown');
      const paste = (what: string) =>
        page.evaluate(`(() => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', ${JSON.stringify(what)});
          document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
        })()`);
      await paste('1400');
      assert.equal((await text())['mtu'], 1400);
      await row('[eth0]').focus();
      await row('[eth0]').and(page.locator('[tabindex="0"]')).waitFor();
      await paste('{"mtu": 1300}');
      await page.getByText('1 value pasted').waitFor();
      assert.deepEqual((await text())['interface'], [{ name: 'eth0', mtu: 1300 }, INTERFACES[1]]);
    });

    it('holds 2,105 nodes with few of them in the page, and few stops of the Tab key', async function () {
      const lacking = lackOfSamples();
      if (lacking !== undefined) {
        process.stderr.write(`  skipped: ${lacking}\n`);
        this.skip();
      }
      await open('sample=oc-ni');
      await page.getByRole('button', { name: 'Expand all' }).click();
      const count = Number(await page.getByRole('treegrid').getAttribute('aria-rowcount'));
      assert.ok(count > 2000, `${count} rows`);
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
      assert.equal(await page.locator(':focus').getAttribute('aria-rowindex'), String(count));
      await page.getByRole('treegrid').hover();
      await page.mouse.wheel(0, -200_000);
      await row(/^network-instances /)
        .first()
        .waitFor();
      assert.equal(await page.locator(':focus').getAttribute('aria-rowindex'), String(count));
    });
  });

type Data = Record<string, unknown>;

const INTERFACES = [
  { name: 'eth0', mtu: 1500 },
  { name: 'eth1', description: 'to core' },
];
