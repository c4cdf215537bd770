import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFor, describePages } from '../support/console-errors.js';
import {
  arrived,
  assertFits,
  assertPartClean,
  button,
  dialogOf,
  pasteInto,
  press,
  seen,
} from '../support/page-text.js';

/** Configures a release that still has the deprecated operations. */
const AT_OLD_RELEASE = (folder: string): void => {
  appendFileSync(join(folder, 'gatehouse.yaml'), "release: '2020.2'\n");
};

describePages('the profiles and deprecations pages', function () {
  const { look, ask } = consoleFor(this, { arrange: AT_OLD_RELEASE });

  it('create a profile, show its errors, preview and perform its activation, and delete it', async () => {
    const { page, go } = await look('/ui/profiles');
    await button(page, 'New profile').first().click();
    await page.getByLabel('Name', { exact: false }).first().fill('night');
    await press(page, 'Create');
    await arrived(page, 'night');
    await page.getByRole('tab', { name: 'Edit' }).click();
    await press(page, 'JSON');
    const editor = page.getByRole('textbox', { name: 'Profile night' });
    await editor.waitFor();

    await pasteInto(editor, '{"id":"night","services":["other"],"egress":{"allow":["not an entry!"]}}');
    await press(page, 'Save');
    await press(await dialogOf(page), 'Save');
    await seen(page, '/egress/allow/0');
    await assertFits(page);
    await pasteInto(editor, '{"id":"night","services":["other"],"log":{"level":"debug"}}');
    await press(page, 'Save');
    const saving = await dialogOf(page);
    await saving.getByLabel('Reason').fill('night shift');
    await assertFits(page);
    await press(saving, 'Save');
    await seen(page, 'Profile night was saved.');

    await page.getByRole('tab', { name: 'Compare' }).click();
    await seen(page, /1 adapter stops/);
    await press(page, 'Activate');
    const activation = await dialogOf(page);
    await seen(activation, /1 adapter stops/);
    await assertFits(page);
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
    const { page } = await look('/ui/profiles');
    await press(page, 'Import');
    const dialog = await dialogOf(page);
    await dialog.getByLabel('File', { exact: true }).setInputFiles({
      name: 'old.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"id":"old","redisProps":{"password":"$ENC00"}}'),
    });
    await press(dialog, 'Import');
    await seen(dialog, '/properties/redisProps/password');
    await assertFits(page);
  });

  it('are accessible with compared profiles and called operations, light and dark', async () => {
    await ask('GET', '/config/profiles');
    await ask('POST', '/profiles', { properties: { id: 'lab', services: ['x'] } });
    const { page, go } = await look('/ui/profiles');
    await page.getByRole('link', { name: 'lab' }).waitFor();
    await assertFits(page);
    await page.getByRole('link', { name: 'lab' }).click();
    await seen(page, /^Lines: /);
    await assertFits(page);
    await go('/ui/deprecations');
    await seen(page, 'Still called');
    await page.getByText('Safe to remove').nth(20).waitFor();
    await assertPartClean(page.getByRole('main'));
  });
});
