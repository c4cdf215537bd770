import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Form } from '../../src/domain/form.js';
import {
  accessibilityFaults,
  lackOfBrowser,
  openBrowser,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openWorld, type World } from '../support/world.js';

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

describe('the pages of the forms', function () {
  this.timeout(120_000);
  let world: World;
  let browser: TestBrowser;

  before(async function () {
    const lack = lackOfBrowser();
    if (lack !== undefined) {
      process.stderr.write(`  skipped: ${lack}\n`);
      this.skip();
    }
    world = await openWorld({ folder: temporaryFolder().path });
    browser = await openBrowser();
  });
  after(async () => {
    await (browser as TestBrowser | undefined)?.close();
    await (world as World | undefined)?.close();
  });

  async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
    const headers = { authorization: `Bearer ${world.mint('admin')}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await (await fetch(world.url + path, init)).json()) as Data;
  }
  const created = async (form: object): Promise<string> =>
    (await call<{ doc: Form }>('POST', '/json-forms/forms', form)).doc.id;
  const stored = (key: string): Promise<Form> =>
    call<Form>('GET', `/json-forms/forms/${encodeURIComponent(key)}`);

  async function look(path: string, theme: 'light' | 'dark' = 'light'): Promise<WatchedPage> {
    const looked = await browser.look(world.url, { token: world.mint('admin'), theme });
    await looked.page.goto(`${world.url}/ui${path}`);
    return looked;
  }
  async function assertSound({ page, faults }: WatchedPage, state: string): Promise<void> {
    assert.deepEqual(await accessibilityFaults(page), [], state);
    assert.deepEqual(faults, [], state);
  }
  const seen = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
  const press = (page: Page, name: string | RegExp): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

  for (const theme of ['light', 'dark'] as const)
    it(`have nothing that axe, the policy or the console complain of, empty and failed (${theme})`, async () => {
      const looked = await look('/forms', theme);
      const { page } = looked;
      await seen(page, 'There is no form yet');
      await assertSound(looked, 'no form');
      await page.goto(`${world.url}/ui/forms/none`);
      await seen(page, 'There is no such form');
      await assertSound(looked, 'no such form');
      await page.goto(`${world.url}/ui/yang`);
      await seen(page, 'No module yet');
      await assertSound(looked, 'no module');
      await page.route('**/json-forms/forms', (route) =>
        route.fulfill({ status: 503, json: { code: 'store_unavailable', detail: 'The database is away.' } }),
      );
      await page.goto(`${world.url}/ui/forms`);
      await seen(page, 'The database is away.');
      await assertSound(looked, 'refused');
      await looked.close();
    });

  it('make a form of an example, add, move and name fields by keys, save, and bring a version back', async () => {
    const looked = await look('/forms');
    const { page } = looked;
    await page.getByRole('button', { name: 'Create' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Site');
    await press(page, 'From an example');
    await page.getByRole('textbox', { name: 'Example of the data, as JSON' }).focus();
    await page.keyboard.insertText('{"site": "Berlin", "address": "10.0.0.1"}');
    await seen(page, /2 fields are found/);
    await assertSound(looked, 'dialog');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();

    await page.getByRole('treeitem', { name: /^Site/ }).first().waitFor();
    await press(page, 'Add field');
    await page.getByRole('menuitem', { name: 'Whole number' }).click();
    await page.getByRole('treeitem', { selected: true, name: /Integer/ }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    const properties = page.getByRole('region', { name: 'Properties' });
    await properties.getByLabel('Name', { exact: true }).fill('rack');
    await properties.getByLabel('Title', { exact: true }).fill('Rack');
    await page.getByRole('treeitem', { name: /Rack/ }).waitFor();
    await page.keyboard.press('Control+s');
    await seen(page, 'Saved');
    const saved = await stored('Site');
    assert.deepEqual(Object.keys((saved.schema as typeof PORT.schema).properties), [
      'site',
      'rack',
      'address',
    ]);
    assert.deepEqual((saved.schema as { examples: unknown }).examples, [
      { site: 'Berlin', address: '10.0.0.1' },
    ]);

    await page.getByRole('tab', { name: 'Versions' }).click();
    await press(page, 'Bring version 1 back');
    await press(page, 'Save');
    await seen(page, /saved now/);
    await page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
    const back = await stored('Site');
    assert.deepEqual(Object.keys((back.schema as typeof PORT.schema).properties), ['site', 'address']);
    assert.deepEqual(looked.faults, []);
    await looked.close();
  });

  it('does not save over what somebody else has saved meanwhile', async () => {
    const id = await created({ ...PORT, name: 'Shared' });
    const looked = await look(`/forms/${id}`);
    const { page } = looked;
    const description = page.getByRole('region', { name: 'Properties' }).getByLabel('Description');
    await description.fill('mine');
    await call('PUT', `/json-forms/forms/${id}`, { options: { description: 'theirs' } });
    await press(page, 'Save');
    await seen(page, 'Somebody else was quicker');
    await assertSound(looked, 'conflict');
    assert.equal((await stored(id)).description, 'theirs');
    await press(page, 'Save mine over theirs');
    await page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
    assert.equal((await stored(id)).description, 'mine');
    await looked.close();
  });

  it('keeps source and design the same, both ways, and says where the source is wrong', async () => {
    const id = await created({ ...PORT, name: 'Source' });
    const looked = await look(`/forms/${id}?view=source&field=%2Fproperties%2Fvlan`);
    const { page } = looked;
    const source = page.getByRole('textbox', { name: 'schema as JSON' });
    await source.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{"type": "object", "properties": {"only": {"title": "Only one"');
    await seen(page, 'not JSON yet');
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('}}}');
    await page.getByRole('treeitem', { name: /Only one/ }).click();
    await page
      .getByRole('region', { name: 'Properties' })
      .getByLabel('Title', { exact: true })
      .fill('Renamed');
    await source.getByText('"Renamed"').waitFor();
    await looked.close();
  });

  for (const theme of ['light', 'dark'] as const)
    it(`have nothing that axe, the policy or the console complain of, full (${theme})`, async () => {
      const port = await created({ ...PORT, name: `Port ${theme}` });
      const broken = await created({ ...BROKEN, name: `Broken ${theme}` });
      const looked = await look('/forms', theme);
      const { page } = looked;
      await seen(page, '2 errors');
      await page.getByLabel(`Pick Broken ${theme}`).check();
      await assertSound(looked, 'list');
      await press(page, 'Delete');
      await seen(page, /nothing brings/);
      await assertSound(looked, 'delete');
      for (const [path, text] of [
        [`/forms/${port}?field=%2Fproperties%2Fvlan`, 'VLAN'],
        [`/forms/${port}?tab=examples`, 'The form accepts it, as it should.'],
        [`/forms/${port}?tab=versions`, 'There is no former version'],
        [`/forms/${broken}?tab=check`, '"none" is required, but there is no such field.'],
      ] as const) {
        await page.goto(`${world.url}/ui${path}`);
        await seen(page, text);
        await assertSound(looked, path);
      }
      await looked.close();
    });

  it('delete what is picked, and import it again from the export', async () => {
    const id = await created({ ...PORT, name: 'Travelling' });
    const looked = await look('/forms?q=Travelling');
    const { page } = looked;
    await page.getByLabel('Pick Travelling').check();
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Export')]);
    assert.equal(file.suggestedFilename(), 'Travelling.json');
    await press(page, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await seen(page, '1 form deleted');
    assert.equal(await stored(id), null);
    await press(page, 'Import');
    await page.getByLabel('File').setInputFiles(await file.path());
    await press(page, 'Import 1 form');
    await seen(page, '1 form imported successfully');
    await assertSound(looked, 'report');
    assert.deepEqual((await stored('Travelling')).schema, PORT.schema);
    await looked.close();
  });

  it('convert YANG, show faults at their line, and make a form of the schema', async () => {
    const looked = await look('/yang');
    const { page } = looked;
    const drop = page.getByLabel('Drop YANG files here, or choose them');
    const fileOf = (text: string) => ({
      name: 'net.yang',
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
    await drop.setInputFiles(fileOf(YANG.replace('uint16', 'uint17')));
    await press(page, 'Convert');
    await press(page, /^net\.yang:2:/);
    await assertSound(looked, 'faults');
    await drop.setInputFiles(fileOf(YANG));
    await press(page, 'Convert');
    await seen(page, '1 of 2 nodes');
    await seen(page, 'must ". > 68" is not enforced by the schema');
    await assertSound(looked, 'schema');
    await page.getByLabel('Name of the form').fill('Box');
    await press(page, 'Make a form of it');
    await page.getByRole('treeitem', { name: /^box/ }).waitFor();
    assert.ok('net:box' in ((await stored('Box')).schema as typeof PORT.schema).properties);
    await looked.close();
  });
});
