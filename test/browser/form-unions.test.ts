import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  accessibilityFaults,
  BROWSER_TEST_MS,
  openBrowser,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.js';
import { buildFormPage, type FormPage, serveFormPage } from '../support/form-page.js';
import { BROWSER } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { clickMiddle } from '../support/pointer.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';

const branch = (name: string, value: string, member: string) => ({
  properties: { [name]: { enum: [value] }, [member]: { type: 'string' } },
  required: [member],
});
const only = (member: string) => ({ title: `By ${member}`, properties: { [member]: { type: 'string' } } });

const FORMS = {
  'selects.json': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name' },
      mode: { type: 'string', title: 'Addressing', enum: ['static', 'dhcp'] },
      proto: { type: 'string', title: 'Protocol', enum: ['bgp', 'ospf'] },
    },
    dependencies: {
      mode: { oneOf: [branch('mode', 'static', 'address'), branch('mode', 'dhcp', 'server')] },
      proto: { oneOf: [branch('proto', 'bgp', 'asn'), branch('proto', 'ospf', 'area')] },
    },
  },
  'unions.json': {
    type: 'object',
    properties: { name: { type: 'string', title: 'Name' } },
    allOf: [
      { title: 'Addressing', oneOf: [only('address'), only('server')] },
      { title: 'Routing', oneOf: [only('asn'), only('area')] },
    ],
  },
  'untitled.json': { type: 'object', oneOf: [only('address'), only('server')] },
};

describeWith(BROWSER, 'a form with several unions', function () {
  this.timeout(BROWSER_TEST_MS);
  let browser: TestBrowser;
  let looked: WatchedPage;
  let served: FormPage;

  const opened = openedBySuite();
  before(async () => {
    const folder = temporaryFolder().path;
    await buildFormPage(folder, 'preact');
    served = await opened(serveFormPage(folder, FORMS));
    browser = await opened(openBrowser());
  });
  afterEach(() => (looked as WatchedPage | undefined)?.close());

  const open = async (sample: string, view = 'form'): Promise<Page> => {
    looked = await browser.look(served.url, { height: 1200, formView: 'none' });
    await looked.page.goto(`${served.url}/?sample=${sample}&view=${view}`);
    await looked.page.getByRole('button', { name: /Review/ }).waitFor();
    return looked.page;
  };

  it('shows two selects with dependencies without radio buttons and without a false error', async () => {
    const page = await open('selects');
    await page.getByLabel('Addressing', { exact: true }).selectOption('static');
    await page.getByLabel('Protocol', { exact: true }).selectOption('ospf');
    await page.getByRole('textbox', { name: 'address' }).fill('192.0.2.1');
    await page.getByRole('textbox', { name: 'area' }).fill('0');
    await page.keyboard.press('Tab');
    assert.equal(await page.getByRole('radio').count(), 0);
    assert.equal(await page.locator('.gf-error').count(), 0);
    assert.deepEqual(await page.getByLabel('Addressing', { exact: true }).locator('option').allInnerTexts(), [
      'Leave unset',
      'static',
      'dhcp',
    ]);
    await page.getByLabel('Addressing', { exact: true }).selectOption('dhcp');
    await page.getByRole('textbox', { name: 'server' }).waitFor();
    assert.deepEqual([await accessibilityFaults(page.locator('html')), looked.faults], [[], []]);
  });

  it('shows independent unions as groups with names, which a mouse chooses independently', async () => {
    const page = await open('unions');
    const groups = page.getByRole('radiogroup');
    const names = await groups.evaluateAll((all) =>
      all.map((group) => (group as unknown as { ariaLabel: string }).ariaLabel),
    );
    assert.deepEqual(names, ['Addressing', 'Routing']);
    await clickMiddle(page, page.getByRole('radio', { name: 'By area' }));
    await page.getByRole('textbox', { name: 'area' }).fill('0');
    await clickMiddle(page, page.getByRole('radio', { name: 'By address' }));
    await page.getByRole('textbox', { name: 'address' }).fill('192.0.2.1');
    await page.keyboard.press('Tab');
    await eventually(async () => {
      const text = await page.evaluate<string>('window.form.text()');
      assert.deepEqual(JSON.parse(text), { area: '0', address: '192.0.2.1' });
    });
    assert.deepEqual([await accessibilityFaults(page.locator('html')), looked.faults], [[], []]);
  });

  it('names the group of a form without a title', async () => {
    const page = await open('untitled');
    await page.getByRole('radiogroup', { name: 'Variant' }).waitFor();
    assert.deepEqual([await accessibilityFaults(page.locator('html')), looked.faults], [[], []]);
  });

  it('chooses an alternative of one union in the table', async () => {
    const table = await open('unions', 'table');
    await clickMiddle(table, table.getByRole('row', { name: /^Routing/ }).locator('.gf-text'));
    await clickMiddle(table, table.getByRole('radio', { name: 'By asn' }));
    await table.getByRole('row', { name: /^asn/ }).waitFor();
  });
});
