import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import {
  arrived,
  assertClean,
  assertCleanInBothThemes,
  button,
  dialogOf,
  press,
  seen,
} from '../support/page-text.js';
import { eventually } from '../support/until.js';
import { consoleFor } from '../support/console-errors.js';
import { SECRET } from '../support/test-server.js';

/** Tests a reference. The server reads one secret a second and refuses earlier requests. */
function testReference(page: Page, outcome: string | RegExp): Promise<void> {
  return eventually(async () => {
    await press(page, /^Test /);
    await page.getByRole('status').getByText(outcome).waitFor({ timeout: ANSWER_MS });
  });
}

const ANSWER_MS = 2_000;

describeWith([BROWSER, BUILT_PAGES], 'the secrets and audit pages', function () {
  const site = consoleFor(this);
  const { ask, look } = site;

  it('show references and whether they resolve, but no values, light and dark', async () => {
    const looked = await look('/ui/secrets');
    const { page } = looked;
    await testReference(page, 'Vault has a value.');
    await assertCleanInBothThemes(looked);
    const text = await page.content();
    assert.ok(text.includes(`$VAULT_${SECRET.path}#${SECRET.field}`));
    assert.ok(!text.includes(site.testServer.password));
  });

  it('keep the last heading of the table inside the page at 1440 pixels', async () => {
    const { page } = await look('/ui/secrets');
    const heading = page.getByRole('columnheader', { name: 'Last checked' });
    const [text, table] = await Promise.all([
      heading.locator('button, span').last().boundingBox(),
      page.getByRole('main').locator('table').first().boundingBox(),
    ]);
    assert.ok(text && table);
    assert.ok(
      text.x + text.width <= table.x + table.width + 1,
      `${text.x + text.width} of ${table.x + table.width}`,
    );
  });

  it('show why a reference no longer resolves', async () => {
    const looked = await look('/ui/secrets');
    const { page } = looked;
    site.testServer.vault.deleteVersion({ path: SECRET.path }, 1);
    await testReference(page, /no secret|does not|was deleted/i);
    await assertClean(looked);
  });

  it('show the audit trail, its histogram and a record, light and dark', async () => {
    await ask('GET', '/audit');
    const looked = await look('/ui/audit');
    const { page } = looked;
    const table = page.getByRole('table', { name: 'Records' });
    await table.waitFor();
    const { y = Infinity } = (await table.locator('tbody tr').first().boundingBox()) ?? {};
    assert.ok(y < 450, `the first record is ${y} px down`);
    await page.getByText(/^Chart of .* by time$/).click();
    await page.getByRole('img', { name: /^Records by time and outcome: / }).waitFor();
    await assertCleanInBothThemes(looked);
    await table.locator('a code').first().click();
    await seen(await dialogOf(page), /^Record \d/);
    await assertCleanInBothThemes(looked);
  });

  it('keep the search in the URL, audit it, and export its result', async () => {
    await ask('POST', '/profiles', { properties: { id: 'found' } });
    const looked = await look('/ui/audit');
    const { page } = looked;
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Operation', { exact: true }).fill('profiles.createProfile');
    await page.getByLabel('User', { exact: true }).fill('ada');
    await press(page, 'Search');
    await seen(page, /^Chart of 1 record by time/);
    assert.match(page.url(), /subject=ada/);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export JSON lines' }).click();
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\n');
    const record = JSON.parse(lines[0] ?? '') as { readonly requestId: string; readonly target: string };
    assert.equal(lines.length, 1);
    assert.match(record.target, /found/);
    const { results } = (await ask('GET', '/audit?operation=audit.getAudit&limit=1')) as {
      readonly results: readonly { readonly outcome: string }[];
    };
    assert.equal(results[0]?.outcome, '1 records by limit, operation, subject');
  });

  it('narrow the search to the time of a clicked bar, and report empty results and invalid filters', async () => {
    const looked = await look('/ui/audit');
    const { page } = looked;
    await page.getByText(/^Chart of .* by time$/).click();
    await page.locator('.gh-bar').first().click();
    await page.waitForURL(/from=.*to=/);
    await looked.go('/ui/audit?subject=nobody');
    await page.getByRole('heading', { name: 'No records' }).waitFor();
    await assertClean(looked);
    await press(page, 'Clear filters');
    await page
      .getByRole('link', { name: /audit\.getAudit|^ada$/ })
      .first()
      .waitFor();
    await looked.go('/ui/audit?status=none');
    await seen(page, '/query/status');
    await assertClean(looked);
  });

  it('report missing access and unknown pages, light and dark', async () => {
    const looked = await look('/ui/audit', { role: 'engineering' });
    const { page } = looked;
    await page.getByRole('heading', { name: 'You do not have access to this page' }).waitFor();
    await assertCleanInBothThemes(looked);
    await looked.go('/ui/nothing/here');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await assertCleanInBothThemes(looked);
    await page.getByRole('link', { name: /^Go to / }).click();
    await arrived(page, 'Tasks');
  });

  it('fit a phone without horizontal scrolling', async () => {
    const looked = await look('/ui/secrets', { width: 390 });
    await button(looked.page, /^Test /).waitFor();
    await assertClean(looked);
    await looked.go('/ui/audit');
    await looked.page.getByRole('table', { name: 'Records' }).waitFor();
    await assertClean(looked);
  });
});
