import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { consoleFor, describePages, type LookInside } from '../support/console-errors.js';
import { assertFits, button, cutOff, dialogOf, focused, press, seen } from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';
import { createTask, editRow, storedTask } from '../support/task-page.js';
import { eventually } from '../support/until.js';

const HOLD_TIME = {
  jsonSchema: { type: 'object', properties: { 'hold-time': { type: 'integer' }, note: { type: 'string' } } },
  formData: { 'hold-time': 90 },
};
/** The field `ipv4` depends on the result of a validation. */
const CONDITION = {
  jsonSchema: {
    type: 'object',
    properties: { 'ietf-ip': { enum: ['ipv4', 'ipv6'] } },
    if: { properties: { 'ietf-ip': { const: 'ipv4' } } },
    then: { properties: { ipv4: { type: 'string' } } },
  },
  formData: { 'ietf-ip': 'ipv4' },
};

/** A schema with `hold-time` ten levels deep, as in the YANG modules of OpenConfig. */
function nested(level: number): object {
  if (level === 0) return { type: 'integer' };
  const [name, inner] =
    level === 1 ? ['hold-time', nested(0)] : [`network-instance-${level}`, nested(level - 1)];
  return { type: 'object', properties: { [name]: inner } };
}

const PORTS = {
  type: 'object',
  properties: {
    ports: {
      title: 'Ports',
      type: 'array',
      maxItems: 200,
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', title: 'Name', pattern: '^xe-' },
          mtu: { type: 'integer', title: 'MTU', minimum: 68, maximum: 9216 },
        },
      },
    },
  },
};

/** A table as spreadsheets copy it: 201 ports, of which the 5th and the 150th have a wrong MTU. */
const ROWS = Array.from(
  { length: 201 },
  (_, at) => `xe-0/0/${at + 1}\t${[5, 150].includes(at + 1) ? 10 : 1500}`,
);
const TABLE = `name\tmtu\tcolour\r\n${ROWS.map((row) => `${row}\tred`).join('\r\n')}\r\n`;

