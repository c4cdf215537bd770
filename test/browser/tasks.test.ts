import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { TaskView } from '../../src/core/task.js';
import { describePages, type LookedAt, type LookInside } from '../support/console-errors.js';
import { galleryFor } from '../support/form-gallery.js';
import {
  assertCleanInBothThemes,
  assertFits,
  assertPartClean,
  button,
  dialogOf,
  focused,
  press,
  scrollToEnd,
  seen,
} from '../support/page-text.js';
import { tapMiddle } from '../support/pointer.js';
import { openTask, saveDraftAs, storedTask, writeRow } from '../support/task-page.js';
import { eventually } from '../support/until.js';

const INTERFACES = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

describePages('the task pages', function () {
  const { site, gallery } = galleryFor(this);
  const { ask } = site;

  const look = (path: string, more: LookInside = {}): Promise<LookedAt> =>
    site.look(path, { role: 'engineering', ...more });
  const pathOf = (view: string, id: string): string => `/json-forms/task/${view}?task=${id}`;
  const made = async (view: TaskView, body: object): Promise<string> => (await openTask(site, view, body)).id;
  const openVlan = (more: object = {}): Promise<string> =>
    made('ShowJsonForm', {
      form_id: 'Provision VLAN',
      instance_data: { site: 'ber1', vlan: 7 },
      title: 'A VLAN',
      ...more,
    });
  const told = (id: string) => storedTask(site, id);
  /** Opens the review and approves. */
  const approve = async (page: Page): Promise<void> => {
    await press(page, 'Approve…');
    await press(await dialogOf(page), 'Approve');
  };

  /** Prints a task on one page, with all values and without buttons. */
  const assertPrinted = async (page: Page, id: string): Promise<void> => {
    const paper = (await page.pdf()).toString('latin1');
    assert.equal(paper.match(/\/Type \/Page\b/g)?.length, 1);
    // The print view disappears with `afterprint`, which arrives late on a busy machine.
    await page.locator('.gf-print').waitFor({ state: 'detached' });
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
    const { outcome } = await told(id);
    for (const text of ['Site', 'ber1', 'VLAN id', '120', ...(outcome ? [outcome.hash, '192.0.2.1'] : [])])
      await seen(page.locator('.gf-print'), text);
    await page.getByRole('button').filter({ visible: true }).first().waitFor({ state: 'detached' });
  };

  it('show an open task and its print, and a form made from YANG, without faults, light and dark', async () => {
    const { page, go } = await look(pathOf('RenderYangForm', gallery().yangTask));
    await assertCleanInBothThemes(page);
    await go(pathOf('ShowJsonForm', gallery().formTask));
    await assertCleanInBothThemes(page);
    await assertPrinted(page, gallery().formTask);
  });

  it('show a decided task and its print without faults, with exact times, and filter its data', async () => {
    const { page } = await look(pathOf('ShowJsonForm', gallery().finishedTask));
    await assertCleanInBothThemes(page);
    const time = page.locator('header time');
    await time.filter({ hasText: /[A-Z]{3}|GMT[+-]/ }).waitFor();
    assert.match((await time.getAttribute('title')) ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await page.getByRole('searchbox').fill('gateway');
    await page.getByRole('row', { name: /^VLAN id/ }).waitFor({ state: 'detached' });
    await seen(page, '192.0.2.1');
    await page.getByRole('searchbox').fill('');
    await assertPrinted(page, gallery().finishedTask);
  });

  it('save a draft, keep the focus and the filter, restore it on return, and approve the task', async () => {
    const id = await openVlan();
    const first = await look(pathOf('ShowJsonForm', id));
    await writeRow(first.page, /VLAN id/, '120');
    await seen(first.page, '1 change');
    await first.page.getByRole('searchbox').fill('vlan');
    await button(first.page, 'Save draft').press('Enter');
    await seen(first.page, /Draft saved by ada/);
    await focused(button(first.page, 'Save draft'));
    assert.equal(await first.page.getByRole('searchbox').inputValue(), 'vlan');
    const saved = { site: 'ber1', vlan: 120, mtu: 1500, tagged: true };
    assert.deepEqual((await told(id)).draft?.formData, saved);

    const second = await look(pathOf('ShowJsonForm', id));
    await seen(second.page, '120');
    await approve(second.page);
    await seen(second.page, '✓ Approved');
    const { status, outcome } = await told(id);
    assert.deepEqual([status, outcome?.export, outcome?.by], ['approved', saved, 'ada']);
  });

  it('tell what is asked in sentences, and show and announce the result on a phone (N6)', async () => {
    const title = 'VLAN 1234 for berlin-mitte-access-01.example.com';
    await openVlan({ title });
    const { page } = await look('/ui/tasks', { width: 390, height: 844, formView: 'form' });
    // Three touches: the task, and twice the approval.
    await tapMiddle(page, page.getByRole('link', { name: title }));
    const summary = page.getByRole('region', { name: 'What is asked' });
    await seen(summary, 'VLAN id: 7');
    await seen(summary, 'Tagged: Yes');
    const ticket = page.getByRole('textbox', { name: /^Ticket/ });
    await ticket.fill('CHG0012345');
    const size = await page.evaluate('getComputedStyle(document.activeElement).fontSize');
    assert.equal(size, '16px', 'a phone does not zoom into the field');
    await ticket.press('Tab');
    await seen(summary, 'Ticket: not set becomes CHG0012345');
    const [reject, approve] = await Promise.all(
      ['Reject…', 'Approve…'].map((name) => button(page, name).boundingBox()),
    );
    assert.ok(reject && approve && reject.height >= 44 && approve.width > 160, 'two buttons for a thumb');
    await scrollToEnd(page);
    await tapMiddle(page, button(page, 'Approve…'));
    await tapMiddle(page, button(await dialogOf(page), 'Approve'));
    await focused(page.getByRole('heading', { level: 1, name: /^VLAN 1234/ }));
    const result = page.getByRole('status').filter({ hasText: 'Approved' });
    await seen(result, 'ada has the result.');
    assert.equal(await page.evaluate('window.scrollY'), 0);
    await assertFits(page);
  });

  it('name who changed each field of the shared draft, in both views, also after a reload', async () => {
    const id = await openVlan({ instance_data: { site: 'ber1', vlan: 7 } });
    await saveDraftAs(site, 'ben', { id, formData: { site: 'ham2', vlan: 7 } });
    await saveDraftAs(site, 'cleo', { id, formData: { site: 'ham2', vlan: 8 } });
    const { page } = await look(pathOf('ShowJsonForm', id));
    const rowOf = (name: RegExp): Locator => page.getByRole('row', { name });
    await seen(rowOf(/Site/), /changed by ben/);
    await seen(rowOf(/VLAN id/), /changed by cleo/);
    await writeRow(page, /VLAN id/, '9');
    await seen(rowOf(/VLAN id/), /edited/);
    await press(page, 'Save draft');
    await seen(rowOf(/VLAN id/), /changed by ada/);
    await page.reload();
    await seen(rowOf(/Site/), /changed by ben/);
    await press(page, 'Form');
    const field = page
      .getByRole('spinbutton', { name: /VLAN id/ })
      .or(page.getByRole('textbox', { name: /VLAN id/ }));
    const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
    const texts = await Promise.all(ids.map((each) => page.locator(`[id="${each}"]`).textContent()));
    assert.match(texts.join(' '), /changed by ada/);
    await press(page, 'Approve…');
    const dialog = await dialogOf(page);
    await seen(dialog, '2 changes to the proposal');
    await seen(dialog, /changed by ben/);
  });

  it('show how far the deadline is, and approve an overdue task', async () => {
    const id = await openVlan({ due: '2020-01-02T03:04:05Z', title: 'Late', assignee: { subject: 'ada' } });
    const { page } = await look('/ui/tasks?due=overdue');
    await seen(page, /Overdue by [\d,]+ days/);
    await page.getByRole('link', { name: 'Late' }).click();
    await page.waitForURL(`**${pathOf('ShowJsonForm', id)}`);
    await seen(page, /Overdue by [\d,]+ days/);
    await assertFits(page);
    await approve(page);
    await seen(page, '✓ Approved');
  });

  it('finding F17: create a task from the variables of the URL after a confirmation, once for any number of reloads', async () => {
    const data = encodeURIComponent(JSON.stringify({ site: 'ham2', vlan: 44 }));
    const totalOf = async (): Promise<number> =>
      ((await ask('GET', '/json-forms/tasks?limit=0')) as { readonly total: number }).total;
    const before = await totalOf();
    const { page } = await look(
      `/json-forms/task/ShowJsonForm?form_id=Provision%20VLAN&instance_data=${data}`,
    );
    await seen(page, 'Provision VLAN');
    await button(page, 'Open the task').waitFor();
    await assertPartClean(page.getByRole('main'));
    assert.equal(await totalOf(), before);
    await press(page, 'Open the task');
    await page.waitForURL(/[?&]task=[0-9a-f]{24}$/);
    const address = page.url();
    await page.reload();
    await page.getByRole('row', { name: /VLAN id/ }).waitFor();
    await button(page, 'Approve…').waitFor();
    assert.equal(page.url(), address);
  });

  it('offer options and defaults of a query through an adapter, asked for once, and name bindings that are not permitted', async () => {
    const bound = (href: string, target?: string) => ({
      'binding:method': 'POST',
      'binding:link': 'collection',
      ...(target !== undefined && { 'binding:target': target }),
      'binding:source': { propertyPointer: '/ietf-interfaces:interfaces/interface', keyPointer: '/name' },
      'binding:hyperSchema': {
        base: '/orchestrator_manager/',
        links: [{ rel: 'collection', href, variables: INTERFACES }],
      },
    });
    const names = ['port', 'other', 'uplink', 'spare', 'lost'];
    const id = await made('RenderJsonSchema', {
      jsonSchema: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      },
      bindingSchema: {
        properties: {
          port: bound('restQuery/core1'),
          other: bound('restAction/core1'),
          uplink: bound('restQuery/core1', '/default'),
          spare: bound('restQuery/core1', '/default'),
          lost: bound('restQuery/nobody', '/default'),
        },
      },
      formData: { spare: 'eth9' },
    });
    const { page, go } = await look('/json-forms/task/ShowJsonForm?task=none', { role: 'admin' });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/choices'))
        asked.push((request.postDataJSON() as { readonly field: string }).field);
    });
    await go(pathOf('RenderJsonSchema', id));
    await page.getByRole('row', { name: /uplink.*eth0/ }).waitFor();
    await page.getByRole('row', { name: /spare.*eth9/ }).waitFor();
    await page.getByText('No default for /lost').first().waitFor();
    await seen(page, '1 change');
    await page.getByRole('row', { name: /port/ }).click();
    await page.keyboard.press('F2');
    await focused(page.getByRole('combobox', { name: 'port' }));
    await page.getByRole('option', { name: /eth0/ }).waitFor();
    await assertPartClean(page.getByRole('main'));
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /other/ }).click();
    await seen(page, /options can only come from queries through adapters/);
    assert.deepEqual(asked.toSorted(), [...new Set(asked)].toSorted());
    await approve(page);
    await seen(page, '✓ Approved');
    assert.deepEqual((await told(id)).outcome?.export, { spare: 'eth9', uplink: 'eth0' });
  });

  const rendered = async (body: object): Promise<string> =>
    pathOf('RenderJsonSchema', await made('RenderJsonSchema', body));

  it('store no secret in the browser', async () => {
    const password = { type: 'string', writeOnly: true };
    const path = await rendered({ jsonSchema: { properties: { user: { type: 'string' }, password } } });
    const { page } = await look(path);
    const kept = (): Promise<string> => page.evaluate('JSON.stringify(localStorage)');
    await writeRow(page, /^user /, 'ada');
    await seen(page, '1 change');
    await eventually(async () => {
      assert.match(await kept(), /ada/);
    });
    await writeRow(page, /^password /, 'pw-77aa-of-ada');
    await seen(page, /are not kept in this browser/);
    await eventually(async () => {
      assert.doesNotMatch(await kept(), /ada/);
    });
  });

  it('report why the approval failed, and focus the invalid field', async () => {
    const jsonSchema = {
      properties: { deep: { type: 'object', properties: { vlan: { type: 'integer', maximum: 9 } } } },
    };
    const id = await made('RenderJsonSchema', { jsonSchema, formData: { deep: { vlan: 12 } } });
    const { page } = await look(pathOf('RenderJsonSchema', id));
    await press(page, 'Collapse all');
    await press(page, 'Approve…');
    const dialog = await dialogOf(page);
    await seen(dialog, /^1 error must be fixed/);
    await button(dialog, 'Approve').waitFor({ state: 'detached' });
    await press(dialog, 'vlan');
    await seen(page.getByRole('alert'), /^Not approved: 1 error/);
    await page.locator('[aria-invalid=true]').first().waitFor();
    assert.equal((await told(id)).status, 'open');
    await page.locator('[role=row]:focus', { hasText: 'vlan' }).waitFor();
    await assertPartClean(page.getByRole('alert').first());
  });

  /** Waits until the browser stores `count` drafts; it stores them a moment after it shows them. */
  const drafts = (page: Page, count: number): Promise<void> =>
    eventually(async () => {
      const kept = await page.evaluate<readonly string[]>('Object.keys(localStorage)');
      const found = kept.filter((key) => key.startsWith('gatehouse.task.'));
      assert.equal(found.length, count, kept.join(', '));
    });

  it('restore unsaved changes with a message, discard those of another user, and store nothing without changes', async () => {
    const { page } = await look(pathOf('ShowJsonForm', await openVlan()));
    await page.getByRole('row', { name: /VLAN id/ }).waitFor();
    await drafts(page, 0);
    await writeRow(page, /VLAN id/, '120');
    await seen(page, '1 change');
    await drafts(page, 1);
    await page.reload();
    await seen(page, /earlier visit were restored. 1 change/);
    await assertFits(page);
    await press(page, 'Discard unsaved changes');
    await seen(page, 'No changes to the proposal');
    await drafts(page, 0);
    await writeRow(page, /VLAN id/, '120');
    await drafts(page, 1);
    const value = site.testServer.issueTokenFor('grace', 'engineering');
    await page.context().addCookies([{ name: 'token', value, url: site.testServer.url, httpOnly: true }]);
    await page.reload();
    await seen(page, 'No changes to the proposal');
    await drafts(page, 0);
  });

  it('work without local storage', async () => {
    const before = async (empty: Page): Promise<void> => {
      await empty.addInitScript(`Object.defineProperty(window, 'localStorage', {
        get() { throw new DOMException('closed', 'SecurityError'); },
      });`);
    };
    const { page } = await look(pathOf('ShowJsonForm', await openVlan()), { before, isFresh: true });
    await page.getByRole('textbox', { name: /VLAN id/ }).fill('120');
    await page.keyboard.press('Enter');
    await seen(page, /are not kept in this browser/);
    await approve(page);
    await seen(page, '✓ Approved');
  });

  it('report an invalid variable of the URL', async () => {
    const { page } = await look('/json-forms/task/ShowJsonForm?form_id=x&instance_data=%7B');
    const alert = page.getByRole('alert');
    await seen(alert, /The variable instance_data in the URL of this page is not valid JSON\./);
    assert.doesNotMatch(await alert.innerText(), /did not respond|connection/);
  });

  it('go straight to the sign-in page without a session, and name the way back', async () => {
    const path = pathOf('ShowJsonForm', gallery().formTask);
    const { page } = await site.look(path, { isStranger: true });
    await page.waitForURL(`**/ui/sign-in?return=${encodeURIComponent(path)}`);
    await button(page, 'Sign in').first().waitFor();
  });
});
