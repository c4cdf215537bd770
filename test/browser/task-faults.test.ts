import assert from 'node:assert/strict';
import { consoleFor, describePages, type LookedAt, type LookInside } from '../support/console-errors.js';
import { assertFits, assertPartClean, button, dialogOf, focused, press, seen } from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';
import { createTask, editRow, saveDraftAs, storedTask, writeRow } from '../support/task-page.js';
import { eventually, until } from '../support/until.js';

const QUERY = {
  'binding:method': 'POST',
  'binding:hyperSchema': {
    links: [
      {
        href: '/orchestrator_manager/restQuery/core1',
        variables: { params: { path: '/restconf/data/sites={/site}', accept: 'application/json' } },
      },
    ],
  },
  'binding:source': { propertyPointer: '/device', keyPointer: '/name' },
};
const HOLD_TIME = {
  jsonSchema: {
    type: 'object',
    properties: {
      'hold-time': { type: 'integer', maximum: 4094 },
      'peer-as': { type: 'integer' },
      start: { type: 'string', format: 'date', title: 'Start' },
      mode: { enum: Array.from({ length: 36 }, (_, at) => `mode-${at}`), title: 'Mode' },
    },
  },
  formData: { 'hold-time': 90, start: '2026-01-01' },
};
const DEVICE = {
  jsonSchema: {
    type: 'object',
    properties: { site: { type: 'string', title: 'Site' }, device: { type: 'string', title: 'Device' } },
  },
  bindingSchema: { properties: { device: QUERY } },
  formData: {},
};

