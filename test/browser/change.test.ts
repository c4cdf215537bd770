import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import {
  arrived,
  assertFits,
  assertPartClean,
  button,
  dialogOf,
  focused,
  press,
  seen,
} from '../support/page-text.js';
import { consoleFor } from '../support/console-errors.js';

/** Replaces the content of an editor, as a person pastes text. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await focused(editor);
  await editor.press('ControlOrMeta+a');
  await editor.press('Delete');
  await editor.page().keyboard.insertText(text);
}

/** Configures a release that still has the deprecated operations. */
const AT_OLD_RELEASE = (folder: string): void => {
  appendFileSync(join(folder, 'gatehouse.yaml'), "release: '2020.2'\n");
};

describeWith([BROWSER, BUILT_PAGES], 'the profiles and deprecations pages', function () {
  const { look, ask } = consoleFor(this, { arrange: AT_OLD_RELEASE });

  it('are accessible without profiles and callers, light and dark', async () => {
    const looked = await look('/ui/profiles');
    const { page, go } = looked;
    await page.getByRole('heading', { name: 'No profiles' }).waitFor();
    await assertFits(looked);
    await go('/ui/deprecations?tab=clients');
    await page.getByRole('heading', { name: 'No callers' }).waitFor();
    await assertPartClean(looked, page.getByRole('main'));
  });

  it('create a profile, show its errors, preview and perform its activation, and delete it', async () => {
    const looked = await look('/ui/profiles');
    const { page, go } = looked;
    await button(page, 'New profile').first().click();
    await page.getByLabel('Name', { exact: false }).first().fill('night');
    await press(page, 'Create');
    await arrived(page, 'night');
    await page.getByRole('tab', { name: 'Edit' }).click();
    await press(page, 'JSON');
    const editor = page.getByRole('textbox', { name: 'Profile night' });
    await editor.waitFor();

    await write(editor, '{"id":"night","services":["other"],"egress":{"allow":["not an entry!"]}}');
    await press(page, 'Save');
    await press(await dialogOf(page), 'Save');
    await seen(page, '/egress/allow/0');
    await assertFits(looked);
    await write(editor, '{"id":"night","services":["other"],"log":{"level":"debug"}}');
    await press(page, 'Save');
    const saving = await dialogOf(page);
    await saving.getByLabel('Reason').fill('night shift');
    await assertFits(looked);
    await press(saving, 'Save');
    await seen(page, 'Profile night was saved.');

    await page.getByRole('tab', { name: 'Compare' }).click();
    await seen(page, /1 adapter stops/);
    await press(page, 'Activate');
    const activation = await dialogOf(page);
    await seen(activation, /1 adapter stops/);
    await assertFits(looked);
    await press(activation, 'Activate');
    await seen(page, 'Profile night is active.');
    const { metadata } = (await ask('GET', '/profiles/night')) as { readonly metadata: object };
    assert.deepEqual(metadata, { isActive: true, activeSync: true });
    await button(page, 'Delete').waitFor({ state: 'detached' });

    await ask('POST', '/profiles', { properties: { id: 'day' } });
    await ask('PUT', '/profiles/day/active');
    await go('/ui/profiles/night');
    await press(page, 'Delete');
    await press(await dialogOf(page), 'Delete');
    await seen(page, 'Profile night was deleted.');
    const { total } = (await ask('GET', '/profiles')) as { readonly total: number };
    assert.equal(total, 1);
  });

  it('refuse to import a profile with a secret, and show its location', async () => {
    const looked = await look('/ui/profiles');
    const { page } = looked;
    await press(page, 'Import');
    const dialog = await dialogOf(page);
    await dialog.getByLabel('File', { exact: true }).setInputFiles({
      name: 'old.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"id":"old","redisProps":{"password":"$ENC00"}}'),
    });
    await press(dialog, 'Import');
    await seen(dialog, '/properties/redisProps/password');
    await assertFits(looked);
  });

  it('are accessible with compared profiles and called operations, light and dark', async () => {
    await ask('GET', '/config/profiles');
    await ask('POST', '/profiles', { properties: { id: 'lab', services: ['x'] } });
    const looked = await look('/ui/profiles');
    const { page, go } = looked;
    await page.getByRole('link', { name: 'lab' }).waitFor();
    await assertFits(looked);
    await page.getByRole('link', { name: 'lab' }).click();
    await seen(page, /^Lines: /);
    await assertFits(looked);
    await go('/ui/deprecations');
    await seen(page, 'Still called');
    await page.getByText('Safe to remove').nth(20).waitFor();
    await assertPartClean(looked, page.getByRole('main'));
  });

  it('fit a phone without horizontal scrolling', async () => {
    const looked = await look('/ui/profiles/lab', { width: 390 });
    await seen(looked.page, /^Lines: /);
    await assertFits(looked);
    await looked.go('/ui/deprecations');
    await seen(looked.page, 'Still called');
    await assertFits(looked);
  });
});
