import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { accessibilityFaults, lackOfBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
import { callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openWorld, SECRET, type World } from '../support/world.js';

/** An adapter of the world's orchestrator's kind, whose orchestrator nobody is. */
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

describe('console: the pages to operate with', function () {
  this.timeout(90_000);
  let world: World;
  let browser: TestBrowser;

  before(async function () {
    const lack = lackOfBrowser();
    if (lack !== undefined) {
      process.stderr.write(`  skipped: ${lack}\n`);
      this.skip();
    }
    world = await openWorld({ folder: temporaryFolder().path });
    browser = await openBrowser();
    await ask('/adapters', { method: 'POST', body: { properties: EDGE } });
    await ask('/orchestrator_manager/restQuery/core1', {
      method: 'POST',
      body: { params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/json' } },
    });
  });
  after(async () => {
    await (browser as TestBrowser | undefined)?.close();
    await (world as World | undefined)?.close();
  });

  async function ask(
    path: string,
    options: { readonly method?: string; readonly body?: unknown } = {},
  ): Promise<unknown> {
    const token = world.mint('admin');
    const { status, text, json } = await callUrl(`${world.url}${path}`, { method: 'GET', token, ...options });
    assert.ok(status < 300, `${path}: ${status} ${text}`);
    return json;
  }

  /** Opens a page of the console, has it used, and looks for what no page may do. */
  async function visit(
    path: string,
    use: (page: Page) => Promise<void>,
    look: {
      readonly theme?: 'light' | 'dark';
      readonly role?: string;
      readonly width?: number;
      readonly at?: string;
    } = {},
  ): Promise<void> {
    const { theme = 'light', role = 'admin', width = 1440, at = world.url } = look;
    const looked = await browser.look(at, { token: world.mint(role), theme, width });
    const { page, faults } = looked;
    await page.goto(`${at}/ui${path}`);
    await use(page);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.deepEqual(faults, []);
    await looked.close();
  }

  const open = (page: Page, what: string) => page.getByRole('button', { name: what, exact: true }).click();

  for (const theme of ['light', 'dark'] as const) {
    it(`the overview draws the chain and says why it is broken, ${theme}`, () =>
      visit(
        '/',
        async (page) => {
          const lines = page.getByRole('region', { name: 'Adapters and orchestrators' });
          await lines.getByRole('link', { name: 'core1' }).waitFor();
          await lines.getByText('online').waitFor();
          await lines.getByText('it has not started yet').waitFor();
          await page.getByRole('region', { name: 'Callers' }).getByText('ada').waitFor();
        },
        { theme },
      ));

    it(`the adapters with their last day and a dialog, ${theme}`, () =>
      visit(
        '/adapters',
        async (page) => {
          await page.getByRole('img', { name: /^core1, the last 24 hours: \d+ calls?/ }).waitFor();
          await open(page, 'Actions for core1');
          await page.getByRole('menuitem', { name: 'Restart' }).click();
          await page.getByRole('dialog').getByText('It is made and connected anew.').waitFor();
        },
        { theme },
      ));

    it(`one adapter with its timeline, ${theme}`, () =>
      visit(
        '/adapters/core1',
        async (page) => {
          await page.getByRole('img', { name: /^core1, the last 24 hours/ }).waitFor();
          await page.getByText('in the file').waitFor();
        },
        { theme },
      ));

    it(`the health of all components, ${theme}`, () =>
      visit(
        '/health',
        async (page) => {
          await page
            .getByRole('row', { name: /^edge1/ })
            .getByText('starting')
            .waitFor();
          await page
            .getByRole('row', { name: /^vault/ })
            .getByText('answers')
            .waitFor();
          await page.getByText('Node.js').waitFor();
        },
        { theme },
      ));
  }

  it('on a small screen nothing is wider than it', () =>
    visit(
      '/adapters',
      async (page) => {
        for (const path of ['/adapters', '/', '/health', '/adapters/core1']) {
          await page.goto(`${world.url}/ui${path}`);
          await page.getByText('core1').first().waitFor();
          const isWider = await page.evaluate<boolean>(
            'document.querySelector("main").scrollWidth > document.querySelector("main").clientWidth',
          );
          assert.equal(isWider, false, path);
        }
      },
      { width: 390 },
    ));

  it('an adapter is registered, with what the server has against it first', async () => {
    await visit('/adapters', async (page) => {
      await open(page, 'Register adapter');
      await page.getByLabel('Name').fill('metro 1');
      const settings = page.getByLabel('Settings');
      await settings.fill('{"baseUrl": 5}');
      await open(page, 'Register');
      await page.getByRole('dialog').getByText('must be a string').first().waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      await settings.fill(JSON.stringify(EDGE.properties.properties));
      await open(page, 'Register');
      await page.getByRole('link', { name: 'metro 1' }).waitFor();
    });
    const { data } = (await ask('/adapters/metro%201')) as { data: { properties: { properties: unknown } } };
    assert.deepEqual(data.properties.properties, EDGE.properties.properties);
  });

  it('an adapter is stopped and deleted from its menu', async () => {
    await ask('/adapters', { method: 'POST', body: { properties: { ...EDGE, name: 'brief' } } });
    await visit('/adapters/brief', async (page) => {
      const act = async (verb: string) => {
        await page.getByRole('button', { name: 'Actions for brief' }).click();
        await page.getByRole('menuitem', { name: verb }).click();
        await page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click();
      };
      await act('Stop');
      await page.getByText('stopped', { exact: true }).first().waitFor();
      const health = (await ask('/health/adapters/brief')) as { state: string };
      assert.equal(health.state, 'STOPPED');
      await act('Delete');
      await page.getByRole('heading', { name: 'Adapters', level: 1 }).waitFor();
    });
    const { results } = (await ask('/adapters')) as { results: { data: { name: string } }[] };
    assert.ok(!results.some(({ data }) => data.name === 'brief'));
  });

  it('settings are changed after a look at the difference, and never over those of somebody else', async () => {
    const type = async () =>
      ((await ask('/adapters/edge1')) as { data: { properties: { type: string } } }).data.properties.type;
    await visit('/adapters/edge1?tab=configuration', async (page) => {
      await open(page, 'Edit');
      const { data } = (await ask('/adapters/edge1')) as { data: unknown };
      const text = page.getByRole('textbox', { name: 'The adapter as JSON' });
      await text.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(JSON.stringify(data).replace('"NSO"', '"lab"'));
      await ask('/adapters/edge1', {
        method: 'PUT',
        body: { properties: { properties: { type: 'theirs' } } },
      });
      await open(page, 'Review the difference');
      await page.getByText('Lines: 1 changed').waitFor();
      await open(page, 'Save and restart the adapter');
      await page.getByText('Somebody else changed this adapter').waitFor();
      assert.equal(await type(), 'theirs');
      assert.deepEqual(await accessibilityFaults(page), []);
      await open(page, 'Go on with my text, and see it against theirs');
      await open(page, 'Save and restart the adapter');
      await page.getByRole('button', { name: 'Edit' }).waitFor();
    });
    assert.equal(await type(), 'lab');
  });

  it('an orchestrator is asked, and the call stands among the calls and in the log', () =>
    visit('/adapters/core1?tab=try', async (page) => {
      await page.getByLabel('Path').fill('/restconf/data/ietf-interfaces:interfaces');
      await page.getByLabel('Accept').fill('application/yang-data+json');
      await open(page, 'Send');
      await page.getByText('"ietf-interfaces:interfaces"').waitFor();
      await page.getByRole('tab', { name: 'Calls' }).click();
      await page.getByText('GET /restconf/data/ietf-interfaces:interfaces').first().waitFor();
      await page.getByRole('tab', { name: 'Log', exact: true }).click();
      await page.getByRole('log').getByText('adapter started').waitFor();
    }));

  it('a file is told where an adapter stands in one, and offers no change', () =>
    visit('/adapters/core1?tab=configuration', async (page) => {
      await page.getByText(/stands in the file .*core1\.yaml/).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0);
    }));

  it('who may not see them is told so', () =>
    visit('/adapters', (page) => page.getByText('This page is not open to you').waitFor(), {
      role: 'engineering',
    }));

  it('what cannot be read says why', () =>
    visit('/', async (page) => {
      await page.getByRole('link', { name: 'core1' }).first().waitFor();
      await page.route('**/console/overview', (route) => route.abort());
      await page.reload();
      await page.getByText('The server did not answer').waitFor();
    }));

  it('without adapters every page says what to do', async () => {
    const arrange = (folder: string) => {
      rmSync(join(folder, 'adapters', 'core1.yaml'));
    };
    const empty = await openWorld({ folder: temporaryFolder().path, arrange });
    try {
      const looked = await browser.look(empty.url, { token: empty.mint('admin') });
      const { page, faults } = looked;
      for (const path of ['/', '/adapters', '/adapters/nobody']) {
        await page.goto(`${empty.url}/ui${path}`);
        await page.getByText(/No adapter yet|There is no adapter nobody/).waitFor();
        assert.deepEqual(await accessibilityFaults(page), []);
      }
      assert.deepEqual(faults, []);
      await looked.close();
    } finally {
      await empty.close();
    }
  });
});
