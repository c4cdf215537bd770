import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describePages } from '../support/console-errors.js';
import { galleryFor } from '../support/form-gallery.js';
import { button, dialogOf, press, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { openTask, storedTask } from '../support/task-page.js';

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

describePages('a task whose form fills in values', function () {
  const { site } = galleryFor(this);
  const made = async (uiSchema: object, formData: object): Promise<string> =>
    (await openTask(site, 'RenderJsonSchema', { jsonSchema: SCHEMA, uiSchema, formData, title: 'Port' })).id;
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