describePages('the form and the task page while people edit', function () {
  const site = consoleFor(this);

  const openTask = (task: object = HOLD_TIME) => createTask(site, task);
  const look = (path: string, more: LookInside = {}): Promise<LookedAt> =>
    site.look(path, { role: 'engineering', ...more });
  const stored = (id: string) => storedTask(site, id);
  const saveAs = (name: string, id: string, formData: object) => saveDraftAs(site, name, { id, formData });

  it('fault 1: asks for choices with the values of other fields, again after a change, and keeps the value', async () => {
    const { path } = await openTask(DEVICE);
    const sent: unknown[] = [];
    const { page } = await look(path, {
      before: async (page) => {
        await page.route('**/choices', (route) => {
          const body = route.request().postDataJSON() as { readonly values: { readonly '/site': string } };
          sent.push(body);
          const value = `${body.values['/site']}-rtr1.example.com`;
          return route.fulfill({ json: { choices: [{ value, label: value }], truncated: false } });
        });
      },
    });
    await page.getByRole('row', { name: /^Device/ }).click();
    await seen(page, 'The options depend on Site. Fill in Site first.');
    assert.deepEqual(sent, []);
    await writeRow(page, /^Site/, 'ber');
    await until(() => sent.length > 0);
    assert.deepEqual(sent, [{ field: '/device', values: { '/site': 'ber' } }]);
    await editRow(page, /^Device/);
    await clickMiddle(page, page.getByRole('option', { name: 'ber-rtr1.example.com' }));
    await page.getByRole('row', { name: /^Device.*ber-rtr1/ }).waitFor();
    await writeRow(page, /^Site/, 'muc');
    await seen(
      page,
      'Device: ber-rtr1.example.com is not among the new options. It is kept until you change it.',
    );
    await page.getByRole('row', { name: /^Device.*ber-rtr1/ }).click();
    await seen(page, /^ber-rtr1.example.com is not among the options/);
    await assertPartClean(page.getByRole('treegrid'));
    await editRow(page, /^Device/);
    await page.getByRole('option', { name: 'muc-rtr1.example.com' }).waitFor();
  });

  it('faults 2 and 18: saves once while Ctrl+S is held, and by the next Ctrl+S what was typed after the first', async () => {
    const { id, path } = await openTask();
    const { page } = await look(path);
    await editRow(page, /hold-time/);
    await page.keyboard.type('12');
    const { revision } = await stored(id);
    await page.evaluate(`for (let at = 0; at < 5; at += 1)
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true, bubbles: true }))`);
    await seen(page, 'Draft saved.');
    assert.equal((await stored(id)).revision, revision + 1);
    await page.keyboard.type('0');
    await page.keyboard.press('Control+S');
    await eventually(async () => {
      assert.deepEqual((await stored(id)).draft?.formData, { 'hold-time': 120, start: '2026-01-01' });
    });
  });

  it('faults 4 and 5: keeps a clash through another draft, a save and a reload, and a correction after a clash', async () => {
    const { id, path } = await openTask();
    const { page } = await look(path);
    await writeRow(page, /hold-time/, '100');
    await saveAs('bob', id, { 'hold-time': 180, start: '2026-01-01' });
    await seen(page, 'bob and you changed 1 value differently');
    await saveAs('bob', id, { 'hold-time': 180, start: '2026-02-02' });
    await page.getByRole('row', { name: /Start.*2026-02-02/ }).waitFor();
    await page.getByRole('radio', { name: 'bob: 180' }).waitFor();
    await clickMiddle(page, button(page, 'Save draft'));
    await focused(page.getByText('bob and you changed 1 value differently').locator('xpath=..'));
    await seen(page, 'Nothing was saved. Choose the values first.');
    await page.reload();
    await page.getByRole('radio', { name: 'bob: 180' }).check();
    await clickMiddle(page, button(page, 'Apply'));
    await focused(page.getByRole('heading', { level: 1 }));
    await page.getByRole('row', { name: /hold-time.*180/ }).waitFor();
    assert.deepEqual((await stored(id)).draft?.formData, { 'hold-time': 180, start: '2026-02-02' });
    await writeRow(page, /hold-time/, '100');
    await saveAs('bob', id, { 'hold-time': 200, start: '2026-02-02' });
    await page.getByRole('radio', { name: 'Yours: 100' }).waitFor();
    await writeRow(page, /hold-time/, '110');
    await page.getByRole('radio', { name: 'Yours: 110' }).waitFor();
    await clickMiddle(page, button(page, 'Apply'));
    await page.getByRole('row', { name: /hold-time.*110/ }).waitFor();
  });

  it('fault 6: closes the review when another person saves, so that nobody approves unseen values', async () => {
    const { id, path } = await openTask();
    const { page } = await look(path);
    await clickMiddle(page, button(page, 'Approve…'));
    const dialog = await dialogOf(page);
    await dialog.getByRole('textbox').fill('As agreed in CHG77');
    await saveAs('bob', id, { 'hold-time': 180, start: '2026-01-01' });
    await seen(page, 'The task changed while you decided. Check the form, and decide again.');
    await dialog.waitFor({ state: 'detached' });
    await clickMiddle(page, button(page, 'Approve…'));
    assert.equal(await (await dialogOf(page)).getByRole('textbox').inputValue(), 'As agreed in CHG77');
    await seen(await dialogOf(page), '180');
  });

  it('fault 9: keeps the reason of a decision that failed', async () => {
    const { path } = await openTask();
    const { page } = await look(path, { mayFault: true });
    await page.route('**/outcome*', (route) =>
      route.fulfill({ status: 503, json: { code: 'not_ready', message: 'The server starts.' } }),
    );
    await press(page, 'Reject…');
    await (await dialogOf(page)).getByRole('textbox').fill('No ticket');
    await press(await dialogOf(page), 'Reject');
    await seen(page, 'Try again. What you entered is kept on this page.');
    await press(page, 'Reject…');
    assert.equal(await (await dialogOf(page)).getByRole('textbox').inputValue(), 'No ticket');
  });

  it('fault 8: shows in a date picker the value that the form has, and accepts only options where no text is allowed', async () => {
    const { id, path } = await openTask();
    const { page } = await look(path, { formView: 'none' });
    const picker = page.getByRole('textbox', { name: 'Start', exact: true });
    await picker.fill('2026-02-02');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.equal(await picker.inputValue(), '2026-01-01');
    // A deleted part makes the date incomplete: the form keeps its value, and the picker shows it.
    await picker.focus();
    await page.keyboard.press('Backspace');
    await page.getByLabel('hold-time').focus();
    assert.equal(await picker.inputValue(), '2026-01-01');
    await picker.focus();
    await saveAs('bob', id, { 'hold-time': 90, start: '2026-03-03' });
    await eventually(async () => {
      assert.equal(await picker.inputValue(), '2026-03-03');
    });
    const mode = page.getByRole('combobox', { name: 'Mode' });
    await mode.fill('mode-99');
    await page.keyboard.press('Enter');
    await seen(page, 'No matches. Choose one of the options.');
    await page.getByLabel('hold-time').focus();
    await seen(page, 'Mode: mode-99 is not one of the options. The previous value is kept.');
    assert.equal(await mode.inputValue(), '');
    await mode.fill('MODE-7');
    await page.keyboard.press('Tab');
    assert.equal(await mode.inputValue(), 'mode-7');
  });

  it('fault 14: listens for events only while it is visible', async () => {
    const { id, path } = await openTask();
    const { page } = await look(path);
    await page.getByRole('row', { name: /hold-time/ }).waitFor();
    const grace = await look(path, { token: site.testServer.issueTokenFor('grace', 'engineering') });
    await seen(page, 'grace has this task open');
    const hide = (isHidden: boolean) =>
      grace.page
        .evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await hide(true);
    await page.getByText('grace has this task open').waitFor({ state: 'detached' });
    await saveAs('bob', id, { 'hold-time': 180, start: '2026-01-01' });
    await page.getByRole('row', { name: /hold-time.*180/ }).waitFor();
    await hide(false);
    await grace.page.getByRole('row', { name: /hold-time.*180/ }).waitFor();
    await seen(page, 'grace has this task open');
  });

  it('counts the last minutes of a session that cannot be renewed', async () => {
    const { path } = await openTask();
    const tokenEnds = new Date(Date.now() + 280_000).toISOString();
    const event = { revision: 1, status: 'open', people: [], tokenEnds };
    const { page } = await look(path, {
      before: async (empty) => {
        await empty.route('**/events', (route) =>
          route.fulfill({
            contentType: 'text/event-stream',
            body: `retry: 600000\nevent: task\ndata: ${JSON.stringify(event)}\n\n`,
          }),
        );
      },
    });
    await seen(page, /^Your session ends in 4:\d\d\.$/);
    await page.getByRole('link', { name: 'Sign in again' }).waitFor();
  });

  it('is filled in and rejected by a finger on a telephone, with a reason', async () => {
    const { id, path } = await openTask();
    const { page } = await look(path, { formView: 'none', width: 390, height: 844 });
    await tapMiddle(page, page.getByRole('textbox', { name: 'hold-time', exact: true }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('120');
    await tapMiddle(page, button(page, 'Save draft'));
    await seen(page, 'Draft saved.');
    assert.deepEqual((await stored(id)).draft?.formData, { 'hold-time': 120, start: '2026-01-01' });
    await assertFits(page);
    await tapMiddle(page, button(page, 'Reject…'));
    const dialog = await dialogOf(page);
    await button(dialog, 'Reject').and(page.locator(':disabled')).waitFor();
    await assertPartClean(dialog);
    await dialog.getByRole('textbox').fill('No ticket');
    await tapMiddle(page, button(dialog, 'Reject'));
    await seen(page, '✕ Rejected');
    await seen(page, 'No ticket');
    assert.equal((await stored(id)).outcome?.reason, 'No ticket');
  });
});
