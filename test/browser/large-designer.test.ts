import assert from 'node:assert/strict';
import type { Form } from '../../src/features/forms/form-store.js';
import { consoleFor, createForm, describePages, type LookInside } from '../support/console-errors.js';
import { largeModule } from '../support/large-module.js';
import { reachRow, lookWithSizes, toggleRow } from '../support/large-tree.js';
import { assertFits, assertPartClean, button, dialogOf, done, press, seen } from '../support/page-text.js';
import { storedTask, writeRow } from '../support/task-page.js';

const FORMS = '/json-forms/forms';
const MODULE = largeModule({ areas: 20, parts: 10, leaves: 8 });

interface Converted {
  readonly schemas: readonly Pick<Form, 'schema' | 'uiSchema'>[];
}

describePages('the designer of a form of a whole device', function () {
  const site = consoleFor(this);
  let source: Converted['schemas'][number];

  before(async () => {
    const { schemas } = (await site.ask('POST', '/json-forms/yangToSchema', {
      yangData: [MODULE],
    })) as Converted;
    const [found] = schemas;
    assert.ok(found);
    source = found;
  });

  const create = (name: string): Promise<Form> =>
    createForm(site.ask, { name, schema: source.schema, uiSchema: source.uiSchema });

  const stored = async ({ id }: Pick<Form, 'id'>): Promise<Form | null> =>
    (await site.ask('GET', `${FORMS}/${id}`)) as Form | null;

  const look = ({ id }: Form, more: LookInside = {}) =>
    lookWithSizes(
      (before) => site.look(`/ui/forms/${id}`, { ...more, before }),
      new RegExp(`${FORMS}/${id}`),
    );

  it('shows the facts, loads a container when the mouse opens it, and checks entered data', async () => {
    const form = await create('Device');
    const { page, sizes } = await look(form);
    await seen(page, /This form is shown in parts/);
    await seen(page, 'device-model');
    await seen(page, /^data of the module, configuration only$/);
    await toggleRow(page, /^device /);
    await toggleRow(page, /^area-20 /);
    await toggleRow(page, /^part-20-7 /);
    await reachRow(page, /^value-20-7-3 /);
    const whole = JSON.stringify(form).length;
    assert.ok(sizes.length > 1);
    assert.ok(
      sizes.every((size) => size < whole / 3),
      `${sizes.join()} of ${whole}`,
    );
    await writeRow(page, /^value-20-7-3 /, '12');
    await press(page, 'Check on the server');
    await seen(page, 'The form accepts the data');
    await assertPartClean(page.getByRole('main'));
    await writeRow(page, /^value-20-7-3 /, '99999');
    await press(page, 'Check on the server');
    await seen(page, 'The form refuses the data: 1 problem');
    assert.deepEqual(await stored(form), form);
  });

  it('opens a task with the entered data', async () => {
    const form = await create('Tried');
    const { page } = await look(form);
    await toggleRow(page, /^device /);
    await reachRow(page, /^hostname /);
    await writeRow(page, /^hostname /, 'rtr1');
    const opening = page.waitForEvent('popup');
    await press(page, 'Try as a task');
    const task = await opening;
    await task.waitForURL(/task=/);
    const id = new URL(task.url()).searchParams.get('task') ?? '';
    const { formData } = await storedTask(site, id);
    assert.deepEqual(formData, { 'device-model:device': { hostname: 'rtr1' } });
    await task.close();
  });

  it('renames the form, restores a version and deletes the form', async () => {
    const form = await create('Once');
    const { page } = await look(form);
    await press(page, 'Rename…');
    const dialog = await dialogOf(page);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Twice');
    await done(page, `PUT ${FORMS}/`, () => button(page, 'Save').click());
    await page.getByRole('heading', { name: 'Twice', level: 1 }).waitFor();
    const renamed = await stored(form);
    assert.deepEqual([renamed?.name, renamed?.schema], ['Twice', form.schema]);
    await page.getByRole('tab', { name: 'Versions' }).click();
    await press(page, 'Restore version 1');
    await press(await dialogOf(page), 'Restore version 1');
    await page.getByRole('heading', { name: 'Once', level: 1 }).waitFor();
    await seen(page, 'Version 2');
    const { name, schema, uiSchema } = (await stored(form)) ?? {};
    assert.deepEqual(
      { name, schema, uiSchema },
      { name: 'Once', schema: form.schema, uiSchema: form.uiSchema },
    );
    await press(page, 'Delete');
    await press(await dialogOf(page), 'Delete');
    await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
    assert.equal(await stored(form), null);
  });

  it('gets the schema of modules that are converted again', async () => {
    const form = await create('Converted');
    const { page } = await look(form);
    await page.getByRole('link', { name: 'convert them again' }).click();
    const buffer = Buffer.from(MODULE.replace('leaf hostname', 'leaf serial { type string; } leaf hostname'));
    const file = { name: 'device-model.yang', mimeType: 'application/yang', buffer };
    await page.locator('input[type=file]').setInputFiles([file]);
    await seen(page, 'device-model.yang');
    await press(page, 'Convert');
    await press(page, 'Replace the schema of “Converted”');
    await page.getByRole('heading', { name: 'Converted', level: 1 }).waitFor();
    await toggleRow(page, /^device /);
    await reachRow(page, /^serial /);
    assert.match(JSON.stringify((await stored(form))?.schema), /"serial"/);
  });

  it('shows the form to viewers without its actions, and fits a telephone', async () => {
    const form = await create('Viewed');
    const { page } = await look(form, { role: 'viewer', width: 390, height: 844 });
    await seen(page, /This form is shown in parts/);
    await toggleRow(page, /^device /);
    await reachRow(page, /^hostname /);
    for (const name of ['Rename…', 'Delete', 'Check on the server', 'Try as a task'])
      assert.equal(await button(page, name).count(), 0, name);
    assert.equal(await page.getByRole('link', { name: 'convert them again' }).count(), 0);
    await assertFits(page);
  });
});
