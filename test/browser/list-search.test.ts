import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { callUrl } from '../support/call.js';
import { consoleFor, createForm, describePages, registerAdapter } from '../support/console-errors.js';
import { button, choose, dialogOf, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';

/** Number of adapters; more than those that stop without a typed confirmation. */
const COUNT = 36;
const nameOf = (at: number): string => `${at <= 8 ? 'edge-ber' : 'core'}-${at}.example.com`;

/** The server of the tests has one more adapter. */
const ALL_SELECTED = new RegExp(`^${COUNT + 1} selected$`);

/** Resolves to the number of adapters that a dialog names. */
async function countOf(dialog: Locator): Promise<string> {
  return String(await dialog.getByRole('list', { name: 'Adapters' }).getByRole('listitem').count());
}

describePages('a list with a search', function () {
  const site = consoleFor(this, {
    fill: async ({ ask, testServer }) => {
      for (let at = 1; at <= COUNT; at += 1) {
        await registerAdapter(ask, nameOf(at));
      }
      for (const name of ['Provision VLAN', 'Provision port', 'Router'])
        await createForm(ask, { name, schema: { type: 'object' } });
      const token = testServer.issueToken('admin');
      await callUrl(`${testServer.url}/profiles`, {
        token,
        headers: { 'x-request-id': 'call-of-a-minute-ago' },
        body: { properties: { id: 'old' } },
      });
    },
  });

  it('selects all adapters that match the search, and stops only these', async () => {
    const { page } = await site.look('/ui/adapters?sort=name');
    await page.getByRole('textbox', { name: 'Search Adapters' }).fill('edge-ber');
    await clickMiddle(page, button(page, 'Select the 8 adapters shown'));
    await seen(page, '8 selected');
    await choose(page, 'Actions on the selected adapters', 'Stop');
    const dialog = await dialogOf(page);
    await dialog.getByRole('heading', { name: 'Stop: 8 adapters' }).waitFor();
    assert.deepEqual(
      await dialog.getByRole('list', { name: 'Adapters' }).getByRole('listitem').allInnerTexts(),
      Array.from({ length: 8 }, (_, at) => nameOf(at + 1)),
    );
    await page.keyboard.press('Escape');
  });

  it('never acts on selected adapters that the search hides', async () => {
    const { page } = await site.look('/ui/adapters?sort=name');
    await clickMiddle(page, button(page, /^Select all \d+ adapters$/));
    await seen(page, ALL_SELECTED);
    await page.getByRole('textbox', { name: 'Search Adapters' }).fill('edge-ber');
    await seen(page, '8 selected');
    await page.getByRole('textbox', { name: 'Search Adapters' }).fill('');
    await seen(page, ALL_SELECTED);
    await choose(page, 'Actions on the selected adapters', 'Stop');
    const dialog = await dialogOf(page);
    const stop = button(dialog, 'Stop');
    assert.equal(await stop.isDisabled(), true);
    await dialog.getByLabel(/^Type \d+ to confirm/).fill(await countOf(dialog));
    assert.equal(await stop.isDisabled(), false);
    await page.keyboard.press('Escape');
  });

  it('selects all forms that match the search', async () => {
    const { page } = await site.look('/ui/forms');
    await page.getByRole('textbox', { name: 'Search Forms' }).fill('provision');
    await clickMiddle(page, button(page, 'Select the 2 forms shown'));
    await seen(page, '2 selected');
  });
});
