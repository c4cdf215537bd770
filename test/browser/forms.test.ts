import assert from 'node:assert/strict';
import type { Form } from '../../src/features/forms/form-store.js';
import { consoleFor, createForm, describePages } from '../support/console-errors.js';
import {
  assertFits,
  assertPartClean,
  button,
  dialogGone,
  dialogOf,
  done,
  focused,
  pasteInto,
  press,
  seen,
  words,
} from '../support/page-text.js';

const PORT = {
  name: 'Port',
  schema: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', title: 'Name' }, vlan: { type: 'integer', title: 'VLAN' } },
    examples: [{ name: 'ge0/1' }],
  },
};
const BROKEN = {
  name: 'Broken',
  schema: { properties: { code: { pattern: '(?=a)b' } }, required: ['none'] },
};
const YANG = `module net { yang-version 1.1; namespace "urn:net"; prefix n;
  container box { leaf mtu { type uint16; must ". > 68"; } } }`;

const FORMS = '/json-forms/forms';

describePages('the form pages', function () {
  const { look, ask } = consoleFor(this);
  const created = async (form: object): Promise<string> => (await createForm(ask, form)).id;
  const stored = async (key: string): Promise<Form> =>
    (await ask('GET', `${FORMS}/${encodeURIComponent(key)}`)) as Form;

  it('say that a form does not exist, and why the forms cannot be read', async () => {
    const { page, go } = await look('/ui/forms/none');
    await seen(page, 'Form not found');
    await assertPartClean(page.getByRole('main'), 'no such form');
    await page.route(`**${FORMS}`, (route) =>
      route.fulfill({ status: 503, json: { code: 'store_unavailable', detail: 'The database is away.' } }),
    );
    await go('/ui/forms');
    await seen(page, 'The database is away.');
    await assertFits(page, 'refused');
  });

  it('create a form from an example, edit fields by keyboard, save, and restore a version', async () => {
    const { page } = await look('/ui/forms');
    const fields = async (): Promise<readonly string[]> =>
      Object.keys(((await stored('Site')).schema as typeof PORT.schema).properties);
    await button(page, 'Create').first().click();
    const dialog = await dialogOf(page);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Site');
    await press(dialog, 'From sample data');
    const example = dialog.getByRole('textbox', { name: 'Example data as JSON' });
    await pasteInto(example, '{"site": "Berlin", "address": "10.0.0.1"}');
    await seen(dialog, /^2 fields found/);
    await assertPartClean(dialog, 'dialog');
    await press(dialog, 'Create');

    await page.getByRole('treeitem', { name: /^Site/, level: 1 }).waitFor();
    await press(page, 'Add field');
    await page.getByRole('option', { name: 'Integer' }).click();
    const added = page.getByRole('treeitem', { selected: true, name: /Integer/ });
    await added.focus();
    await focused(added);
    await page.keyboard.press('Alt+ArrowUp');
    await focused(added.and(page.locator('[aria-posinset="2"]')));
    const properties = page.getByRole('region', { name: 'Properties' });
    await properties.getByLabel('Name', { exact: true }).fill('rack');
    await properties.getByLabel('Title', { exact: true }).fill('Rack');
    await page.getByRole('treeitem', { name: /^Rack rack/ }).waitFor();
    await done(page, `PUT ${FORMS}/`, () => page.keyboard.press('Control+s'));
    await seen(page, 'Saved');
    assert.deepEqual(await fields(), ['site', 'rack', 'address']);
    const { examples } = (await stored('Site')).schema as typeof PORT.schema;
    assert.deepEqual(examples, [{ site: 'Berlin', address: '10.0.0.1' }]);

    await page.getByRole('tab', { name: 'Versions' }).click();
    await press(page, 'Restore version 1');
    await done(page, `PUT ${FORMS}/`, () => press(page, 'Save'));
    await words(page, 'unsaved changes').waitFor({ state: 'detached' });
    assert.deepEqual(await fields(), ['site', 'address']);
  });

  it('keep input typed while the form is saved, and save the value of the focused field', async () => {
    const id = await created({ ...PORT, name: 'Busy' });
    const { page } = await look(`/ui/forms/${id}?field=%2Fproperties%2Fvlan`);
    const properties = page.getByRole('region', { name: 'Properties' });
    const title = properties.getByLabel('Title', { exact: true });
    await title.fill('first');
    let continueForm = (): void => undefined;
    const held = new Promise<void>((resolve) => (continueForm = resolve));
    await page.route(`**${FORMS}/${id}`, async (route) => {
      if (route.request().method() === 'PUT') await held;
      await route.continue();
    });
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await press(page, 'Save');
    await sent;
    await title.fill('second');
    await page.keyboard.press('Control+s');
    continueForm();
    await seen(page, 'Saved');
    await button(page, 'Save').and(page.locator(':enabled')).waitFor();
    assert.equal(await title.inputValue(), 'second');
    assert.match(JSON.stringify(await stored(id)), /"first"/);

    await properties.getByLabel('Name', { exact: true }).fill('tag');
    await done(page, `PUT ${FORMS}/`, () => page.keyboard.press('Control+s'));
    await words(page, 'unsaved changes').waitFor({ state: 'detached' });
    const { tag } = ((await stored(id)).schema as { properties: Record<string, object> }).properties;
    assert.deepEqual(tag, { type: 'integer', title: 'second' });
    await focused(properties.getByLabel('Name', { exact: true }));
  });

  it('do not overwrite a version that another user has saved', async () => {
    const id = await created({ ...PORT, name: 'Shared' });
    const { page } = await look(`/ui/forms/${id}`);
    await page.getByRole('region', { name: 'Properties' }).getByLabel('Description').fill('mine');
    await ask('PUT', `${FORMS}/${id}`, { options: { description: 'theirs' } });
    await press(page, 'Save');
    const dialog = await dialogOf(page);
    await seen(dialog, 'Changed by someone else');
    await assertPartClean(dialog, 'conflict');
    assert.equal((await stored(id)).description, 'theirs');
    await done(page, `PUT ${FORMS}/`, () => press(dialog, 'Overwrite with my version'));
    await dialogGone(page);
    assert.equal((await stored(id)).description, 'mine');
  });

  it('keep source and design in sync in both directions, report invalid source, and lose no character of fast typing', async () => {
    const id = await created({ ...PORT, name: 'Source' });
    const { page } = await look(`/ui/forms/${id}?view=source&field=%2Fproperties%2Fvlan`);
    const source = page.getByRole('textbox', { name: 'schema as JSON' });
    await pasteInto(source, '{"type": "object", "properties": {"only": {"title": "Only one"');
    await seen(page, 'invalid JSON: the design is unchanged');
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('}}}');
    await page.getByRole('treeitem', { name: /^Only one/ }).click();
    const properties = page.getByRole('region', { name: 'Properties' });
    await seen(properties, 'only');
    await properties.getByLabel('Title', { exact: true }).fill('Renamed');
    await source.getByText('"Renamed"').waitFor();
    await source.focus();
    await focused(source);
    await page.keyboard.press('Control+a');
    const text = JSON.stringify({ title: 'abcdefghijklmnopqrstuvwxyz'.repeat(4) });
    // Types without waiting for the page to draw: the browser queues the keys.
    await Promise.all(Array.from(text, (letter) => page.keyboard.insertText(letter)));
    await source.getByText(text).waitFor();
    await page.getByRole('treeitem', { name: /^Source/ }).waitFor();
    await seen(page, 'in sync with the design');
  });

  it('have no accessibility, CSP or console errors with faults, and say that a deletion is final', async () => {
    const port = await created({ ...PORT, name: 'Port 1' });
    const broken = await created({ ...BROKEN, name: 'Broken 1' });
    await created({ ...PORT, name: 'Long', description: 'a long description of the form '.repeat(40) });
    const { page, go } = await look('/ui/forms');
    const box = await page.getByRole('columnheader', { name: 'Last change' }).boundingBox();
    assert.ok(box && box.x + box.width <= 1440, 'a long description moves no column out of the page');
    const row = page.getByRole('row').filter({ hasText: 'Broken 1' });
    await seen(row, '2 errors');
    await page.getByLabel('Select Broken 1').check();
    await seen(page, '1 selected');
    await assertPartClean(page.getByRole('main'), 'list');
    await press(page, 'Delete');
    await seen(await dialogOf(page), /cannot be undone/);
    await assertPartClean(page.getByRole('dialog'), 'delete');
    for (const [path, text] of [
      [`/ui/forms/${port}?tab=examples`, 'The form accepts the example, as expected.'],
      [`/ui/forms/${broken}?tab=check`, '"none" is required, but there is no such field.'],
    ] as const) {
      await go(path);
      await seen(page, text);
      await assertFits(page, path);
    }
  });

  it('delete selected forms, and import them again from the export', async () => {
    const id = await created({ ...PORT, name: 'Travelling' });
    const { page } = await look('/ui/forms?q=Travelling');
    await page.getByLabel('Select Travelling').check();
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Export')]);
    assert.equal(file.suggestedFilename(), 'Travelling.json');
    await press(page, 'Delete');
    await press(await dialogOf(page), 'Delete');
    await seen(page, '1 form deleted');
    assert.equal(await stored(id), null);
    await dialogGone(page);
    await press(page, 'Import');
    const dialog = await dialogOf(page);
    await dialog.getByLabel('File', { exact: true }).setInputFiles(await file.path());
    await press(dialog, 'Import 1 form');
    await seen(dialog, /1 form imported successfully/);
    await assertPartClean(dialog, 'report');
    assert.deepEqual((await stored('Travelling')).schema, PORT.schema);
  });

  it('create a form from a template, and copy it under a free name', async () => {
    const { page } = await look('/ui/forms');
    await button(page, 'Create').first().click();
    const dialog = await dialogOf(page);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Window');
    await press(dialog, 'From a template');
    await dialog.getByLabel('Template', { exact: true }).selectOption('maintenance');
    await seen(dialog, /Fields: Devices, Start, End/);
    await press(dialog, 'Create');
    await page.getByRole('treeitem', { name: /^Devices/ }).waitFor();
    const { page: list } = await look('/ui/forms?q=Window');
    const row = list.getByRole('row').filter({ hasText: 'Window' });
    await seen(row, 'Valid');
    await seen(row, 'Devices, Start, End, Reason, and 2 more');
    await list.getByLabel('Select Window').check();
    await press(list, 'Duplicate');
    await list.getByRole('treeitem', { name: /^Window \(1\)/ }).waitFor();
    assert.deepEqual((await stored('Window (1)')).schema, (await stored('Window')).schema);
  });

  it('convert YANG, show faults at their line, and create a form from the schema', async () => {
    const { page } = await look('/ui/yang');
    const hand = async (text: string): Promise<void> => {
      await page
        .getByLabel('Drop YANG files here, or choose them')
        .setInputFiles({ name: 'net.yang', mimeType: 'text/plain', buffer: Buffer.from(text) });
      await seen(page.getByRole('textbox', { name: 'YANG of net.yang' }), /uint\d\d/);
    };
    await hand(YANG.replace('uint16', 'uint17'));
    await press(page, 'Convert');
    await press(page, /^net\.yang:2:/);
    await focused(page.getByRole('textbox', { name: 'YANG of net.yang' }));
    await assertPartClean(page.getByRole('main'), 'faults');
    await hand(YANG);
    await button(page, /^net\.yang:2:/).waitFor({ state: 'detached' });
    await press(page, 'Convert');
    await seen(page, /1 of 2 nodes/);
    await seen(page, /must ". > 68" is not enforced by the schema/);
    await assertFits(page, 'schema');
    await page.getByLabel('Name of the form').fill('Box');
    await press(page, 'Create form');
    await page.getByRole('treeitem', { name: /^box/ }).waitFor();
    assert.ok('net:box' in ((await stored('Box')).schema as typeof PORT.schema).properties);
  });
});
