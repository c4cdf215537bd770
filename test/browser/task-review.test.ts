import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { consoleFor, describePages, type LookedAt, type LookInside } from '../support/console-errors.js';
import { assertPartClean, button, dialogOf, press, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { createTask, saveDraftAs, storedTask, writeRow } from '../support/task-page.js';

const HOLD_TIME = {
  type: 'object',
  properties: {
    'hold-time': { type: 'integer', maximum: 4094 },
    'peer-as': { type: 'integer' },
    description: { type: 'string' },
  },
};

const SCHEMA = {
  type: 'object',
  required: ['version', 'urgent', 'site'],
  properties: {
    version: { const: 2 },
    site: { type: 'string', title: 'Site' },
    urgent: { type: 'boolean', title: 'Urgent' },
    region: { type: 'string', title: 'Region', readOnly: true, default: 'eu-1' },
    port: { type: 'object', properties: { mtu: { type: 'integer', title: 'MTU', default: 1500 } } },
    mode: { title: 'Mode', enum: ['static', 'dhcp'] },
    count: { type: 'integer', title: 'Count' },
    total: { type: 'integer', title: 'Total' },
  },
  if: { properties: { mode: { const: 'static' } }, required: ['mode'] },
  then: { properties: { address: { type: 'string', title: 'Address' } }, required: ['address'] },
  unevaluatedProperties: false,
};

describePages('a task page of an approver', function () {
  const site = consoleFor(this);

  const openHoldTime = (formData: object) => createTask(site, { jsonSchema: HOLD_TIME, formData });
  const look = (path: string, more: LookInside = {}): Promise<LookedAt> =>
    site.look(path, { role: 'engineering', ...more });
  const saveAs = (name: string, id: string, formData: object) => saveDraftAs(site, name, { id, formData });

  it('finding D13: shows the changes to the proposal after drafts, in the review, the record and the print', async () => {
    const { id, path } = await openHoldTime({ 'hold-time': 90 });
    await saveAs('bob', id, { 'hold-time': 90, 'peer-as': 65001 });
    await saveAs('carol', id, { 'hold-time': 180, 'peer-as': 65001 });
    const { page } = await look(path);
    await seen(page, '2 changes to the proposal');
    await clickMiddle(page, button(page, 'Approve…'));
    const dialog = await dialogOf(page);
    await seen(dialog, '2 changes to the proposal');
    await seen(dialog, '90');
    await seen(dialog, '180');
    await assertPartClean(dialog);
    await dialog.getByRole('textbox').fill('As agreed in CHG77');
    await press(dialog, 'Approve');
    await seen(page, '✓ Approved');
    await seen(page, 'As agreed in CHG77');
    await seen(page, '2 changes to the proposal');
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
    for (const text of ['2 changes', '180', '65001', 'As agreed in CHG77'])
      await seen(page.locator('.gf-print'), text);
    // D25: the title, the reason and the hash are printed once.
    const { outcome } = await storedTask(site, id);
    assert.ok(outcome);
    for (const text of ['nso1.example.com: hold-time', 'As agreed in CHG77', outcome.hash])
      assert.equal(await page.getByText(text, { exact: true }).filter({ visible: true }).count(), 1, text);
  });

  it('finding D15: announces another person, merges what does not clash, and asks about what does', async () => {
    const { id, path } = await openHoldTime({ 'hold-time': 90 });
    const { page } = await look(path);
    await page.getByRole('row', { name: /hold-time/ }).waitFor();
    const grace = await look(path, { token: site.testServer.issueTokenFor('grace', 'engineering') });
    await seen(page, 'grace has this task open');
    await seen(grace.page, 'ada has this task open');
    await writeRow(page, /hold-time/, '100');
    await writeRow(grace.page, /hold-time/, '200');
    await writeRow(grace.page, /peer-as/, '65001');
    await press(grace.page, 'Save draft');
    await seen(page, 'grace and you changed 1 value differently');
    await assertPartClean(page.getByRole('main'));
    await page.getByRole('radio', { name: 'grace: 200' }).check();
    await clickMiddle(page, button(page, 'Apply'));
    await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor({ state: 'detached' });
    await seen(page, '65001');
    await page.getByRole('row', { name: /hold-time.*200/ }).waitFor();
    await press(page, 'Approve…');
    await press(await dialogOf(page), 'Approve');
    await seen(grace.page, '✓ Approved');
    const { outcome } = await storedTask(site, id);
    assert.ok(outcome);
    assert.deepEqual(outcome.export, { 'hold-time': 200, 'peer-as': 65001 });
  });

  it('keeps the changes when the page breaks, and restores them', async () => {
    const { id, path } = await openHoldTime({ 'hold-time': 90 });
    const { page } = await look(path, { mayFault: true });
    await writeRow(page, /hold-time/, '120');
    await seen(page, '1 change');
    const outcome = { status: 'approved', export: {}, at: '2026-01-02T03:04:05Z', reason: '', hash: '' };
    await page.route(`**/json-forms/tasks/${id}/draft*`, (route) => route.fulfill({ json: { outcome } }));
    // The page of a finished task shows times.
    await page.evaluate(`Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get() { throw new Error('broken'); },
    })`);
    await press(page, 'Save draft');
    await press(page, 'Reload, your changes are kept');
    await seen(page, /Unsaved changes of an earlier visit were restored/);
    await page.getByRole('row', { name: /hold-time.*120/ }).waitFor();
  });

  const made = async (uiSchema: object, formData: object): Promise<string> =>
    (await createTask(site, { jsonSchema: SCHEMA, uiSchema, formData })).id;
  const open = async (id: string, width = 390): Promise<Page> => {
    const { page } = await site.look(`/json-forms/task/RenderJsonSchema?task=${id}`, {
      role: 'engineering',
      width,
      formView: 'form',
    });
    await page.getByRole('textbox', { name: 'Site' }).waitFor();
    return page;
  };
  const approve = async (page: Page): Promise<void> => {
    await press(page, 'Approve…');
    await press(await dialogOf(page), 'Approve');
    await seen(page, '✓ Approved');
  };

  it('sends defaults, constants and calculated values, and no hidden value, which the server accepts', async () => {
    const id = await made(
      { total: { 'ui:calculate': { '*': [{ var: 'count' }, 2] } } },
      { address: '192.0.2.1' },
    );
    const page = await open(id);
    await page.getByRole('textbox', { name: 'Site' }).fill('BER');
    await page.getByRole('textbox', { name: 'Count' }).fill('3');
    await clickMiddle(page, page.getByRole('radio', { name: 'No', exact: true }));
    await page.getByLabel('Mode', { exact: true }).selectOption('dhcp');
    await approve(page);
    const { outcome } = await storedTask(site, id);
    assert.deepEqual(outcome?.export, {
      ...{ site: 'BER', count: 3, urgent: false, mode: 'dhcp', version: 2, region: 'eu-1' },
      ...{ port: { mtu: 1500 }, total: 6 },
    });
  });

  it('has nothing to save before a person has changed something', async () => {
    const page = await open(await made({}, { site: 'BER', urgent: true }));
    assert.equal(await page.getByLabel('MTU', { exact: true }).inputValue(), '1500');
    assert.equal(await button(page, /Changes|1 change/).count(), 0);
    assert.equal(await page.getByText(/unsaved/i).count(), 0);
  });

  it('shows defaults only, if the form says so', async () => {
    const id = await made({ 'ui:defaults': 'show' }, { version: 2, site: 'BER', urgent: true });
    await approve(await open(id, 1280));
    const { outcome } = await storedTask(site, id);
    assert.deepEqual(outcome?.export, { version: 2, site: 'BER', urgent: true });
  });

  it('cannot be opened with an option that does not exist', async () => {
    const reply = await site
      .ask('POST', '/json-forms/task/RenderJsonSchema', {
        jsonSchema: SCHEMA,
        uiSchema: { 'ui:defaults': 'sometimes' },
      })
      .catch((error: unknown) => String(error));
    assert.match(JSON.stringify(reply), /uiSchema\/ui:defaults/);
  });
});
