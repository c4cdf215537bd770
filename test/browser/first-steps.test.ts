import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { changeReplies, consoleFor, describePages, registerAdapter } from '../support/console-errors.js';
import {
  arrived,
  assertFits,
  assertPartClean,
  button,
  dialogOf,
  focused,
  seen,
} from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';

const NAME = 'nso1.example.com';
const OLD_MS = 5 * 86_400_000;

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });
const heading = (page: Page): Locator => page.getByRole('heading', { name: 'First steps' });
const goToOverview = (page: Page, click: typeof clickMiddle): Promise<void> =>
  click(page, link(page, 'Overview'));

describePages('the first steps on the overview', function () {
  const site = consoleFor(this, {
    arrange: (folder) => {
      rmSync(join(folder, 'adapters', 'core1.yaml'));
    },
  });

  it('come with pages that say that there is no adapter', async () => {
    const { page, go } = await site.look('/ui/adapters');
    for (const path of ['/adapters', '/adapters/nobody']) {
      await go(`/ui${path}`);
      await seen(page, /No adapters|Adapter nobody not found/);
      await assertFits(page, path);
    }
  });

  it('lead an administrator with a mouse from the sign-in to the first form', async () => {
    const { page } = await site.look('/');
    await page.waitForURL(/\/ui\/$/);
    await seen(page, '2 of 5 done');
    await seen(page, 'Vault is connected.');
    await seen(page, 'Register an adapter first: calls are sent through an adapter.');
    await assertPartClean(page.getByRole('main'), 'without an adapter');
    await clickMiddle(page, link(page, 'Open the catalog'));
    await arrived(page, 'Register adapter');
    // The page does not see the request of another person, but the event of the server.
    await goToOverview(page, clickMiddle);
    await seen(page, '2 of 5 done');
    const settings = { baseUrl: site.testServer.inventoryUrl, auth: { type: 'none' } };
    await registerAdapter(site.ask, NAME, { settings });
    await seen(page, '3 of 5 done');
    await clickMiddle(page, link(page, `Try ${NAME}`));
    await page.getByLabel('Path').fill('/devices/r1');
    await page.keyboard.press('Tab');
    await clickMiddle(page, button(page, 'Send'));
    await seen(page, /"site": "berlin"/);
    await goToOverview(page, clickMiddle);
    await seen(page, '4 of 5 done');
    await clickMiddle(page, link(page, 'Create from a template'));
    const dialog = await dialogOf(page);
    await dialog.getByLabel(/^Template/).waitFor();
    await dialog.getByLabel(/^Name/).fill('Request an interface');
    await clickMiddle(page, button(dialog, 'Create'));
    await page.waitForURL(/\/ui\/forms\/.+/);
    await goToOverview(page, clickMiddle);
    await seen(page, /All first steps are done$/);
    await assertFits(page, 'all done');
    await clickMiddle(page, button(page, 'Hide the first steps'));
    await focused(page.getByRole('heading', { level: 1 }));
  });

  it('are hidden on a device until its user asks for them, also with a finger on a phone', async () => {
    const { page, go } = await site.look('/ui/', { width: 390, height: 844, before: withoutForms });
    await seen(page, /^\d of 5 done$/);
    await assertFits(page, 'phone');
    await tapMiddle(page, button(page, 'Hide the first steps'));
    await heading(page).waitFor({ state: 'detached' });
    await go('/ui/');
    await seen(page, 'Current traffic');
    assert.equal(await heading(page).count(), 0);
    await tapMiddle(page, page.getByRole('button', { name: /^Help/ }));
    await tapMiddle(page, button(await dialogOf(page), 'Show the first steps'));
    await heading(page).waitFor();
    await tapMiddle(page, link(page, 'Create from a template'));
    await (await dialogOf(page)).getByLabel(/^Template/).waitFor();
    assert.match(page.url(), /\/forms\?create=template$/);
  });

  it('show how to configure Vault where none is configured', async () => {
    const { page } = await site.look('/ui/', { before: withoutVault });
    await clickMiddle(page, page.getByText('Show how to configure Vault'));
    await seen(page, /roleIdFile: /);
    await assertPartClean(page.getByRole('main'), 'without Vault');
    await clickMiddle(page, link(page, 'Open Secrets'));
    await seen(page, /No Vault is configured$/);
  });

  it('are not shown to viewers, and not on an installation that is in use', async () => {
    const viewer = await site.look('/ui/', { role: 'viewer' });
    await seen(viewer.page, 'Current traffic');
    const established = await site.look('/ui/', { before: withOldCalls });
    await seen(established.page, 'Current traffic');
    for (const { page } of [viewer, established]) assert.equal(await heading(page).count(), 0);
    await clickMiddle(established.page, established.page.getByRole('button', { name: /^Help/ }));
    await clickMiddle(established.page, button(await dialogOf(established.page), 'Show the first steps'));
    await heading(established.page).waitFor();
  });
});

/** Replies of one server differ by test only in these: its Vault, its forms and its old calls. */
async function withoutForms(page: Page): Promise<void> {
  await page.route(/\/json-forms\/forms\?limit=1$/, (route) => route.fulfill({ json: [] }));
}

async function withoutVault(page: Page): Promise<void> {
  const json = { vault: null, files: null, references: [], encLeft: 0 };
  await page.route(/\/console\/secrets$/, (route) => route.fulfill({ json }));
}

async function withOldCalls(page: Page): Promise<void> {
  await changeReplies(page, /\/console\/traffic\?span=7d&limit=0$/, (report: TrafficReport) => {
    const old = { at: report.to - OLD_MS, calls: 1, errors: 0, p50Ms: 1, p95Ms: 1, clientErrors: 0 };
    const states = { maxInFlight: 1, maxWaiting: 0, openSeconds: 0, halfOpenSeconds: 0 };
    return { ...report, cells: [{ ...old, ...states }, ...report.cells] };
  });
}

interface TrafficReport {
  readonly to: number;
  readonly cells: readonly unknown[];
}
