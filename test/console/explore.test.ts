import assert from 'node:assert/strict';
import { assertClean, openConsole, type WatchedConsole } from '../support/watched-console.js';

const THEMES = ['light', 'dark'] as const;

describe('the REST tool, the API and the task inbox in the console', function () {
  this.timeout(60_000);
  let site: WatchedConsole;

  before(async function () {
    site = await openConsole(this);
  });
  after(async () => {
    await (site as WatchedConsole | undefined)?.close();
  });

  for (const theme of THEMES)
    it(`a call that the rules block, and one that they let through, ${theme}`, async () => {
      const looked = await site.look('/ui/rest', { theme });
      const { page } = looked;
      await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(/^Where should it go/).waitFor();
      await assertClean(looked);
      await page.getByLabel('URI').fill('http://169.254.169.254/latest');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('its address is metadata').waitFor();
      await assertClean(looked);
      await page.getByLabel('URI').fill(`${site.world.inventoryUrl}/devices/r1`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('"site": "berlin"').waitFor();
      await assertClean(looked);
      await looked.close();
    });

  it('a password goes to the target and is kept nowhere', async () => {
    const looked = await site.look('/ui/rest');
    const { page } = looked;
    await page.getByLabel('URI').fill(`${site.world.inventoryUrl}/devices/r1?token=t0p-query`);
    await page.getByRole('textbox', { name: 'Headers' }).fill('X-Api-Key: t0p-header');
    await page.getByLabel('User').fill('bob');
    await page.getByLabel('Password').fill('t0p-password');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Made before').waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify({ ...sessionStorage, ...localStorage, url: location.href })',
    );
    assert.ok(kept.includes('/devices/r1'));
    assert.ok(!kept.includes('t0p-'), kept);
    await page.reload();
    await page.getByRole('button', { name: /devices\/r1/ }).click();
    assert.equal(await page.getByLabel('Password').inputValue(), '');
    assert.match(await page.getByLabel('URI').inputValue(), /token=\*\*\*/);
    await looked.close();
  });

  for (const theme of THEMES)
    it(`an operation is found and tried, and a deletion asks first, ${theme}`, async () => {
      const { ask, look, world } = site;
      await ask('POST', '/profiles', { properties: { id: `of-${theme}` } });
      const looked = await look('/ui/api', { theme });
      const { page } = looked;
      await page.getByLabel('Search').fill('list the profiles');
      await page.getByText('1 operation', { exact: true }).waitFor();
      await assertClean(looked);
      await page.getByRole('link', { name: '/profiles' }).click();
      await page.getByRole('button', { name: 'Send GET' }).click();
      await page.getByLabel('Reply', { exact: true }).getByText(`"id": "of-${theme}"`).waitFor();
      await assertClean(looked);
      await page.goto(`${world.url}/ui/api/deleteProfile`);
      await page.getByLabel('id (path)').fill(`of-${theme}`);
      await page.getByRole('button', { name: 'Send DELETE' }).click();
      await page.getByRole('dialog').getByText('This is no rehearsal').waitFor();
      await assertClean(looked);
      await page.getByRole('dialog').getByRole('button', { name: 'Send DELETE' }).click();
      await page.getByText('Successfully deleted').waitFor();
      const { total } = (await ask('GET', '/profiles')) as { readonly total: number };
      assert.equal(total, 0);
      await looked.close();
    });

  it('an operation with a body begins with what is required', async () => {
    const looked = await site.look('/ui/api/createProfile', { width: 390 });
    const { page } = looked;
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.waitFor();
    await assertClean(looked);
    await body.fill('{"properties": {"id": 7}}');
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.getByText('"invalid_request"').waitFor();
    await looked.close();
  });

  for (const theme of THEMES)
    it(`tasks that wait, and none, ${theme}`, async () => {
      const { ask, look, world } = site;
      await ask('POST', '/json-forms/task/RenderJsonSchema', {
        title: `VLAN in ${theme}`,
        jsonSchema: { type: 'object' },
        formData: {},
      });
      const looked = await look('/ui/tasks', { theme });
      const { page } = looked;
      const task = page.getByRole('link', { name: `VLAN in ${theme}` });
      await task.waitFor();
      assert.match(
        (await task.getAttribute('href')) ?? '',
        /^\/json-forms\/task\/RenderJsonSchema\?task=[0-9a-f]{24}$/,
      );
      await assertClean(looked);
      await page.goto(`${world.url}/ui/tasks?status=rejected`);
      await page.getByRole('button', { name: 'Show all tasks' }).waitFor();
      await assertClean(looked);
      await page.getByRole('button', { name: 'Show all tasks' }).click();
      await task.waitFor();
      await looked.close();
    });

  it('a phone shows all of it without sideways scrolling', async () => {
    const looked = await site.look('/ui/tasks', { width: 390 });
    await looked.page.getByRole('link', { name: /VLAN/ }).first().waitFor();
    await assertClean(looked);
    for (const path of ['/ui/rest', '/ui/api']) {
      await looked.page.goto(site.world.url + path);
      await looked.page
        .getByText(/Nothing was sent yet|operations$/)
        .first()
        .waitFor();
      await assertClean(looked);
    }
    await looked.close();
  });
});