describePages('the task pages under hard conditions', function () {
  const site = consoleFor(this);
  const look = async (task: object, more: LookInside = {}) => {
    const { path } = await createTask(site, task);
    return site.look(path, { role: 'engineering', ...more });
  };
  /** Holds back the engine until `release` is called. */
  const holdEngine = () => {
    const gate = new EventEmitter();
    const released = once(gate, 'open');
    const before = async (page: Page): Promise<void> => {
      await page.route(/\/engine-[^/]*\.js$/, async (route) => {
        await released;
        await route.continue();
      });
    };
    return { before, release: () => gate.emit('open') };
  };

  it('show a form before the engine has arrived, and check then what was entered before', async () => {
    const { before, release } = holdEngine();
    const { page } = await look(HOLD_TIME, { before });
    await editRow(page, /hold-time/);
    await page.keyboard.insertText('soon');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /hold-time.*soon.*edited/ }).waitFor();
    release();
    await seen(page, 'Enter a whole number');
  });

  it('wait for the engine if the fields depend on it', async () => {
    const { before, release } = holdEngine();
    const { page } = await look(CONDITION, { before });
    await page.getByText('Loading the task…').waitFor();
    release();
    await page.getByRole('row', { name: /ipv4 string/ }).waitFor();
  });

  it('say at once that the server is gone, and when it is back', async () => {
    const gone: LookInside['before'] = async (page) => {
      await page.route('**/events', (route) => route.abort());
      await page.route('**/console/sign-in', (route) => route.abort());
    };
    const { page } = await look(HOLD_TIME, { before: gone, mayFault: true });
    await seen(page, /Connection to the server lost\./);
    await page.unroute('**/console/sign-in');
    await clickMiddle(page, button(page, 'Try now'));
    await page.getByText(/Connection to the server lost/).waitFor({ state: 'detached' });
  });

  it('leave Enter to the input method while it composes a text', async () => {
    const { page } = await look(HOLD_TIME);
    await editRow(page, /note/);
    await compose(page, '東京');
    const input = page.locator('[role=row] :is(input, textarea)');
    await focused(input);
    assert.equal(await input.inputValue(), '東京');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /note.*東京/ }).waitFor();
  });

  it('keep the row with the focus above the bar of the task, on a telephone', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `timer-${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
    const task = { jsonSchema: { type: 'object', properties }, formData: {} };
    const { page } = await look(task, { width: 390, height: 844 });
    await page.getByRole('row', { name: /^timer-0 / }).click();
    await page.keyboard.press('End');
    const last = page.getByRole('row', { name: /^timer-39 / });
    await focused(last);
    const [row, bar] = await Promise.all([last.boundingBox(), page.locator('.gh-task-bar').boundingBox()]);
    assert.ok(row && bar && row.y + row.height <= bar.y, JSON.stringify({ row, bar }));
  });

  it('show the names of deep rows on a telephone, where a search is done with a finger', async () => {
    const { page } = await look({ jsonSchema: nested(10), formData: {} }, { width: 390, height: 844 });
    await tapMiddle(page, page.getByRole('searchbox'));
    await focused(page.getByRole('searchbox'));
    await page.keyboard.insertText('hold-time');
    const name = page.getByRole('row', { name: /^hold-time/ }).locator('.gf-name .gf-clip');
    await name.scrollIntoViewIfNeeded();
    assert.deepEqual(await cutOff(name), []);
    await tapMiddle(page, page.getByRole('row', { name: /^hold-time/ }).locator('.gf-value'));
    await page.locator('[role=row] input:focus').waitFor();
    await page.keyboard.insertText('90');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /^hold-time.*90.*edited/ }).waitFor();
    await assertFits(page, 'deep rows');
  });

  const openPorts = async () => {
    const { id, path } = await createTask(site, {
      jsonSchema: PORTS,
      formData: { ports: [{ name: 'xe-9/9/9' }] },
    });
    const { page } = await site.look(path, { role: 'engineering' });
    return { page, saved: () => storedTask(site, id) };
  };
  const pasteTable = async (page: Page): Promise<void> => {
    await page.getByRole('row', { name: /Ports/ }).first().focus();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(TABLE)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
    const dialog = await dialogOf(page);
    await seen(dialog, 'Add 201 rows to Ports?');
    await seen(dialog, /colour/);
    await press(dialog, 'Add rows');
  };

  it('add all rows of a pasted table as one step, mark the wrong ones, and name the limit of the list', async () => {
    const { page, saved } = await openPorts();
    await pasteTable(page);
    await seen(page, /202 entries/);
    await page.getByRole('row', { name: /Ports/ }).first().focus();
    await page.keyboard.press('Control+z');
    await seen(page, /^1 entry/);
    await seen(page, 'No changes to the proposal');
    await page.keyboard.press('Control+y');
    await seen(page, /202 entries/);
    await page.getByRole('searchbox').fill('is:error');
    for (const port of ['xe-0/0/5', 'xe-0/0/150'])
      await page
        .getByRole('row', { name: new RegExp(`${port}\\b`) })
        .first()
        .waitFor();
    assert.equal(await page.getByRole('row', { name: /Must be at least 68/ }).count(), 2);
    await page.getByRole('row', { name: /Ports.*at most 200/i }).waitFor();
    await press(page, 'Save draft');
    await eventually(async () => {
      const { ports } = ((await saved()).draft?.formData ?? {}) as { readonly ports?: readonly object[] };
      assert.deepEqual(
        [ports?.length, ports?.[5], ports?.[201]],
        [202, { name: 'xe-0/0/5', mtu: 10 }, { name: 'xe-0/0/201', mtu: 1500 }],
      );
    });
  });
});

/** Composes a text in the focused input as a Japanese input method does, and ends the composition with Enter. */
async function compose(page: Page, text: string): Promise<void> {
  const device = await page.context().newCDPSession(page);
  await device.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
  // The browser reports the Enter to the page, and the input method takes it.
  await device.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    windowsVirtualKeyCode: 229,
  });
  await device.send('Input.insertText', { text });
  await device.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', windowsVirtualKeyCode: 229 });
  await device.detach();
}
