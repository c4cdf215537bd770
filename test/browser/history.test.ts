import assert from 'node:assert/strict';
import { toLocalTime } from '../../console/src/kit/local-time.js';
import { consoleFor, describePages, registerAdapter } from '../support/console-errors.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import {
  answered,
  arrived,
  assertFits,
  button,
  choose,
  dialogGone,
  dialogOf,
  press,
  seen,
} from '../support/page-text.js';
import { clickMiddle, countedMouse, tapMiddle } from '../support/pointer.js';
import { eventually } from '../support/until.js';

/** Name of an adapter as operators choose it. */
const NSO = 'nso1.example.com';
const VERSIONS = 36;

describePages('the history of adapters and profiles', function () {
  const site = consoleFor(this, {
    fill: async ({ ask }) => {
      await registerAdapter(ask, NSO, { model: 'restconf', settings: settingsOf(1) });
      for (let count = 2; count <= VERSIONS; count += 1)
        await ask('PUT', `/adapters/${NSO}`, {
          properties: { properties: { properties: settingsOf(count) } },
          comment: `port ${count}`,
        });
      await ask('POST', '/profiles', { properties: { id: 'night.v1', description: 'At night' } });
      await ask('PUT', '/profiles/night.v1', {
        properties: { description: 'At night, core only' },
        comment: 'less at night',
      });
    },
  });

  it('lists 36 versions with author and reason, and rolls back, in 4 clicks', async () => {
    const { page } = await site.look('/ui/');
    await arrived(page, 'Overview');
    const { click, clicks } = countedMouse(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nso1');
    await page.getByRole('option', { name: NSO, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await arrived(page, NSO);
    await click(page.getByRole('tab', { name: 'History' }));
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('button');
    await versions.nth(VERSIONS - 1).waitFor();
    assert.equal(await versions.count(), VERSIONS);
    await seen(page, 'port 36');
    await click(versions.nth(2));
    await assertFits(page);
    await click(button(page, /^Roll back to version/));
    const dialog = await dialogOf(page);
    await seen(dialog, /127\.0\.0\.1:34/);
    await click(button(dialog, /^Roll back to version/));
    await dialogGone(page);
    await seen(page, /^Rolled back to version \d+$/);
    assert.equal(await baseUrl(), 'http://127.0.0.1:34');
    assert.equal(clicks(), 4);
  });

  it('shows a change that goes back by itself, on the overview and on the page of the adapter, and confirms one', async () => {
    const before = await baseUrl();
    await site.ask('PUT', `/adapters/${NSO}`, {
      properties: { properties: { properties: settingsOf(99) } },
      confirmWithin: 5,
      comment: 'a wrong port',
    });
    const { page, go } = await site.look('/ui/');
    await seen(page, /^(?:\w+:)?\s*Goes back in .* unless confirmed$/);
    await seen(page, 'a wrong port');
    await go(`/ui/adapters/${NSO}`);
    await press(page, 'Go back now');
    await seen(page, `${NSO} is as it was before the change.`);
    assert.equal(await baseUrl(), before);
    await site.ask('PUT', `/adapters/${NSO}`, {
      properties: { properties: { properties: settingsOf(77) } },
      confirmWithin: 5,
    });
    await press(page, 'Confirm the change');
    await seen(page, `The change of ${NSO} is permanent.`);
    assert.equal(await baseUrl(), 'http://127.0.0.1:77');
  });

  it('pauses an adapter with an end in 4 clicks, with a reason, and shows both', async () => {
    const { page } = await site.look('/ui/adapters/core1');
    const { click, clicks } = countedMouse(page);
    await click(button(page, 'Actions for core1'));
    await click(page.getByRole('menuitem', { name: 'Pause (queue calls)' }));
    const dialog = await dialogOf(page);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('maintenance of the core');
    await click(dialog.getByLabel('Until', { exact: true }));
    await page.keyboard.type('30 m');
    await page.keyboard.press('Enter');
    const reply = await answered(page, 'PUT /adapters/core1/suspend', () => click(button(dialog, 'Pause')));
    assert.equal(clicks(), 4);
    assert.deepEqual(reply.request().postDataJSON(), {
      mode: 'pause',
      comment: 'maintenance of the core',
      seconds: 1800,
    });
    await dialogGone(page);
    await seen(page, /maintenance of the core/);
    await site.ask('PUT', '/adapters/core1/start');
  });

  it('pauses an adapter from a time on, shows it as scheduled, and cancels it (N25)', async () => {
    const name = 'nso7.example.com';
    await registerAdapter(site.ask, name, { model: 'http-rest', settings: settingsOf(4711) });
    const { page, go } = await site.look(`/ui/adapters/${name}`, { width: 1280, height: 900 });
    await choose(page, `Actions for ${name}`, 'Pause (queue calls)');
    const dialog = await dialogOf(page);
    await dialog.getByRole('combobox', { name: 'From' }).selectOption({ label: 'From a time …' });
    const start = dialog.getByLabel('Start', { exact: true });
    const pause = dialog.getByRole('button', { name: 'Pause', exact: true });
    await start.fill('2020-01-02T03:04:05');
    await seen(dialog, 'Choose a time in the future.');
    assert.equal(await pause.isDisabled(), true);
    const tomorrow = new Date(Date.now() + 86_400_000);
    tomorrow.setMilliseconds(0);
    await start.fill(toLocalTime(tomorrow.toISOString()));
    await dialog.getByRole('combobox', { name: 'Until' }).selectOption({ label: '4 hours' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('window 4711');
    const reply = await answered(page, `PUT /adapters/${name}/suspend`, () => clickMiddle(page, pause));
    assert.deepEqual(reply.request().postDataJSON(), {
      ...{ mode: 'pause', comment: 'window 4711', starts: tomorrow.toISOString(), seconds: 14_400 },
    });
    await dialogGone(page);
    const notice = page.getByText(/^(?:\w+:)?\s*Pause scheduled by ada for .* until .*: window 4711$/);
    await notice.waitFor();
    await assertFits(page);
    await go('/ui/adapters');
    await seen(page.getByRole('row', { name: new RegExp(name) }), /Pause scheduled by ada for/);
    const { page: phone } = await site.look(`/ui/adapters/${name}`, { width: 390, height: 844 });
    await tapMiddle(phone, phone.getByRole('button', { name: 'Cancel schedule', exact: true }));
    const confirm = await dialogOf(phone);
    await tapMiddle(phone, confirm.getByRole('button', { name: 'Cancel schedule', exact: true }));
    await dialogGone(phone);
    await phone.getByText(/Pause scheduled by/).waitFor({ state: 'detached' });
  });

  it('creates a deleted adapter again from one of its versions', async () => {
    await registerAdapter(site.ask, 'edge.old', { model: 'restconf', settings: settingsOf(5) });
    await site.ask('DELETE', '/adapters/edge.old?comment=replaced');
    const { page } = await site.look('/ui/adapters');
    await arrived(page, 'Adapters');
    await press(page, 'Deleted adapters');
    const dialog = await dialogOf(page);
    await seen(dialog, 'replaced');
    await dialog.getByRole('link', { name: 'edge.old' }).click();
    await arrived(page, 'edge.old');
    await seen(page, /The adapter edge\.old was deleted/);
    await press(page.getByRole('list', { name: 'Versions' }), /Created/);
    await press(page, /^Restore version/);
    await press(await dialogOf(page), /^Restore version/);
    await page.getByRole('tab', { name: 'Configuration' }).waitFor();
    await site.ask('GET', '/adapters/edge.old');
  });

  it('rolls back a profile, and shows what changes before; an only version has no rollback', async () => {
    const { page, go } = await site.look('/ui/profiles/night.v1?tab=history');
    await seen(page, 'less at night');
    await press(page.getByRole('list', { name: 'Versions' }), /Created/);
    await press(page, /^Roll back to version/);
    const dialog = await dialogOf(page);
    await seen(dialog, /At night, core only/);
    await press(dialog, /^Roll back to version/);
    await dialogGone(page);
    await seen(page, /At night$/);
    await site.ask('POST', '/profiles', { properties: { id: 'single.v1' } });
    await go('/ui/profiles/single.v1?tab=history');
    await seen(page, 'This is the only version. It contains:');
    const document = await page.getByRole('group', { name: /^Version / }).innerText();
    assert.deepEqual(JSON.parse(document), { id: 'single.v1' });
    assert.equal(await page.getByRole('button', { name: /^Roll back/ }).count(), 0);
    await assertFits(page);
  });

  it('offers no rollback to a version that is equal to the current one', async () => {
    await site.ask('POST', '/profiles', { properties: { id: 'same.v1', description: 'first' } });
    for (const description of ['second', 'first'])
      await site.ask('PUT', '/profiles/same.v1', { properties: { description } });
    const { page } = await site.look('/ui/profiles/same.v1?tab=history');
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('button');
    await seen(page, 'This version is in effect.');
    await clickMiddle(page, versions.nth(2));
    await seen(page, /^Version \d+ · Created · by ada, [A-Z][a-z]{2} \d+, 20\d\d, .*\d:\d\d:\d\d.* \(.+\)$/);
    await seen(page, 'Same as the current version');
    assert.equal(await page.getByRole('button', { name: /^Roll back/ }).count(), 0);
    await versions.nth(1).click();
    await page.getByRole('button', { name: /^Roll back/ }).waitFor();
  });

  it('does not activate or delete a profile with a reason that is too long', async () => {
    await site.ask('POST', '/profiles', { properties: { id: 'long.v1' } });
    const { page } = await site.look('/ui/profiles/long.v1');
    for (const verb of ['Activate', 'Delete']) {
      await press(page, verb);
      const dialog = await dialogOf(page);
      const send = dialog.getByRole('button', { name: verb, exact: true });
      await dialog.getByLabel('Reason').fill('x'.repeat(500));
      assert.equal(await send.isDisabled(), false, verb);
      await dialog.getByLabel('Reason').fill('x'.repeat(501));
      await seen(dialog, /at most 500 characters/);
      assert.equal(await send.isDisabled(), true, verb);
      await page.keyboard.press('Escape');
      await dialogGone(page);
    }
  });

  async function baseUrl(): Promise<unknown> {
    const { data } = (await site.ask('GET', `/adapters/${NSO}`)) as {
      readonly data: { readonly properties: { readonly properties: { readonly baseUrl: string } } };
    };
    return data.properties.properties.baseUrl;
  }
});

describePages('a change that nobody confirms', function () {
  const clock = createFakeScheduler(Date.now());
  const site = consoleFor(this, {
    clock,
    fill: async ({ ask }) => {
      await registerAdapter(ask, NSO, { model: 'restconf', settings: settingsOf(1) });
    },
  });

  it('goes back when its time has passed, and the open page shows the settings before', async () => {
    const { page } = await site.look(`/ui/adapters/${NSO}?tab=configuration`);
    await seen(page, /127\.0\.0\.1:1"/);
    await site.ask('PUT', `/adapters/${NSO}`, {
      properties: { properties: { properties: settingsOf(99) } },
      confirmWithin: 30,
      comment: 'a wrong port',
    });
    // The server reports the change to the page by its clock.
    await eventually(async () => {
      await clock.pass(500);
      assert.equal(await page.getByText(/Goes back in/).count(), 1);
    });
    await clock.pass(1_800_000);
    await eventually(async () => {
      await clock.pass(1_000);
      assert.equal(await page.getByText(/Goes back in/).count(), 0);
    });
    await seen(page, /127\.0\.0\.1:1"/);
    await page.getByRole('tab', { name: 'History' }).click();
    await seen(page, 'Went back');
  });
});

function settingsOf(port: number): object {
  return { baseUrl: `http://127.0.0.1:${port}`, auth: { type: 'none' } };
}
