import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { consoleFor, describePages, registerAdapter } from '../support/console-errors.js';
import { openSilentServer } from '../support/odd-orchestrators.js';
import {
  answered,
  arrived,
  assertFits,
  assertPartClean,
  button,
  choose,
  dialogGone,
  dialogOf,
  pasteInto,
  press,
  seen,
} from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { SECRET } from '../support/test-server.js';
import { until } from '../support/until.js';

/** An adapter of the same kind as that of the server, whose orchestrator does not exist. */
const EDGE = {
  name: 'edge1',
  model: 'restconf',
  properties: {
    type: 'NSO',
    brokers: ['device'],
    properties: {
      baseUrl: 'https://127.0.0.1:9',
      auth: { type: 'basic', username: 'g', password: `$VAULT_${SECRET.path}#${SECRET.field}` },
    },
  },
} as const;

const AUTH = { type: 'basic', username: 'gatehouse', password: `$VAULT_${SECRET.path}#${SECRET.field}` };

describePages('the operations pages of the console', function () {
  const site = consoleFor(this, {
    fill: async ({ ask }) => {
      await ask('POST', '/adapters', { properties: EDGE });
      await ask('POST', '/orchestrator_manager/restQuery/core1', {
        params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/json' },
      });
    },
  });
  const { ask } = site;

  /** Opens a page of the console, uses it, and asserts that it has no faults. */
  async function visit(path: string, use: (page: Page) => Promise<void>): Promise<void> {
    const { page } = await site.look(`/ui${path}`);
    await use(page);
    await assertFits(page);
  }

  it('show the chain on the overview and why it is broken, each problem with its actions, and a server that does not respond', () =>
    visit('/', async (page) => {
      const lines = page.getByRole('region', { name: 'Adapters and orchestrators' });
      await lines.getByRole('link', { name: 'core1' }).waitFor();
      await seen(lines, 'Online');
      await seen(lines, /It is still starting|The start failed, and is tried again/);
      await seen(page.getByRole('region', { name: 'Callers' }), 'ada');
      const problems = page.getByRole('region', { name: /^Problems/ });
      await seen(problems, /edge1/);
      await seen(problems, /for \d+ (?:sec|min)/);
      await problems.getByRole('link', { name: 'Open log' }).first().waitFor();
      await problems.getByRole('button', { name: 'Copy' }).first().waitFor();
      await page.route('**/console/overview', (route) => route.abort());
      await page.reload();
      await seen(page, /The server did not respond/);
    }));

  it('show the health of all components', () =>
    visit('/health', async (page) => {
      await seen(page.getByRole('row', { name: /^edge1/ }), 'Starting');
      await seen(page.getByRole('row', { name: /^vault/ }), 'Up');
      await seen(page, /Node\.js/);
    }));

  it('show the log of the server, and save it', () =>
    visit('/log', async (page) => {
      await seen(page.getByRole('log', { name: 'Log of the server' }), /core1|edge1/);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        press(page, 'Download JSON lines'),
      ]);
      assert.equal(download.suggestedFilename(), 'gatehouse-log.jsonl');
    }));

  it('stop and delete an adapter from its menu', async () => {
    await ask('POST', '/adapters', { properties: { ...EDGE, name: 'brief' } });
    await visit('/adapters/brief', async (page) => {
      const act = async (verb: string) => {
        await choose(page, 'Actions for brief', verb);
        await press(await dialogOf(page), verb);
        await dialogGone(page);
      };
      await act('Stop');
      await seen(page, 'Stopped');
      const health = (await ask('GET', '/health/adapters/brief')) as { state: string };
      assert.equal(health.state, 'STOPPED');
      await act('Delete');
      await arrived(page, 'Adapters');
    });
    const { results } = (await ask('GET', '/adapters')) as { results: { data: { name: string } }[] };
    assert.ok(!results.some(({ data }) => data.name === 'brief'));
  });

  it('save settings after a comparison, and do not overwrite changes of another user', async () => {
    const type = async () =>
      ((await ask('GET', '/adapters/edge1')) as { data: { properties: { type: string } } }).data.properties
        .type;
    await visit('/adapters/edge1?tab=configuration', async (page) => {
      await press(page, 'Edit');
      const { data } = (await ask('GET', '/adapters/edge1')) as { data: unknown };
      await press(page, 'JSON');
      const text = page.getByRole('textbox', { name: 'The adapter as JSON' });
      await pasteInto(text, JSON.stringify(data).replace('"NSO"', '"lab"'));
      await ask('PUT', '/adapters/edge1', { properties: { properties: { type: 'theirs' } } });
      await press(page, 'Review changes');
      await seen(page, /Lines: 1 changed/);
      await press(page, 'Save and restart adapter');
      await seen(page, /Another user changed this adapter/);
      assert.equal(await type(), 'theirs');
      await press(page, 'Keep my changes and compare');
      await press(page, 'Save and restart adapter');
      await button(page, 'Edit').waitFor();
    });
    assert.equal(await type(), 'lab');
  });

  /** Sets the log level to info, whichever level the server was started with. */
  const logInfo = (): Promise<unknown> =>
    ask('PUT', '/adapters/core1/loglevel', { properties: { level: 'info' } });

  it('set the log level of one output for ten minutes, after a failure that the dialog shows', async () => {
    await logInfo();
    await visit('/adapters/core1?tab=log', async (page) => {
      await seen(page, /Written: Info and above/);
      await press(page, 'Set log level');
      const dialog = await dialogOf(page);
      const field = (name: string) => dialog.getByRole('combobox', { name, exact: true });
      await page.route('**/adapters/core1/loglevel', (route) =>
        route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: JSON.stringify({ code: 'store_unavailable', detail: 'The database does not answer.' }),
        }),
      );
      await press(dialog, 'Set level');
      await seen(dialog, /The database does not answer/);
      await page.unroute('**/adapters/core1/loglevel');
      await field('Level').selectOption('debug');
      await field('Output').selectOption({ label: 'Console' });
      await field('Duration').selectOption({ label: '10 minutes' });
      const reply = await answered(page, 'PUT /adapters/core1/loglevel', () => press(dialog, 'Set level'));
      assert.deepEqual(reply.request().postDataJSON(), {
        properties: { level: 'debug', transport: 'console', seconds: 600 },
      });
      await dialogGone(page);
      await seen(page, /updated the log level of core1 until 20\d\d-/);
      await seen(page, /Written: Debug and above/);
    });
    const { logger } = (await ask('GET', '/health/adapters/core1')) as { logger: unknown };
    assert.deepEqual(logger, { console: 'debug', file: 'info', syslog: 'none' });
    await logInfo();
  });

  it('shows five steps of the connection test, and the file of an adapter that a file configures, without an edit', async () => {
    const { page } = await site.look('/ui/adapters/core1?tab=configuration');
    await clickMiddle(page, button(page, 'Test connection'));
    await seen(page, 'All steps passed.');
    const steps = page.getByRole('list', { name: /^https:/ }).getByRole('listitem');
    assert.equal(await steps.count(), 5);
    await seen(page, /Certificate: CN=/);
    await page.getByRole('button', { name: 'Test again' }).waitFor();
    await seen(page, /configured in the file .*core1\.yaml/);
    await button(page, 'Edit').waitFor({ state: 'detached' });
    await assertPartClean(page.getByRole('main'));
  });

  it('names the step of the connection test that failed and what to do, on a phone and with the keyboard', async () => {
    const { page } = await site.look('/ui/adapters/edge1?tab=configuration', {
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
