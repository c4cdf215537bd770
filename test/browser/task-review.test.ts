import assert from 'node:assert/strict';
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

describePages('a task page of an approver', function () {
  const site = consoleFor(this);

  const openTask = (formData: object) => createTask(site, { jsonSchema: HOLD_TIME, formData });
  const look = (path: string, more: LookInside = {}): Promise<LookedAt> =>
    site.look(path, { role: 'engineering', ...more });
  const saveAs = (name: string, id: string, formData: object) => saveDraftAs(site, name, { id, formData });

  it('finding D13: shows the changes to the proposal after drafts, in the review, the record and the print', async () => {
    const { id, path } = await openTask({ 'hold-time': 90 });
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
    const { id, path } = await openTask({ 'hold-time': 90 });
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
});
