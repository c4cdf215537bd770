import assert from 'node:assert/strict';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { assertClean, assertCleanInBothThemes, button, dialogOf, press, seen } from '../support/page-text.js';
import { eventually } from '../support/until.js';
import { consoleFor } from '../support/console-errors.js';

describeWith([BROWSER, BUILT_PAGES], 'the REST tool, the API explorer and the task inbox', function () {
  const site = consoleFor(this);
  const { ask, look } = site;

  it('show a blocked and an allowed request, light and dark', async () => {
    const looked = await look('/ui/rest');
    const { page } = looked;
    await page.getByRole('heading', { name: 'No request sent' }).waitFor();
    await press(page, 'Send');
    await seen(page, /^Enter an absolute http/);
    await assertCleanInBothThemes(looked);
    await page.locator('input[type=url]').fill('http://169.254.169.254/latest');
    await press(page, 'Send');
    await seen(page, /its address is metadata/);
    await assertCleanInBothThemes(looked);
    await page.locator('input[type=url]').fill(`${site.testServer.inventoryUrl}/devices/r1`);
    await press(page, 'Send');
    await seen(page, /"site": "berlin"/);
    await assertCleanInBothThemes(looked);
  });

  it('store no password, header or query secret in the browser', async () => {
    const looked = await look('/ui/rest');
    const { page } = looked;
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
    const looked = await look('/ui/api');
    const { page, go } = looked;
    await page.getByLabel('Search').fill('list the profiles getProfiles');
    await seen(page, '1 operation');
    await assertCleanInBothThemes(looked);
    await page.getByRole('link', { name: '/profiles' }).click();
    await press(page, 'Send GET');
    await page.getByLabel('Response', { exact: true }).getByText('"id": "called"').waitFor();
    await assertCleanInBothThemes(looked);
    await go('/ui/api/deleteProfile');
    await page.getByLabel('id (path)').fill('called');
    await press(page, 'Send DELETE');
    const dialog = await dialogOf(page);
    await seen(dialog, /This cannot be undone/);
    await assertCleanInBothThemes(looked);
    await press(dialog, 'Send DELETE');
    await seen(page, /Successfully deleted/);
    const { total } = (await ask('GET', '/profiles')) as { readonly total: number };
    assert.equal(total, 0);
  });

  it('send the JSON body of an operation and show the error of the server', async () => {
    const looked = await look('/ui/api/createProfile', { width: 390 });
    const { page } = looked;
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.waitFor();
    await assertClean(looked);
    await body.fill('{"properties": {"id": 7}}');
    await press(page, 'Send POST');
    await seen(page, /"invalid_request"/);
  });

  it('list open tasks and an empty result, light and dark', async () => {
    await ask('POST', '/json-forms/task/RenderJsonSchema', {
      title: 'VLAN in Berlin',
      jsonSchema: { type: 'object' },
      formData: {},
    });
    const looked = await look('/ui/tasks');
    const { page } = looked;
    const task = page.getByRole('link', { name: 'VLAN in Berlin' });
    await task.waitFor();
    assert.match(
      (await task.getAttribute('href')) ?? '',
      /^\/json-forms\/task\/RenderJsonSchema\?task=[0-9a-f]{24}$/,
    );
    await assertCleanInBothThemes(looked);
    await looked.go('/ui/tasks?status=rejected');
    await button(page, 'Show all tasks').waitFor();
    await assertCleanInBothThemes(looked);
    await press(page, 'Show all tasks');
    await task.waitFor();
  });

  it('fit a phone without horizontal scrolling', async () => {
    const looked = await look('/ui/tasks', { width: 390 });
    await looked.page.getByRole('link', { name: /VLAN/ }).first().waitFor();
    await assertClean(looked);
    for (const path of ['/ui/rest', '/ui/api']) {
      await looked.go(path);
      await seen(looked.page, /No request sent|operations$/);
      await assertClean(looked);
    }
  });
});
