import assert from 'node:assert/strict';
import { consoleFor, describePages, registerAdapter } from '../support/console-errors.js';
import { openSilentServer } from '../support/odd-orchestrators.js';
import { assertFits, assertPartClean, button, press, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { SECRET } from '../support/test-server.js';
import { until } from '../support/until.js';

const AUTH = { type: 'basic', username: 'gatehouse', password: `$VAULT_${SECRET.path}#${SECRET.field}` };

describePages('the page of an adapter', function () {
  const site = consoleFor(this, {
    fill: async ({ ask }) => {
      await registerAdapter(ask, 'nso1.example.com', { model: 'restconf', settings: { auth: AUTH } });
    },
  });

  it('shows five steps of the connection test with their times for an orchestrator that answers', async () => {
    const { page } = await site.look('/ui/adapters/core1?tab=configuration');
    await clickMiddle(page, button(page, 'Test connection'));
    await seen(page, 'All steps passed.');
    const steps = page.getByRole('list', { name: /^https:/ }).getByRole('listitem');
    assert.equal(await steps.count(), 5);
    await seen(page, /Certificate: CN=/);
    await page.getByRole('button', { name: 'Test again' }).waitFor();
    await assertPartClean(page.getByRole('main'));
  });

  it('names the step of the connection test that failed and what to do, on a phone and with the keyboard', async () => {
    const { page } = await site.look('/ui/adapters/nso1.example.com?tab=configuration', {
      width: 390,
      height: 844,
    });
    await page.getByRole('button', { name: 'Test connection' }).focus();
    await page.keyboard.press('Enter');
    await seen(page, 'The connection failed at the step TCP.');
    await seen(page, 'The target refuses connections on this port.');
    await assertFits(page);
  });

  it('cancels the connection test of an orchestrator that accepts connections and never answers', async () => {
    const silent = await openSilentServer();
    try {
      const baseUrl = `https://127.0.0.1:${silent.port}`;
      const settings = { auth: AUTH, baseUrl, timeouts: { connectMs: 60_000 } };
      await registerAdapter(site.ask, 'silent1.example.com', { settings });
      const { page } = await site.look('/ui/adapters/silent1.example.com?tab=configuration');
      await clickMiddle(page, button(page, 'Test connection'));
      await seen(page, /^Testing the connection\./);
      await until(() => silent.connections() > 0);
      await clickMiddle(page, button(page, 'Cancel'));
      await page.getByRole('button', { name: 'Test connection' }).waitFor();
      await until(() => silent.connections() === 0);
      await assertFits(page);
    } finally {
      await silent.close();
    }
  });

  it('shows in the tab Try the answer to a failed request, offers the path again, and lists the calls', async () => {
    const { page } = await site.look('/ui/adapters/core1?tab=try');
    const path = page.getByLabel('Path');
    await path.fill('/restconf/data/ietf-ip:unknown');
    assert.equal(await page.getByLabel('Accept').inputValue(), 'application/yang-data+json');
    await page.keyboard.press('Tab');
    await press(page, 'Send');
    await seen(page, /^Answer of the orchestrator, status 4\d\d/);
    await assertPartClean(page.getByRole('main'));
    await path.fill('/restconf/data/ietf-interfaces:interfaces');
    await press(page, 'Send');
    await seen(page, /"ietf-interfaces:interfaces"/);
    const paths = page.locator('datalist option[value^="/"]');
    await paths.first().waitFor({ state: 'attached' });
    assert.equal(await paths.count(), 1);
    assert.equal(await paths.first().getAttribute('value'), '/restconf/data/ietf-interfaces:interfaces');
    await page.getByRole('tab', { name: 'Calls' }).click();
    await seen(page, /GET \/restconf\/data\/ietf-interfaces:interfaces/);
    await page.getByRole('tab', { name: 'Log', exact: true }).click();
    await seen(page.getByRole('log'), /adapter started/);
  });

  it('says at once in the tab Try that the adapter is paused, and cancels a request that waits', async () => {
    await site.ask('PUT', '/adapters/core1/suspend');
    const { page } = await site.look('/ui/adapters/core1?tab=try', { width: 390 });
    await seen(page, /The adapter core1 sends no calls now/);
    await page.getByLabel('Path').fill('/restconf/data/ietf-interfaces:interfaces');
    await press(page, 'Send');
    await press(page, 'Cancel');
    await seen(page, /^Canceled after /);
    await assertFits(page);
    await site.ask('PUT', '/adapters/core1/start');
  });
});
