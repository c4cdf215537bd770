import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import {
  BROWSER_TEST_MS,
  openBrowser,
  type PageView,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.js';
import { buildFormPage, type FormPage, serveFormPage } from '../support/form-page.js';
import { BROWSER } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { middleOf } from '../support/pointer.js';
import { temporaryFolder } from '../support/temporary-folder.js';
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
  speed: async (page) => click(page, page.getByRole('radio', { name: '10G' })),
  site: typed('Site', 'site-36'),
  image: typed('Image', 'AAEC'),
  active: async (page) => click(page, page.getByRole('checkbox', { name: 'Active' })),
};

function typed(label: string, text: string) {
  return async (page: Page): Promise<void> => {
    await click(page, page.getByLabel(label, { exact: true }).first());
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

async function click(page: Page, element: Locator): Promise<void> {
  const { x, y } = await middleOf(element);
  await page.mouse.click(x, y);
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
  afterEach(async () => {
    const faults = (looked as WatchedPage | undefined)?.faults ?? [];
    await (looked as WatchedPage | undefined)?.close();
    assert.deepEqual(faults, []);
  });

  const open = async (look: PageView): Promise<Page> => {
    looked = await browser.look(served.url, { formView: 'none', ...look });
    await looked.page.goto(`${served.url}/?sample=press&view=form`);
    await looked.page.locator('html[data-opened-in]').waitFor();
    return looked.page;
  };
  const dataOf = async (page: Page): Promise<Readonly<Record<string, unknown>>> =>
    JSON.parse((await page.evaluate<string>('window.form.text()')) || '{}') as Record<string, unknown>;

  for (const [name, edit] of Object.entries(EDITS))
    it(`is pressed by a real mouse after the field "${name}"`, async () => {
      const page = await open({ height: 1800 });
      await edit(page);
      await pressButton(page, page.getByRole('button', { name: 'Add to Ports', exact: true }));
      await eventually(async () => {
        const data = await dataOf(page);
        assert.deepEqual(data['ports'], [{}]);
      });
      assert.notEqual((await dataOf(page))[name], undefined, 'the value is kept');
    });

  it('is pressed by a real mouse on a phone, and the value of the field is in the form before the click', async () => {
    const page = await open({ width: 390, height: 844 });
    await EDITS.number(page);
    await page.evaluate(
      `addEventListener('click', () => { window.atClick = JSON.parse(window.form.text()).number; }, true)`,
    );
    await pressButton(page, page.getByRole('button', { name: 'Add to Ports', exact: true }));
    await eventually(async () => {
      assert.deepEqual((await dataOf(page))['ports'], [{}]);
    });
    assert.equal(await page.evaluate('window.atClick'), 9000);
  });

  it('is pressed after a value that was typed into the table', async () => {
    looked = await browser.look(served.url, { height: 1800, formView: 'none' });
    const { page } = looked;
    await page.goto(`${served.url}/?sample=press&view=table`);
    await page.locator('html[data-opened-in]').waitFor();
    await click(page, page.getByRole('row', { name: /^MTU/ }).locator('.gf-text').first());
    await page.keyboard.type('9000');
    await pressButton(page, page.getByRole('button', { name: 'Add to Ports: Ports', exact: true }));
    await eventually(async () => {
      const { ports, number } = await dataOf(page);
      assert.deepEqual([ports, number], [[{}], 9000]);
    });
  });

  it('keeps its place when the field above is filled in and loses the focus to the keyboard', async () => {
    const page = await open({ height: 1800 });
    const label = page.getByLabel('Day', { exact: true }).first();
    const before = await page.locator('.gf-field', { has: label }).evaluate(HEIGHT);
    await EDITS.date(page);
    await page.keyboard.press('Shift+Tab');
    await eventually(async () => {
      assert.notEqual((await dataOf(page))['date'], undefined);
    });
    assert.equal(await page.locator('.gf-field', { has: label }).evaluate(HEIGHT), before);
  });
});

const HEIGHT = (element: unknown): number =>
  (element as { getBoundingClientRect(): { height: number } }).getBoundingClientRect().height;
