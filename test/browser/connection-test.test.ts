import assert from 'node:assert/strict';
import { consoleFor } from '../support/console-errors.js';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openSilentServer } from '../support/odd-orchestrators.js';
import { assertClean, assertCleanInBothThemes, button, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { SECRET } from '../support/test-server.js';
import { until } from '../support/until.js';

const AUTH = { type: 'basic', username: 'gatehouse', password: `$VAULT_${SECRET.path}#${SECRET.field}` };

const adapter = (name: string, settings: object, model = 'restconf'): object => ({
  properties: { name, model, properties: { properties: { auth: AUTH, ...settings } } },
});

describeWith([BROWSER, BUILT_PAGES], 'the connection test on the page of an adapter', function () {
  const site = consoleFor(this, {
    fill: async ({ ask }) => {
      await ask('POST', '/adapters', adapter('nso1.example.com', { baseUrl: 'https://127.0.0.1:9' }));
    },
  });

  it('shows five steps with their times for an orchestrator that answers', async () => {
    const looked = await site.look('/ui/adapters/core1?tab=configuration');
    const { page } = looked;
    await clickMiddle(page, button(page, 'Test connection'));
    await seen(page, 'All steps passed.');
    const steps = page.getByRole('list', { name: /^https:/ }).getByRole('listitem');
    assert.equal(await steps.count(), 5);
    await seen(page, /Certificate: CN=/);
    await page.getByRole('button', { name: 'Test again' }).waitFor();
    await assertCleanInBothThemes(looked);
  });

  it('names the step that failed and what to do, on a phone and with the keyboard', async () => {
    const looked = await site.look('/ui/adapters/nso1.example.com?tab=configuration', {
      width: 390,
      height: 844,
    });
    const { page } = looked;
    await page.getByRole('button', { name: 'Test connection' }).focus();
    await page.keyboard.press('Enter');
    await seen(page, 'The connection failed at the step TCP.');
    await seen(page, 'The target refuses connections on this port.');
    const isWider = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
    assert.equal(isWider, false);
    await assertClean(looked);
  });

  it('cancels the test of an orchestrator that accepts connections and never answers', async () => {
    const silent = await openSilentServer();
    try {
      const settings = { baseUrl: `https://127.0.0.1:${silent.port}`, timeouts: { connectMs: 60_000 } };
      await site.ask('POST', '/adapters', adapter('silent1.example.com', settings, 'http-rest'));
      const looked = await site.look('/ui/adapters/silent1.example.com?tab=configuration');
      const { page } = looked;
      await clickMiddle(page, button(page, 'Test connection'));
      await seen(page, /^Testing the connection\./);
      await until(() => silent.connections() > 0);
      await clickMiddle(page, button(page, 'Cancel'));
      await page.getByRole('button', { name: 'Test connection' }).waitFor();
      await until(() => silent.connections() === 0);
      await assertClean(looked);
    } finally {
      await silent.close();
    }
  });
});
