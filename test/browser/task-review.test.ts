import assert from 'node:assert/strict';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { createTask, saveDraftAs, writeRow } from '../support/task-page.js';
import { consoleFor, type LookedAt, type LookInside } from '../support/console-errors.js';
import { assertPartClean, button, dialogOf, press, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';

const HOLD_TIME = {
  type: 'object',
  properties: {
    'hold-time': { type: 'integer', maximum: 4094 },
    'peer-as': { type: 'integer' },
    description: { type: 'string' },
  },
};

describeWith([BROWSER, BUILT_PAGES], 'a task page of an approver', function () {
  const site = consoleFor(this);
  const { ask } = site;

  const openTask = (formData: object) => createTask(site, { jsonSchema: HOLD_TIME, formData });
  const look = (path: string, more: LookInside = {}): Promise<LookedAt> =>
    site.look(path, { role: 'engineering', ...more });
  const saveAs = (name: string, id: string, formData: object) => saveDraftAs(site, name, { id, formData });

  it('finding D13: shows the changes to the proposal after drafts, in the review, the record and the print', async () => {
    const { id, path } = await openTask({ 'hold-time': 90 });
    await saveAs('bob', id, { 'hold-time': 90, 'peer-as': 65001 });
    await saveAs('carol', id, { 'hold-time': 180, 'peer-as': 65001 });
    const looked = await look(path);
    const { page } = looked;
    await seen(page, '2 changes to the proposal');
    await clickMiddle(page, button(page, 'Approve…'));
    const dialog = await dialogOf(page);
    await seen(dialog, '2 changes to the proposal');
    await seen(dialog, '90');
    await seen(dialog, '180');
    await assertPartClean(looked, dialog);
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
    const { outcome } = (await ask('GET', `/json-forms/tasks/${id}`)) as {
      readonly outcome: { readonly hash: string };
    };
    for (const text of ['nso1.example.com: hold-time', 'As agreed in CHG77', outcome.hash])
      assert.equal(await page.getByText(text, { exact: true }).filter({ visible: true }).count(), 1, text);
  });

  it('saves a draft by Ctrl+S while a value is typed, and says so', async () => {
    const { id, path } = await openTask({ 'hold-time': 90 });
    const { page } = await look(path);
    await page.getByRole('row', { name: /hold-time/ }).click();
    await page.keyboard.press('F2');
    await page.locator('[role=row] input:focus').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('120');
    await page.keyboard.press('Control+S');
    await seen(page, 'Draft saved.');
    const { draft } = (await ask('GET', `/json-forms/tasks/${id}`)) as {
      readonly draft: { readonly formData: object };
    };
    assert.deepEqual(draft.formData, { 'hold-time': 120 });
  });

  it('finding D15: announces another person, merges what does not clash, and asks about what does', async () => {
    const { id, path } = await openTask({ 'hold-time': 90 });
    const looked = await look(path);
    const { page } = looked;
    await page.getByRole('row', { name: /hold-time/ }).waitFor();
    const grace = await look(path, { token: site.testServer.issueTokenFor('grace', 'engineering') });
    await seen(page, 'grace has this task open');
    await seen(grace.page, 'ada has this task open');
    await writeRow(page, /hold-time/, '100');
    await writeRow(grace.page, /hold-time/, '200');
    await writeRow(grace.page, /peer-as/, '65001');
    await press(grace.page, 'Save draft');
    await seen(page, 'grace and you changed 1 value differently');
    await assertPartClean(looked, page.getByRole('main'));
    await page.getByRole('radio', { name: 'grace: 200' }).check();
    await clickMiddle(page, button(page, 'Apply'));
    await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor({ state: 'detached' });
    await seen(page, '65001');
    await page.getByRole('row', { name: /hold-time.*200/ }).waitFor();
    await press(page, 'Approve…');
    await press(await dialogOf(page), 'Approve');
    await seen(grace.page, '✓ Approved');
    const { outcome } = (await ask('GET', `/json-forms/tasks/${id}`)) as {
      readonly outcome: { readonly export: object };
    };
    assert.deepEqual(outcome.export, { 'hold-time': 200, 'peer-as': 65001 });
  });

  it('shows that the other person left', async () => {
    const { path } = await openTask({ 'hold-time': 90 });
    const { page } = await look(path);
    await page.getByRole('row', { name: /hold-time/ }).waitFor();
    const grace = await look(path, { token: site.testServer.issueTokenFor('grace', 'engineering') });
    await seen(page, 'grace has this task open');
    await grace.page.goto('about:blank');
    await page.getByText('grace has this task open').waitFor({ state: 'detached' });
  });

  it('keeps the changes when the page breaks, and restores them', async () => {
    const { id, path } = await openTask({ 'hold-time': 90 });
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

  it('finding D22: says that a task does not exist, and leads to the list', async () => {
    const { page } = await look(`/json-forms/task/RenderJsonSchema?task=${'0'.repeat(24)}`);
    await seen(page, 'This task does not exist.');
    const link = page.getByRole('link', { name: 'Open the task list.' });
    assert.equal(await link.getAttribute('href'), '/ui/tasks');
  });
});
