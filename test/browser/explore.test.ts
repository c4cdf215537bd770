import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { consoleFor, describePages } from '../support/console-errors.js';
import { openSilentServer } from '../support/odd-orchestrators.js';
import {
  assertFits,
  assertPartClean,
  button,
  dialogOf,
  pasteInto,
  press,
  seen,
} from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { eventually, until } from '../support/until.js';
import { yang11 } from '../support/yang.js';

const SITE = yang11(
  'site-model',
  `import ietf-inet-types { prefix inet; }
   container site { leaf address { type inet:ip-address; must ". != '0.0.0.0'"; } leaf mtu { type uint16; when "../address"; } }`,
);
const DEVICE = yang11('device-model', 'container device { leaf hostname { type string; } }');

describePages('the REST tool, the API explorer, the task inbox and the YANG page', function () {
  const site = consoleFor(this);
  const { ask, look } = site;

  it('show a blocked and an allowed request, light and dark', async () => {
    const { page } = await look('/ui/rest');
    await page.getByRole('heading', { name: 'No request sent' }).waitFor();
    await press(page, 'Send');
    await seen(page, /^Enter an absolute http/);
    await assertFits(page);
    await page.locator('input[type=url]').fill('http://169.254.169.254/latest');
    await press(page, 'Send');
    await seen(page, /its address is metadata/);
    await assertPartClean(page.getByRole('main'));
    await page.locator('input[type=url]').fill(`${site.testServer.inventoryUrl}/devices/r1`);
    await press(page, 'Send');
    await seen(page, /"site": "berlin"/);
    await assertFits(page);
  });

  it('store no password, header or query secret in the browser', async () => {
    const { page } = await look('/ui/rest');
    await page.locator('input[type=url]').fill(`${site.testServer.inventoryUrl}/devices/r1?token=t0p-query`);
    await page.getByRole('textbox', { name: 'Headers' }).fill('X-Api-Key: t0p-header');
    await page.getByLabel('User').fill('bob');
    await page.getByLabel('Password').fill('t0p-password');
    await press(page, 'Send');
    await page.getByRole('heading', { name: 'History' }).waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify({ ...sessionStorage, ...localStorage, url: location.href })',
    );
    assert.ok(kept.includes('/devices/r1'));
    assert.ok(!kept.includes('t0p-'), kept);
    await page.reload();
    await page.getByRole('button', { name: /devices\/r1/ }).click();
    await eventually(async () => {
      assert.match(await page.locator('input[type=url]').inputValue(), /token=\*\*\*/);
    });
    assert.equal(await page.getByLabel('Password').inputValue(), '');
  });

  it('find and call an operation, and confirm a deletion, light and dark', async () => {
    await ask('POST', '/profiles', { properties: { id: 'called' } });
    const { page, go } = await look('/ui/api');
    await page.getByLabel('Search').fill('list the profiles getProfiles');
    await seen(page, '1 operation');
    await assertFits(page);
    await page.getByRole('link', { name: '/profiles' }).click();
    await press(page, 'Send GET');
    await page.getByLabel('Response', { exact: true }).getByText('"id": "called"').waitFor();
    await assertPartClean(page.getByRole('main'));
    await go('/ui/api/deleteProfile');
    await page.getByLabel('id (path)').fill('called');
    await press(page, 'Send DELETE');
    const dialog = await dialogOf(page);
    await seen(dialog, /This cannot be undone/);
    await assertPartClean(dialog);
    await press(dialog, 'Send DELETE');
    await seen(page, /Successfully deleted/);
    const { total } = (await ask('GET', '/profiles')) as { readonly total: number };
    assert.equal(total, 0);
  });

  it('lead from an empty list of tasks to the operation that opens one', async () => {
    const { page } = await site.look('/ui/tasks');
    await assertFits(page, 'without tasks');
    await page.getByRole('link', { name: 'open a task with it', exact: true }).click();
    await page.waitForURL(/\/ui\/api\/showJsonForm$/);
    await seen(page, /Open a task that shows a JSON form/);
  });

  it('cancel a request to a target that never answers, and suggest its URI', async () => {
    const silent = await openSilentServer();
    const target = `127.0.0.1:${silent.port}`;
    const uri = `http://${target}/devices`;
    try {
      await ask('POST', '/profiles', { properties: { id: 'lab', egress: { allow: [target] } } });
      await ask('PUT', '/profiles/lab/active');
      const { page } = await look('/ui/rest', { width: 390, height: 844 });
      await page.locator('input[type=url]').fill(uri);
      await page.locator('input[type=url]').press('Enter');
      await until(() => silent.connections() > 0);
      await press(page, 'Cancel');
      await seen(page, /^Canceled after /);
      await until(() => silent.connections() === 0);
      const suggestions = page.locator('datalist option');
      await suggestions.first().waitFor({ state: 'attached' });
      assert.equal(await suggestions.count(), 1);
      assert.equal(await suggestions.first().getAttribute('value'), uri);
      await assertFits(page);
    } finally {
      await silent.close();
    }
  });

  it('generate the form of a body from the schema, in sync with its JSON text', async () => {
    const { page } = await site.look('/ui/api/createProfile');
    const show = (way: 'Form' | 'JSON') =>
      page.getByLabel('Body view').getByRole('button', { name: way, exact: true }).click();
    const body = page.getByRole('textbox', { name: 'Body' });
    const write = (text: string) => pasteInto(body, text);
    await page.getByRole('rowheader', { name: /^id\b/ }).click();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'id', exact: true }).fill('by-form');
    await page.keyboard.press('Enter');
    await page.getByText('1 change', { exact: true }).first().waitFor();
    await assertPartClean(page.getByRole('main'));
    await show('JSON');
    await body.filter({ hasText: '"id": "by-form"' }).waitFor();
    await write('{"properties": {"id": "x", "odd": 18446744073709551615}}');
    await show('Form');
    await page.getByRole('row', { name: /odd.*18446744073709551615/ }).waitFor();
    await show('JSON');
    await body.filter({ hasText: '{"properties": {"id": "x", "odd": 18446744073709551615}}' }).waitFor();
    await write('[1]');
    await show('Form');
    await page.getByText('There is no form for this body').waitFor();
    await write('{"properties": {"id": 7}}');
    await press(page, 'Send POST');
    await seen(page, /"invalid_request"/);
    await write('{"properties": {"id": "by-form"}}');
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.getByText('Successfully created by-form.').waitFor();
    await assertFits(page);
  });

  it('fit a phone with the form of a body, and do not send the request on Enter in a field', async () => {
    const { page } = await site.look('/ui/api/restQuery', { width: 390 });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postData() ?? '');
    });
    await page.getByLabel('adapterId (path)').fill('core1');
    await page.getByRole('toolbar').getByRole('button', { name: 'Form', exact: true }).click();
    await page.getByRole('textbox', { name: /^accept/ }).fill('application/yang-data+json');
    await page.keyboard.press('Enter');
    await page.getByText('1 change', { exact: true }).first().waitFor();
    await assertFits(page);
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.getByLabel('Response', { exact: true }).getByText('"ietf-interfaces:interfaces"').waitFor();
    assert.deepEqual(
      sent.map((text) => (JSON.parse(text) as { params: unknown }).params),
      [{ path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' }],
    );
  });

  async function addTexts(page: Page): Promise<void> {
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
    await page
      .locator('input[type=file]')
      .setInputFiles([file('site-model.yang', SITE), file('device-model.yang', DEVICE)]);
    await seen(page, 'device-model.yang');
  }

  it('converts all modules to one document, and shows the modules of gatehouse and the numbers of warnings', async () => {
    const { page } = await site.look('/ui/yang');
    await addTexts(page);
    await page.getByLabel('Document').selectOption('One document with the data of all modules');
    await clickMiddle(page, button(page, 'Convert'));
    await seen(page, 'Schema of datastore');
    await seen(page, /^Included with gatehouse:/);
    await seen(page, 'ietf-inet-types');
    await button(page, '1 must').waitFor();
    await button(page, '1 when').waitFor();
    await assertPartClean(page.getByRole('main'));
  });

  it('converts for a form library, whose schema is no form of gatehouse', async () => {
    const { page } = await site.look('/ui/yang', { width: 390, height: 844 });
    await addTexts(page);
    await page.getByLabel('Form library').selectOption('JSON Forms');
    await clickMiddle(page, button(page, 'Convert'));
    await seen(page, /^The schema is for JSON Forms\./);
    await seen(page, 'Download UI schema');
    await assertFits(page);
    await page.getByLabel('Form library').selectOption('Validators and forms of gatehouse');
    await clickMiddle(page, button(page, 'Convert'));
    await button(page, 'Create form').waitFor();
  });
});
