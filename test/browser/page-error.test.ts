import assert from 'node:assert/strict';
import { consoleFor, describePages } from '../support/console-errors.js';
import { arrived, button, dialogGone, focused, seen } from '../support/page-text.js';

const REQUEST_ID = '0190f3a4-6f5e-7c1d-9b2a-3c4d5e6f7a8b';
const FIELD = 'Page, adapter, form, call, status, person or request id';

describePages('a part of the console with an error', function () {
  const site = consoleFor(this);

  it('does not blank the console when a request id is typed into the search', async () => {
    const { page } = await site.look('/ui/forms');
    await arrived(page, 'Forms');
    await page.keyboard.press('Control+k');
    await focused(page.getByRole('combobox', { name: FIELD }));
    await page.keyboard.insertText(REQUEST_ID);
    await page.getByRole('option', { name: `Open the request ${REQUEST_ID}`, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: `Request ${REQUEST_ID}` }).waitFor();
  });

  it('does not follow a test that ends while a page loads', async () => {
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

  it('is a dialog that can be closed, and the page below it stays', async () => {
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

  it('is shown in the drawer of a request, which can be closed', async () => {
    const { page } = await site.look('/ui/forms', { mayFault: true });
    await arrived(page, 'Forms');
    await page.route('**/console/requests/*', (route) => route.fulfill({ json: { request: {} } }));
    await page.goto(`${page.url()}?request=${REQUEST_ID}`);
    const drawer = page.getByRole('dialog', { name: `Request ${REQUEST_ID}` });
    await drawer
      .getByText(/undefined|not iterable/)
      .first()
      .waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await dialogGone(page);
    await arrived(page, 'Forms');
  });

  it('is named in place of the console if the session itself cannot be shown', async () => {
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
