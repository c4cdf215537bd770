import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { consoleFor, describePages } from '../support/console-errors.js';
import {
  answered,
  arrived,
  assertFits,
  button,
  choose,
  dialogGone,
  dialogOf,
  pasteInto,
  press,
  seen,
} from '../support/page-text.js';
import { SECRET } from '../support/test-server.js';

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

  it('show the chain on the overview and why it is broken, and each problem with its actions', () =>
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
    }));

  it('show the health of all components', () =>
    visit('/health', async (page) => {
      await page
        .getByRole('row', { name: /^edge1/ })
        .getByText('Starting')
        .waitFor();
      await page
        .getByRole('row', { name: /^vault/ })
        .getByText('Up')
        .waitFor();
      await seen(page, /Node\.js/);
    }));

  it('show the log of the server, and save it', () =>
    visit('/log', async (page) => {
      await page
        .getByRole('log', { name: 'Log of the server' })
        .getByText(/core1|edge1/)
        .first()
        .waitFor();
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

  it('set the log level of one output for ten minutes, and show it on the log page', async () => {
    await logInfo();
    await visit('/adapters/core1?tab=log', async (page) => {
      await seen(page, /Written: Info and above/);
      await press(page, 'Set log level');
      const dialog = await dialogOf(page);
      const field = (name: string) => dialog.getByRole('combobox', { name, exact: true });
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

  it('show a failure to set the log level in the dialog, and keep the level', async () => {
    await logInfo();
    await visit('/adapters/core1?tab=log', async (page) => {
      await press(page, 'Set log level');
      const dialog = await dialogOf(page);
      await page.route('**/adapters/core1/loglevel', (route) =>
        route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: JSON.stringify({ code: 'store_unavailable', detail: 'The database does not answer.' }),
        }),
      );
      await press(dialog, 'Set level');
      await seen(dialog, /The database does not answer/);
      await press(dialog, 'Cancel');
      await dialogGone(page);
      await seen(page, /Written: Info and above/);
    });
  });

  it('name the file of an adapter that a file configures, and offer no edit', () =>
    visit('/adapters/core1?tab=configuration', async (page) => {
      await seen(page, /configured in the file .*core1\.yaml/);
      await button(page, 'Edit').waitFor({ state: 'detached' });
    }));

  it('report that the server does not respond', () =>
    visit('/', async (page) => {
      await page.getByRole('link', { name: 'core1' }).first().waitFor();
      await page.route('**/console/overview', (route) => route.abort());
      await page.reload();
      await seen(page, /The server did not respond/);
    }));
});
