import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { assertClean, openConsole, type WatchedConsole } from '../support/watched-console.js';

/** Writes a text in place of all that stands in an editor, as a person pastes it. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.press('ControlOrMeta+a');
  await editor.press('Delete');
  await editor.page().keyboard.insertText(text);
}

const THEMES = ['light', 'dark'] as const;

/** A server that stands for a release that still has the deprecated operations. */
const AT_OLD_RELEASE = (folder: string): void => {
  appendFileSync(join(folder, 'gatehouse.yaml'), "release: '2020.2'\n");
};

describe('profiles and deprecations in the console', function () {
  this.timeout(60_000);
  let site: WatchedConsole;

  before(async function () {
    site = await openConsole(this, AT_OLD_RELEASE);
  });
  after(async () => {
    await (site as WatchedConsole | undefined)?.close();
  });

  for (const theme of THEMES)
    it(`no profile, and nobody who calls old operations, ${theme}`, async () => {
      const looked = await site.look('/ui/profiles', { theme });
      const { page } = looked;
      await page.getByRole('heading', { name: 'No profiles' }).waitFor();
      await assertClean(looked);
      await page.goto(`${site.world.url}/ui/deprecations?tab=clients`);
      await page.getByRole('heading', { name: 'Nobody calls them' }).waitFor();
      await assertClean(looked);
      await looked.close();
    });

  it('a profile is made, mended after a refusal, activated with its effect told, and gone again', async () => {
    const { world, ask, look } = site;
    const looked = await look('/ui/profiles');
    const { page } = looked;
    await page.getByRole('button', { name: 'New profile' }).first().click();
    await page.getByLabel('Name').fill('night');
    await page.getByLabel('Description').fill('Only what works at night');
    await page.getByRole('button', { name: 'Create' }).click();
    const editor = page.getByRole('textbox', { name: 'Profile night' });
    await editor.waitFor();

    await write(editor, '{"id":"night","services":["other"],"egress":{"allow":["not an entry!"]}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('/properties/egress/allow/0').first().waitFor();
    await assertClean(looked);
    await write(editor, '{"id":"night","services":["other"],"log":{"level":"debug"}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Successfully updated night.').waitFor();

    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByText(/Activating it stops 1 adapter/).waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page
      .getByRole('dialog')
      .getByText(/Activating it stops 1 adapter/)
      .waitFor();
    await assertClean(looked);
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByText(/Successfully activated night/).waitFor();
    const { metadata } = (await ask('GET', '/profiles/night')) as { readonly metadata: object };
    assert.deepEqual(metadata, { isActive: true, activeSync: true });
    await page.getByRole('button', { name: 'Delete' }).waitFor({ state: 'detached' });

    await ask('POST', '/profiles', { properties: { id: 'day' } });
    await ask('PUT', '/profiles/day/active');
    await page.goto(`${world.url}/ui/profiles/night`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Profile night was deleted.').waitFor();
    const { total } = (await ask('GET', '/profiles')) as { readonly total: number };
    assert.equal(total, 1);
    await looked.close();
  });

  it('an imported profile with a secret is refused with its place', async () => {
    const looked = await site.look('/ui/profiles');
    const { page } = looked;
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'old.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"id":"old","redisProps":{"password":"$ENC00"}}'),
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByText('/properties/redisProps/password').first().waitFor();
    await assertClean(looked);
    await looked.close();
  });

  for (const theme of THEMES)
    it(`profiles side by side, and who calls old operations, ${theme}`, async () => {
      const { ask, look, world } = site;
      await ask('GET', '/config/profiles');
      if (theme === 'light') await ask('POST', '/profiles', { properties: { id: 'lab', services: ['x'] } });
      const looked = await look('/ui/profiles', { theme });
      const { page } = looked;
      await page.getByRole('link', { name: 'lab' }).waitFor();
      await assertClean(looked);
      await page.getByRole('link', { name: 'lab' }).click();
      await page.getByText(/^Lines: /).waitFor();
      await assertClean(looked);
      await page.goto(`${world.url}/ui/deprecations`);
      await page.getByText('still called').first().waitFor();
      assert.ok((await page.getByText('safe to remove').count()) > 20);
      await assertClean(looked);
      await looked.close();
    });

  it('a phone shows all of it without sideways scrolling', async () => {
    const looked = await site.look('/ui/profiles/lab', { width: 390 });
    const { page } = looked;
    await page.getByText(/^Lines: /).waitFor();
    await assertClean(looked);
    await page.goto(`${site.world.url}/ui/deprecations`);
    await page.getByText('still called').first().waitFor();
    await assertClean(looked);
    await looked.close();
  });
});
