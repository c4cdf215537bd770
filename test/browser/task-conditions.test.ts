import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { consoleFor, describePages, type LookInside } from '../support/console-errors.js';
import { assertFits, button, cutOff, focused, seen } from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';
import { createTask, editRow } from '../support/task-page.js';

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
