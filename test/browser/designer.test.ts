import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Form } from '../../src/features/forms/form-store.js';
import { consoleFor, createForm, describePages, registerAdapter } from '../support/console-errors.js';
import { assertFits, assertPartClean, button, choose, done, focused, seen } from '../support/page-text.js';
import { clickMiddle, middleOf, type Point, swipe } from '../support/pointer.js';
import { eventually } from '../support/until.js';

const FORMS = '/json-forms/forms';
const INTERFACE = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name' },
    'ietf-ip': { type: 'string', title: 'Ietf ip', enum: ['ipv4', 'ipv6'] },
    'hold-time': { type: 'integer', title: 'Hold time' },
    timers: { type: 'object', title: 'Timers', properties: { up: { type: 'integer', title: 'Up' } } },
  },
};

type Schema = Readonly<Record<string, unknown>> & { readonly properties: Readonly<Record<string, unknown>> };

/** Drags with the mouse, which stays pressed. */
async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
}

const item = (page: Page, name: string): Locator => page.getByRole('treeitem', { name });

describePages('the designer', function () {
  const { look, ask } = consoleFor(this);
  const opened = async (name: string, schema: object) => {
    const doc = await createForm(ask, { name, schema });
    const { page } = await look(`/ui/forms/${doc.id}`);
    const saved = async (): Promise<Schema> => {
      await done(page, `PUT ${FORMS}/`, () => page.keyboard.press('Control+s'));
      return ((await ask('GET', `${FORMS}/${doc.id}`)) as Form).schema as Schema;
    };
    return { page, saved };
  };

  it('is opened by Enter in the dialog that creates a form, and stays in place at the first edit', async () => {
    const { page } = await look('/ui/forms');
    await button(page, 'Create').first().click();
    await focused(page.getByRole('dialog').getByLabel('Name'));
    await page.keyboard.insertText('By Enter');
    await page.keyboard.press('Enter');
    await item(page, 'By Enter').waitFor();
    const tabs = page.getByRole('tab', { name: 'Design' });
    const before = await tabs.boundingBox();
    const description = page.getByRole('region', { name: 'Properties' }).getByLabel('Description');
    await description.fill('Ports');
    await seen(page, 'unsaved changes');
    assert.deepEqual(await tabs.boundingBox(), before);
    // A description that fills the line below the heading.
    await description.fill('Ports of the access switches in the buildings of the site');
    await done(page, `PUT ${FORMS}/`, () => button(page, 'Save').click());
    await seen(page, /saved .*by/);
    const saved = await tabs.boundingBox();
    await page.getByRole('region', { name: 'Properties' }).getByLabel('Title').fill('Ports');
    await seen(page, 'unsaved changes');
    assert.deepEqual(await tabs.boundingBox(), saved);
  });

  it('drags a field with the mouse to another position and into a group, and a type of field from the list; Escape cancels', async () => {
    const { page, saved } = await opened('Mouse', INTERFACE);
    const name = await middleOf(item(page, 'hold-time').locator('.gh-outline-title'));
    const first = await middleOf(item(page, 'Name').first());
    await drag(page, name, { x: first.x, y: first.y - 8 });
    await seen(page.getByRole('status'), 'Before name');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await seen(page.getByRole('status'), 'The field was not moved.');
    await drag(page, name, { x: first.x, y: first.y - 8 });
    await page.mouse.up();
    await seen(page.getByRole('status'), 'hold-time moved.');
    const name2 = await middleOf(item(page, 'ietf-ip').locator('.gh-outline-title'));
    const group = await middleOf(item(page, 'Timers'));
    await drag(page, name2, group);
    await seen(page.getByRole('status'), 'Into timers');
    await page.mouse.up();
    await seen(page.getByRole('status'), 'timers.ietf-ip moved.');
    await button(page, 'Add field').click();
    const kind = await middleOf(page.getByRole('option', { name: 'IPv6 address' }));
    const second = await middleOf(item(page, 'Name').first());
    await drag(page, kind, { x: second.x, y: second.y + 8 });
    await seen(page.getByRole('status'), 'After name');
    await page.mouse.up();
    await focused(page.getByRole('region', { name: 'Properties' }).getByLabel('Name', { exact: true }));
    const { properties } = await saved();
    assert.deepEqual(Object.keys(properties), ['hold-time', 'name', 'ipv6', 'timers']);
    assert.deepEqual(Object.keys((properties['timers'] as Schema).properties), ['up', 'ietf-ip']);
  });

  it('drags a field with a finger on a phone, by its handle', async () => {
    const doc = await createForm(ask, { name: 'Finger', schema: INTERFACE });
    const { page } = await look(`/ui/forms/${doc.id}`, { width: 390, height: 844 });
    await item(page, 'hold-time').scrollIntoViewIfNeeded();
    const { x, y } = await middleOf(item(page, 'hold-time').locator('.gh-outline-handle'));
    const first = await middleOf(item(page, 'Name').first());
    const steps = [0.2, 0.4, 0.6, 0.8, 1].map((part) => ({
      x: x + (first.x - x) * part,
      y: y + (first.y - 8 - y) * part,
    }));
    await swipe(page, [{ x, y }, ...steps], () => seen(page.getByRole('status'), 'Before name'));
    await seen(page.getByRole('status'), 'hold-time moved.');
    await done(page, `PUT ${FORMS}/`, () => button(page, 'Save').click());
    const { schema } = (await ask('GET', `${FORMS}/${doc.id}`)) as { readonly schema: Schema };
    assert.deepEqual(Object.keys(schema.properties).slice(0, 2), ['hold-time', 'name']);
  });

  it('copies a field with the keyboard, and duplicates it with the menu', async () => {
    const { page, saved } = await opened('Copies', INTERFACE);
    await item(page, 'hold-time').click();
    await focused(item(page, 'hold-time'));
    await page.keyboard.press('Control+c');
    await item(page, 'Timers').click();
    await page.keyboard.press('Control+v');
    await page.getByRole('treeitem', { selected: true, level: 3, name: 'hold-time' }).waitFor();
    await item(page, 'ietf-ip').click();
    await choose(page, 'More actions on the field', 'Duplicate');
    await focused(page.getByRole('region', { name: 'Properties' }).getByLabel('Name', { exact: true }));
    const { properties } = await saved();
    assert.deepEqual(Object.keys(properties), ['name', 'ietf-ip', 'ietf-ip2', 'hold-time', 'timers']);
    assert.deepEqual(Object.keys((properties['timers'] as Schema).properties), ['up', 'hold-time']);
  });

  it('undoes what is typed in an input there, and elsewhere edits of the form and data of its preview', async () => {
    const { page } = await opened('Undo', INTERFACE);
    await item(page, 'hold-time').click();
    const properties = page.getByRole('region', { name: 'Properties' });
    const title = properties.getByLabel('Title', { exact: true });
    await title.fill('');
    await page.keyboard.type('Hold');
    await page.keyboard.press('Control+z');
    // The browser takes back what was typed, in its own steps; the form follows.
    await eventually(async () => {
      assert.notEqual(await title.inputValue(), 'Hold');
    });
    const holdTime = page.getByRole('region', { name: 'Form and source' }).getByLabel(/^[Hh]ol/);
    await holdTime.first().fill('30');
    await page.keyboard.press('Tab');
    await page.locator('h1').click();
    await page.keyboard.press('Control+z');
    await eventually(async () => {
      assert.equal(await holdTime.first().inputValue(), '');
    });
    await page.keyboard.press('Control+y');
    await eventually(async () => {
      assert.equal(await holdTime.first().inputValue(), '30');
    });
    assert.equal(await button(page, 'Undo').count(), 1, 'one Undo on the page');
  });

  it('offers each of 37 adapters that contains what is typed, and makes a query depend on another field', async () => {
    const settings = { auth: { type: 'none' } };
    for (let number = 1; number <= 36; number += 1)
      await registerAdapter(ask, `nso${number}.example.com`, { model: 'restconf', settings });
    const { page, saved } = await opened('Dependent', INTERFACE);
    await item(page, 'Name').first().click();
    const choices = page.getByRole('group', { name: 'Choices', exact: true });
    await choices.getByLabel('Source of the choices').selectOption('query');
    const adapter = choices.getByLabel('Adapter', { exact: true });
    await adapter.fill('nso36');
    await choices.locator('datalist option[value="nso36.example.com"]').waitFor({ state: 'attached' });
    await adapter.fill('core1');
    const path = choices.getByLabel('Path', { exact: true });
    await path.fill('?with-defaults=trim');
    await path.press('Home');
    await path.pressSequentially('/restconf/data/ietf-interfaces:interfaces?depth=');
    await choices.getByLabel('Depends on').selectOption({ label: 'Hold time (/hold-time)' });
    assert.equal(
      await path.inputValue(),
      '/restconf/data/ietf-interfaces:interfaces?depth={/hold-time}?with-defaults=trim',
    );
    await path.fill('/restconf/data/ietf-interfaces:interfaces?depth={/hold-time}');
    const send = button(choices, 'Show reply');
    assert.equal(await send.isDisabled(), true, 'without a sample value there is no query');
    await choices.getByLabel('Sample value of /hold-time').fill('4');
    await assertFits(page, 'dependent');
    await clickMiddle(page, send);
    await seen(choices, /choices?: .*eth0/);
    await saved();
    await page.reload();
    assert.equal(await path.inputValue(), '/restconf/data/ietf-interfaces:interfaces?depth={/hold-time}');
  });

  it('keeps unsaved changes for their author alone', async () => {
    const doc = await createForm(ask, { name: 'Private', schema: INTERFACE });
    const { page } = await look(`/ui/forms/${doc.id}`);
    for (const key of [doc.id, `somebody.${doc.id}`])
      await page.evaluate(`localStorage.setItem('gatehouse.design.${key}', '{}')`);
    await page.getByRole('region', { name: 'Properties' }).getByLabel('Description').fill('mine');
    await page.reload();
    await seen(page, /Unsaved changes of an earlier visit were restored/);
    const keys = await page.evaluate<readonly string[]>('Object.keys(localStorage)');
    const own = keys.filter((name) => name.startsWith('gatehouse.design.'));
    assert.equal(own.length, 1, own.join());
    assert.match(own[0] ?? '', new RegExp(`^gatehouse\\.design\\..+\\.${doc.id}$`));
    assert.ok(!own[0]?.includes('somebody'));
  });

  it('groups fields in sections with columns, has own errors, and is tried as a task', async () => {
    const { page, saved } = await opened('Sections', INTERFACE);
    await item(page, 'Sections').click();
    const properties = page.getByRole('region', { name: 'Properties' });
    await properties.getByLabel('Columns', { exact: true }).selectOption('2');
    await button(properties, 'Add section').click();
    await properties.getByLabel('Heading', { exact: true }).fill('Timing');
    await item(page, 'hold-time').click();
    await properties.getByLabel('Section', { exact: true }).selectOption('Timing');
    await properties.getByLabel('Required', { exact: true }).selectOption('always');
    await properties.getByText('Error messages').first().click();
    await properties.getByLabel('If the value is missing').fill('Ask the network team for the hold time.');
    await page.getByRole('group', { name: 'Timing' }).waitFor();
    await button(page, 'Phone').click();
    const preview = page.locator('.gh-preview');
    await eventually(async () => {
      assert.ok(((await preview.boundingBox())?.width ?? 999) <= 392);
    });
    await assertPartClean(page.locator('.gh-preview'), 'sections');
    await saved();
    const [task] = await Promise.all([page.waitForEvent('popup'), button(page, 'Try as a task').click()]);
    await task.getByRole('heading', { name: 'Test: Sections' }).waitFor();
    await button(task, 'Form').click();
    await task.getByRole('group', { name: 'Timing' }).waitFor();
    await button(task, /^Approve/).click();
    await seen(task, /Ask the network team for the hold time\./);
    await task.close();
  });
});
