import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { callUrl } from '../support/call.js';
import { consoleFor } from '../support/console-errors.js';
import { assertClean, press, seen, words } from '../support/page-text.js';

/** More records than one page of a table shows. */
const CALLS = 60;

describe('the audit page', function () {
  const site = consoleFor(this, {
    fill: async ({ testServer }) => {
      const token = testServer.issueToken('admin');
      for (let number = 0; number < CALLS; number += 1) {
        const headers = { 'x-request-id': `change-${number}` };
        await callUrl(`${testServer.url}/profiles`, {
          token,
          headers,
          body: { properties: { id: `profile-${number}` } },
        });
      }
      await callUrl(`${testServer.url}/login`, { body: { user: { username: 'eve', password: 'wrong' } } });
    },
  });

  it('shows absolute times and who, without its own searches until they are wanted', async () => {
    const looked = await site.look('/ui/audit');
    const { page } = looked;
    const table = page.getByRole('table', { name: 'Records' });
    await table.waitFor();
    await seen(table, 'Not signed in');
    assert.match(await table.locator('time').first().innerText(), /20\d\d.*:\d\d/);
    assert.equal(await table.locator('a:not([href])').count(), 0);
    assert.equal(await table.getByRole('link', { name: 'audit.getAudit' }).count(), 0);
    await press(page, 'Show searches of the audit trail');
    await table.getByRole('link', { name: 'audit.getAudit' }).first().waitFor();
    await assertClean(looked);
  });

  it('opens a request with the mouse on its id', async () => {
    const looked = await site.look('/ui/audit?q=change-7');
    const { page } = looked;
    const id = page.getByRole('table', { name: 'Records' }).locator('a code').first();
    await id.click({ trial: true });
    const box = await id.boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const drawer = page.getByRole('dialog', { name: 'Request change-7' });
    await seen(drawer, /^Record \d/);
    await assertClean(looked);
  });

  it('exports every record that the search found', async () => {
    const { page } = await site.look('/ui/audit?operation=profiles.createProfile');
    await page.getByRole('table', { name: 'Records' }).waitFor();
    const download = page.waitForEvent('download');
    await press(page, 'Export CSV');
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    assert.equal(lines.length, CALLS + 1);
    assert.ok(lines.every((line) => /^seq,|,change-\d+,profiles.createProfile,/.test(line)));
  });

  it('prints every record, on more than one sheet', async () => {
    const { page } = await site.look('/ui/audit?operation=profiles.createProfile');
    const rows = page.getByRole('table', { name: 'Records' }).locator('tbody tr');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 50);
    await page.emulateMedia({ media: 'print' });
    await rows.nth(CALLS - 1).waitFor();
    assert.equal(await words(page, 'Export CSV').count(), 0);
    const pdf = (await page.pdf()).toString('latin1');
    assert.ok((pdf.match(/\/Type \/Page\b/g) ?? []).length > 1);
    await page.emulateMedia({ media: null });
    await rows.nth(50).waitFor({ state: 'detached' });
  });

  it('shows each record as a card on a phone', async () => {
    const looked = await site.look('/ui/audit', { width: 390 });
    await looked.page.getByRole('table', { name: 'Records' }).waitFor();
    await assertClean(looked);
  });
});
