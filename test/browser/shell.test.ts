import assert from 'node:assert/strict';
import { changeReplies, consoleFor, describePages, registerAdapter } from '../support/console-errors.js';
import {
  arrived,
  assertCleanInBothThemes,
  assertPartClean,
  button,
  dialogGone,
  focused,
  press,
  seen,
} from '../support/page-text.js';

/** Name of an adapter as operators choose it. */
const NSO = 'nso1.example.com';
const GONE = `/json-forms/task/ShowJsonForm?task=${'0'.repeat(24)}`;

const REQUEST_ID = '0190f3a4-6f5e-7c1d-9b2a-3c4d5e6f7a8b';
const FIELD = 'Page, adapter, form, call, status, person or request id';

describePages('the frame around the pages', function () {
  const site = consoleFor(this, {
    fill: async ({ ask }) => {
      const settings = { baseUrl: 'https://127.0.0.1:1', auth: { type: 'none' } };
      await registerAdapter(ask, NSO, { model: 'restconf', settings });
    },
  });

  it('opens an adapter and a page by name, and a request by its id, with Ctrl+K and the keyboard (N1)', async () => {
    const { page } = await site.look('/ui/forms');
    await arrived(page, 'Forms');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: FIELD });
    await focused(field);
    await page.keyboard.type('nso1.ex');
    await page.getByRole('option', { name: NSO, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await arrived(page, NSO);
    await page.keyboard.press('Control+k');
    await focused(field);
    await page.keyboard.type('secr');
    await page.getByRole('option', { name: /^Secrets/, selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: /audit log/, selected: true }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await arrived(page, 'Secrets');
    await page.keyboard.press('Control+k');
    await focused(field);
    await page.keyboard.insertText(REQUEST_ID);
    await page.getByRole('option', { name: `Open the request ${REQUEST_ID}`, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: `Request ${REQUEST_ID}` }).waitFor();
  });

  it('opens the search with the mouse, focuses the heading of a page and the button of the user menu (D31)', async () => {
    const { page } = await site.look('/ui/adapters');
    await arrived(page, 'Adapters');
    await button(page, /Search or go to/).click();
    await page.getByRole('option', { name: /^Profiles/ }).click();
    await arrived(page, 'Profiles');
    await dialogGone(page);
    await page.getByRole('link', { name: 'Health', exact: true }).click();
    await page.locator('h1:focus', { hasText: 'Health' }).waitFor();
    await button(page, 'Account of ada').click();
    await page.getByRole('menuitem', { name: 'Dark theme', exact: true }).press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.locator('button:focus', { hasText: 'ada' }).waitFor();
    await button(page, 'Account of ada').click();
    await page.getByRole('menuitem', { name: 'Dark theme (selected)' }).waitFor();
  });

  it('opens pages with g and a key, and lists the keys with ?', async () => {
    const { page } = await site.look('/ui/adapters');
    await arrived(page, 'Adapters');
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await arrived(page, 'Forms');
    await page.keyboard.press('?');
    await seen(
      page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
      'Search or go to a page, an adapter or an action',
    );
    // The keys of the page do nothing below an open dialog.
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.keyboard.press('Escape');
    await dialogGone(page);
    await arrived(page, 'Forms');
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await arrived(page, 'Adapters');
    const search = page.getByRole('main').getByRole('textbox', { name: 'Search' }).first();
    await search.waitFor();
    await page.keyboard.press('/');
    await focused(search);
  });

  it('opens Profiles with g p although a form on the page has the key p', async () => {
    const { page } = await site.look(`/ui/adapters/${NSO}?tab=configuration`);
    await button(page, 'Edit').click();
    await page.getByRole('textbox', { name: 'Base URL' }).first().waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await arrived(page, 'Profiles');
  });

  it('opens no search below an open drawer', async () => {
    const { page } = await site.look('/ui/adapters?request=request-1');
    const drawer = page.getByRole('dialog', { name: /Request/ });
    await drawer.waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    // A search that had opened below the drawer would remain.
    await dialogGone(page);
    await page.keyboard.press('Control+k');
    await focused(page.getByRole('combobox', { name: FIELD }));
  });

  it('selects a tab with the arrow keys, and a tab is a step back (D31)', async () => {
    const { page } = await site.look('/ui/adapters/core1');
    await arrived(page, 'core1');
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowRight');
    const second = page.locator('[role=tab]:focus[aria-selected=true]');
    await second.waitFor();
    assert.notEqual((await second.textContent())?.trim(), 'Overview');
    assert.match(page.url(), /\?tab=/);
    await page.goBack();
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'Overview' }).waitFor();
  });

  it('explains the page, and names its documentation and its command', async () => {
    const { page } = await site.look('/ui/secrets');
    await arrived(page, 'Secrets');
    await press(page, 'Help for this page');
    const help = page.getByRole('dialog', { name: 'Help: Secrets' });
    await seen(help, 'gatehouse secrets --help');
    const guide = help.getByRole('link', { name: 'Read the guide' });
    assert.equal(await guide.getAttribute('href'), '/docs/guide/how-to/use-secrets');
  });

  it('says that the connection is lost, and shows the page when the server answers again (D21)', async () => {
    const { page } = await site.look('/ui/adapters', { mayFault: true });
    await arrived(page, 'Adapters');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'REST tool' }).click();
    await seen(page, 'Connection to the server lost');
    assert.equal(await page.getByText('Page error').count(), 0);
    await page.context().setOffline(false);
    await arrived(page, 'REST tool');
    await page.getByText('Connection to the server lost').waitFor({ state: 'detached' });
  });

  it('warns five minutes before the end of a session (D4)', async () => {
    const token = site.testServer.issueToken('admin');
    const { page } = await site.look('/ui/adapters', {
      token,
      before: async (empty) => {
        await changeReplies(empty, '**/whoami', (body: object) => ({ ...body, expiresIn: 280 }));
      },
    });
    await arrived(page, 'Adapters');
    await seen(page, /Your session ends in 4:[34]\d/);
    await page.getByRole('link', { name: 'Sign in again' }).waitFor();
  });

  it('reports a page that cannot be loaded, and keeps the other pages usable', async () => {
    const { page, go } = await site.look('/ui/', { mayFault: true });
    await page.route(/\/assets\/audit-/, (route) => route.abort());
    await go('/ui/audit');
    await button(page, 'Try again').waitFor();
    await page.getByRole('link', { name: 'Secrets' }).click();
    await arrived(page, 'Secrets');
  });

  it('leads from a missing page to one that is open to the person, without a state of events (D38)', async () => {
    const { page } = await site.look('/ui/nothing/here', { role: 'engineering' });
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: /^Go to / }).click();
    await arrived(page, 'Tasks');
    assert.equal(await page.locator('.gh-live').count(), 0);
  });

  it('names the missing roles and the person on a page that is not open to a person, and links to the sign-in', async () => {
    const { page } = await site.look('/ui/tasks', { role: 'viewer' });
    await seen(page, /This page needs one of these roles: admin or engineering\./);
    await seen(page, /You are signed in as ada, with the role viewer\./);
    const link = page.getByRole('link', { name: 'sign in as another person' });
    await link.and(page.locator('[href="/ui/sign-in?return=%2Fui%2Ftasks&prompt=login"]')).waitFor();
    await assertPartClean(page.getByRole('main'));
    await link.click();
    await page.getByRole('textbox', { name: 'Token' }).waitFor();
  });

  it('names the missing roles and the person in place of a task', async () => {
    const { page } = await site.look(GONE, { role: 'viewer' });
    await seen(page, 'This page is not open to you');
    await seen(
      page,
      /^The page \/json-forms\/task\/ShowJsonForm needs one of these roles: admin, engineering/,
    );
    await seen(page, 'viewer');
    await page.getByRole('link', { name: 'Sign in with another account' }).waitFor();
  });

  it('names the person in place of a task that is gone, and leads to the list of tasks (D22)', async () => {
    const { page } = await site.look(GONE, { role: 'engineering' });
    await seen(page, 'This task does not exist.');
    await seen(page, /You are signed in as ada, with the role engineering\./);
    await page.getByRole('link', { name: 'Sign in as another person' }).waitFor();
    const list = page.getByRole('link', { name: 'Open the task list.' });
    assert.equal(await list.getAttribute('href'), '/ui/tasks');
    await assertCleanInBothThemes(page);
  });

  it('loads a page once after a test that ended while another page was loading', async () => {
    const { page, close } = await site.look('/ui/forms');
    await arrived(page, 'Forms');
    await page.route('**/assets/audit-*.js', () => undefined);
    const asked = page.waitForRequest('**/assets/audit-*.js');
    await page.evaluate(`history.pushState(undefined, '', '/ui/audit')`);
    await asked;
    await close();
    let loads = 0;
    page.on('domcontentloaded', () => (loads += 1));
    await arrived((await site.look('/ui/forms')).page, 'Forms');
    assert.equal(loads, 1);
  });

  it('shows an error of its part in a dialog that can be closed, and the page below it stays', async () => {
    const { page } = await site.look('/ui/forms', { mayFault: true });
    await arrived(page, 'Forms');
    await page.route('**/adapters?contains=*', (route) => route.fulfill({ json: { results: [{}] } }));
    await page.keyboard.press('Control+k');
    await focused(page.getByRole('combobox', { name: FIELD }));
    await page.keyboard.type('nso1');
    const dialog = page.getByRole('dialog', { name: 'Page error' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialogGone(page);
    await page.getByRole('link', { name: 'Adapters' }).click();
    await arrived(page, 'Adapters');
  });

  it('shows an error of a request in its drawer, which can be closed', async () => {
    const { page } = await site.look('/ui/forms', { mayFault: true });
    await arrived(page, 'Forms');
    await page.route('**/console/requests/*', (route) => route.fulfill({ json: { request: {} } }));
    await page.goto(`${page.url()}?request=${REQUEST_ID}`);
    const drawer = page.getByRole('dialog', { name: `Request ${REQUEST_ID}` });
    await seen(drawer, /undefined|not iterable/);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await dialogGone(page);
    await arrived(page, 'Forms');
  });

  it('is replaced by an error if the session itself cannot be shown', async () => {
    const { page } = await site.look('/ui/forms', { mayFault: true });
    await arrived(page, 'Forms');
    await page.route('**/whoami', (route) => route.fulfill({ json: {} }));
    await page.reload();
    await seen(page.getByRole('main'), 'Page error');
    await page.unroute('**/whoami');
    await button(page, 'Try again').click();
    await arrived(page, 'Forms');
  });
});
