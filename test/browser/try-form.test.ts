import assert from 'node:assert/strict';
import { assertClean, assertCleanInBothThemes, consoleFor } from '../support/console-errors.js';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';

describeWith([BROWSER, BUILT_PAGES], 'the body form of the API explorer', function () {
  const site = consoleFor(this);

  it('is generated from the schema and stays in sync with the JSON text, light and dark', async () => {
    const looked = await site.look('/ui/api/createProfile');
    const { page } = looked;
    const show = (way: 'Form' | 'JSON') =>
      page.getByLabel('Body view').getByRole('button', { name: way, exact: true }).click();
    const body = page.getByRole('textbox', { name: 'Body' });
    const write = async (text: string) => {
      await body.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
    };
    await page.getByRole('rowheader', { name: /^id\b/ }).click();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'id', exact: true }).fill('by-form');
    await page.keyboard.press('Enter');
    await page.getByText('1 change', { exact: true }).first().waitFor();
    await assertCleanInBothThemes(looked);
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
    await write('{"properties": {"id": "by-form"}}');
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.getByText('Successfully created by-form.').waitFor();
    await assertCleanInBothThemes(looked);
  });

  it('fits a phone with parameters, and does not send the request on Enter in a field', async () => {
    const looked = await site.look('/ui/api/restQuery', { width: 390 });
    const { page } = looked;
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postData() ?? '');
    });
    await page.getByLabel('adapterId (path)').fill('core1');
    await page.getByRole('toolbar').getByRole('button', { name: 'Form', exact: true }).click();
    await page.getByRole('textbox', { name: /^accept/ }).fill('application/yang-data+json');
    await page.keyboard.press('Enter');
    await page.getByText('1 change', { exact: true }).first().waitFor();
    await assertClean(looked);
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.getByLabel('Response', { exact: true }).getByText('"ietf-interfaces:interfaces"').waitFor();
    assert.deepEqual(
      sent.map((text) => (JSON.parse(text) as { params: unknown }).params),
      [{ path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' }],
    );
  });
});
