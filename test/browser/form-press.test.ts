import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { PageView } from '../support/browser.js';
import { formPageFor } from '../support/form-page.js';
import { BROWSER } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { clickMiddle, middleOf } from '../support/pointer.js';
import { eventually } from '../support/until.js';

/** Adds a field above the list as soon as the field has any value. */
const shows = (name: string) => ({
  if: { required: [name] },
  then: { properties: { [`${name}-note`]: { type: 'string', title: 'Shown by a value' } } },
});

/** A field of each kind, above a list. */
const FIELDS = {
  text: { type: 'string', title: 'Text', default: 'core' },
  number: { type: 'integer', title: 'MTU', default: 1500, maximum: 9216 },
  pattern: { type: 'string', title: 'Host', pattern: '^[a-z0-9.-]+$', default: 'nso1.example.com' },
  lines: { type: 'string', title: 'Notes', maxLength: 2000, default: 'none' },
  secret: { type: 'string', title: 'Password', writeOnly: true },
  date: { type: 'string', format: 'date', title: 'Day', default: '2026-01-31' },
  start: { type: 'string', format: 'date-time', title: 'Start' },
  mode: { enum: ['access', 'trunk'], title: 'Mode', default: 'access' },
  speed: { enum: ['1G', '10G'], title: 'Speed' },
  site: { enum: Array.from({ length: 36 }, (_, at) => `site-${at + 1}`), title: 'Site', default: 'site-1' },
  image: { type: 'string', contentEncoding: 'base64', title: 'Image' },
  active: { type: 'boolean', title: 'Active' },
} as const;

const FORMS = {
  'press.json': {
    type: 'object',
    properties: {
      ...FIELDS,
      ports: {
        type: 'array',
        title: 'Ports',
        items: { type: 'object', properties: { name: { type: 'string' } } },
      },
    },
    allOf: Object.keys(FIELDS).map(shows),
  },
  'press.ui.json': {
    speed: { 'ui:widget': 'radio' },
    // The list is the last one of the form.
    'ui:order': [...Object.keys(FIELDS).flatMap((name) => [name, `${name}-note`]), 'ports'],
  },
};

/** How a person edits each kind of field, without leaving it. */
const EDITS: Readonly<Record<keyof typeof FIELDS, (page: Page) => Promise<void>>> = {
  text: typed('Text', 'edge'),
  number: typed('MTU', '9000'),
  pattern: typed('Host', 'Not A Host'),
  lines: typed('Notes', 'first\nsecond'),
  secret: typed('Password', '$SECRET_vault/core1 $KEY_password'),
  date: filled('Day', '2026-02-01'),
  start: filled('Start', '2026-02-01T08:00'),
  mode: chosen('Mode', 'trunk'),
  speed: async (page) => clickMiddle(page, page.getByRole('radio', { name: '10G' })),
  site: typed('Site', 'site-36'),
  image: async (page) => {
    const choose = clickMiddle(page, page.getByLabel('Choose a file: Image'));
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose]);
    await chooser.setFiles({
      name: 'a.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from([0, 1, 2]),
    });
    await page.getByText('a.bin, 3 B').waitFor();
  },
  active: async (page) => clickMiddle(page, page.getByRole('checkbox', { name: 'Active' })),
};

function typed(label: string, text: string) {
  return async (page: Page): Promise<void> => {
    await clickMiddle(page, page.getByLabel(label, { exact: true }).first());
    await page.keyboard.type(text);
  };
}

/** Fills in a picker of the browser: its parts depend on the language. */
function filled(label: string, value: string) {
  return async (page: Page): Promise<void> => {
    await page.getByLabel(label, { exact: true }).first().fill(value);
  };
}

function chosen(label: string, option: string) {
  return async (page: Page): Promise<void> => {
    await page.getByLabel(label, { exact: true }).selectOption(option);
  };
}

/** Presses the mouse at the middle of a button, waits until the page is drawn, and releases the button. */
async function pressButton(page: Page, button: Locator): Promise<void> {
  const { x, y } = await middleOf(button);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  assert.deepEqual(await middleOf(button), { x, y }, 'the button does not move while it is pressed');
  await page.mouse.up();
}

describeWith(BROWSER, 'a button below a field that was just edited', function () {
  const { open, document, stands } = formPageFor(this, { forms: FORMS });
  const openForm = (look: PageView = { height: 2600 }) => open('sample=press&view=form', look);
  const pressAdd = (page: Page) =>
    pressButton(page, page.getByRole('button', { name: 'Add to Ports', exact: true }));

  it('is pressed by a real mouse after a field of each kind', async () => {
    const page = await openForm();
    const ports: object[] = [];
    for (const [name, edit] of Object.entries(EDITS)) {
      await edit(page);
      await pressAdd(page);
      ports.push({});
      await stands({ ports });
      assert.notEqual((await document())[name], undefined, `the value of ${name} is kept`);
    }
  });

  it('is pressed by a real mouse on a phone, and the value of the field is in the form before the click', async () => {
    const page = await openForm({ width: 390, height: 844 });
    await EDITS.number(page);
    await page.evaluate(
      `addEventListener('click', () => { window.atClick = JSON.parse(window.form.text()).number; }, true)`,
    );
    await pressAdd(page);
    await stands({ ports: [{}] });
    assert.equal(await page.evaluate('window.atClick'), 9000);
  });

  it('is pressed after a value that was typed into the table', async () => {
    const page = await open('sample=press&view=table', { height: 1800 });
    await clickMiddle(page, page.getByRole('row', { name: /^MTU/ }).locator('.gf-text').first());
    await page.keyboard.type('9000');
    await pressButton(page, page.getByRole('button', { name: 'Add to Ports: Ports', exact: true }));
    await stands({ ports: [{}], number: 9000 });
  });

  it('keeps its place when the field above is filled in and loses the focus to the keyboard', async () => {
    const page = await openForm();
    const label = page.getByLabel('Day', { exact: true }).first();
    const before = await page.locator('.gf-field', { has: label }).evaluate(HEIGHT);
    await EDITS.date(page);
    await page.keyboard.press('Shift+Tab');
    await eventually(async () => {
      assert.notEqual((await document())['date'], undefined);
    });
    assert.equal(await page.locator('.gf-field', { has: label }).evaluate(HEIGHT), before);
  });
});

const HEIGHT = (element: unknown): number =>
  (element as { getBoundingClientRect(): { height: number } }).getBoundingClientRect().height;
