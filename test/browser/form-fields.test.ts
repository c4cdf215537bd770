import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PageView } from '../support/browser.js';
import { formPageFor } from '../support/form-page.js';
import { BROWSER } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { assertAccessibleInBothThemes, dialogOf, press, seen } from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';
import { eventually } from '../support/until.js';

const NAMED = {
  type: 'object',
  properties: { name: { type: 'string' }, mode: { enum: ['access', 'trunk'] } },
};

/** A form with the names and the ui keys that network engineers use. */
const FORMS = {
  'service.json': {
    type: 'object',
    required: ['customer'],
    properties: {
      customer: { type: 'string', title: 'Customer', description: 'Name as in the contract.' },
      vlan: { type: 'integer', maximum: 4094 },
      'hold-time': { type: 'integer' },
      start: { type: 'string', format: 'date-time', title: 'Start' },
      notes: { type: 'string', maxLength: 2000, title: 'Notes' },
      'ietf-ip': {
        type: 'object',
        title: 'IP',
        properties: { 'host-name': { type: 'string', pattern: '^[a-z-]+$' } },
      },
      ports: { type: 'array', title: 'Ports', items: NAMED, 'x-yang': { 'ordered-by': 'user' } },
    },
  },
  'service.ui.json': {
    'ui:sections': [{ title: 'Who', fields: ['customer', 'vlan'], columns: 2 }],
    customer: { 'ui:errors': { required: 'Ask sales for the customer.' }, 'ui:help': 'Sales knows it.' },
  },
  'service.d1.json': {
    customer: 'Example',
    start: '2026-07-01T08:00:00+05:30',
    ports: [{ name: 'ge-0/0/1' }, { name: 'ge-0/0/2' }],
  },
  'long.json': {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 61 }, (_, at) => [`leaf-${at}`, { type: 'string' }])),
  },
};

describeWith(BROWSER, 'the form as labeled fields', function () {
  let page: Page;
  const { open: openPage, stands } = formPageFor(this, { forms: FORMS });
  const open = async (query: string, look: PageView = {}) => {
    page = await openPage(query, look);
  };
  /** Clicks where a person does: at the middle of the icon of a button. */
  const clickIcon = (name: string) =>
    clickMiddle(page, page.getByRole('button', { name, exact: true }).locator('svg'));

  it('is the view of a short form, and the table that of a long one; a choice is remembered', async () => {
    await open('sample=long');
    await page.getByRole('treegrid').waitFor();
    await page.goto(page.url().replace('long', 'service'));
    await page.getByRole('group', { name: 'Who' }).getByRole('textbox', { name: 'Customer' }).waitFor();
    assert.equal(await page.getByRole('treegrid').count(), 0);
    await press(page, 'Table');
    await page.getByRole('treegrid').waitFor();
    await page.reload();
    await page.getByRole('treegrid').waitFor();
    await press(page, 'Form');
    await page.getByRole('textbox', { name: 'Customer' }).waitFor();
  });

  for (const view of ['form', 'table'] as const)
    it(`finds names with a hyphen while it is typed, and has buttons with an icon for a real mouse (D2), in the ${view}`, async () => {
      await open(`sample=service&view=${view}`);
      const search = page.getByRole('searchbox');
      await clickMiddle(page, search);
      for (const letter of 'hold-') await page.keyboard.press(letter);
      await page.getByText('1 row found').first().waitFor();
      await search.fill('');
      await page.keyboard.type('-');
      await page.getByText('hold-time').first().waitFor();
      await search.fill('(ietf-ip');
      await seen(page, /No matches/);
      await search.fill('');
      await page.getByText('hold-time').first().waitFor();
      await clickIcon(view === 'table' ? 'Add to Ports: Ports' : 'Add to Ports');
      await stands({ ports: [{ name: 'ge-0/0/1' }, { name: 'ge-0/0/2' }, {}] });
      await clickIcon(view === 'table' ? 'Remove: [ge-0/0/1]' : 'Remove: ge-0/0/1');
      await stands({ ports: [{ name: 'ge-0/0/2' }, {}] });
      await clickIcon('Revert: Ports');
      await stands({ ports: [{ name: 'ge-0/0/1' }, { name: 'ge-0/0/2' }] });
    });

  it('finding D2: the remove button works under a finger', async () => {
    await open('sample=service&view=form', { width: 390, height: 844 });
    await tapMiddle(page, page.getByRole('button', { name: 'Remove: ge-0/0/2' }).locator('svg'));
    await stands({ ports: [{ name: 'ge-0/0/1' }] });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= 390, `${width} px wide`);
  });

  it('finding D32: the keys work as soon as the page is there', async () => {
    await open('sample=service');
    await page.keyboard.press('?');
    await dialogOf(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('hold-time');
    await seen(page, '1 row found');
    await page.getByRole('textbox', { name: 'hold-time' }).waitFor();
    await page.getByRole('textbox', { name: 'Customer' }).waitFor({ state: 'detached' });
  });

  it('copies the path and the value of a row', async () => {
    await open('sample=service&view=table');
    await page.locator('[role=row]', { hasText: 'Customer' }).first().focus();
    const copied = await page.evaluate<string>(`(() => {
      const clipboardData = new DataTransfer();
      document.activeElement.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
      return clipboardData.getData('text/plain');
    })()`);
    assert.equal(copied, '/customer "Example"');
  });

  it('describes fields by their help and their errors, in the words of the form', async () => {
    await open('sample=service');
    const customer = page.getByRole('textbox', { name: 'Customer' });
    await customer.fill('');
    await page.keyboard.press('Enter');
    await eventually(async () => {
      const ids = ((await customer.getAttribute('aria-describedby')) ?? '').split(' ');
      const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()));
      const text = texts.join(' ');
      assert.match(text, /Ask sales for the customer\..*Name as in the contract\..*Sales knows it\./s);
    });
    await page.getByRole('textbox', { name: 'vlan' }).fill('5000');
    await seen(page, 'Must be at most 4094');
  });

  it('keeps the time zone of a time that is changed in a picker', async () => {
    await open('sample=service');
    const start = page.getByLabel('Start', { exact: true });
    await start.fill('2026-07-01T09:30:00');
    await page.keyboard.press('Enter');
    await stands({ start: '2026-07-01T09:30:00+05:30' });
    await page.getByRole('combobox', { name: 'Start: Time zone' }).selectOption('Z');
    await stands({ start: '2026-07-01T09:30:00Z' });
  });

  it('has no accessibility errors on a phone, in light and dark', async () => {
    await open('sample=service&checked', { width: 390, height: 844 });
    await assertAccessibleInBothThemes(page.locator('html'));
  });
});
