import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { callUrl } from '../support/call.js';
import { consoleFor, describePages, registerAdapter } from '../support/console-errors.js';
import {
  arrived,
  assertFits,
  assertPartClean,
  button,
  dialogGone,
  dialogOf,
  focused,
  press,
  seen,
} from '../support/page-text.js';
import { clickMiddle, dragOver, tapMiddle } from '../support/pointer.js';
import { eventually } from '../support/until.js';

/** More records than one page of a table shows. */
const CALLS = 60;

describePages('the audit page', function () {
  const site = consoleFor(this, {
    fill: async ({ testServer, ask }) => {
      const token = testServer.issueToken('admin');
      for (let number = 0; number < CALLS; number += 1) {
        const headers = { 'x-request-id': `change-${number}` };
        await callUrl(`${testServer.url}/profiles`, {
          token,
          headers,
          body: { properties: { id: `profile-${number}` } },
        });
      }
      await callUrl(`${testServer.url}/profiles/profile-7`, {
        token,
        method: 'PUT',
        headers: { 'x-request-id': 'changed-7' },
        body: { properties: { description: 'A second text' } },
      });
      const settings = (totalMs: number) => ({ baseUrl: 'http://127.0.0.1:9', timeouts: { totalMs } });
      await registerAdapter(ask, 'nso1.example.com', { model: 'http-rest', settings: settings(5000) });
      await ask('PUT', '/adapters/nso1.example.com', {
        properties: { properties: { properties: settings(10_000) } },
      });
      await ask('GET', '/audit');
      await callUrl(`${testServer.url}/login`, { body: { user: { username: 'eve', password: 'wrong' } } });
    },
  });

  it('shows absolute times and who, the first record near the top, and its own searches when they are wanted', async () => {
    const { page } = await site.look('/ui/audit');
    const table = page.getByRole('table', { name: 'Records' });
    await seen(table, /^Not signed in \(tried as unknown user [0-9a-f]{12}\)$/);
    const [first, last] = await Promise.all(
      [0, 19].map((at) => table.locator('tbody tr').nth(at).boundingBox()),
    );
    assert.ok(first && first.y <= 400, `the first record is at ${first?.y} px`);
    assert.ok(last && last.y + last.height <= 900, '20 records on a screen');
    const time = table.locator('time').first();
    assert.match(await time.innerText(), /\d:\d\d:\d\d/);
    assert.match((await time.getAttribute('title')) ?? '', /20\d\d.*:\d\d/);
    assert.equal(await table.locator('a:not([href])').count(), 0);
    assert.equal(await table.getByRole('link', { name: 'audit.getAudit' }).count(), 0);
    await page.getByRole('img', { name: /^Records: \d+ done, \d+ refused, \d+ failed$/ }).waitFor();
    await seen(page, 'Chain not verified yet');
    await press(page, 'Verify now');
    await seen(page, /^Chain verified up to record \d/);
    await focused(button(page, 'Verify now'));
    await page.getByLabel('Show', { exact: true }).selectOption('All records');
    await table.getByRole('link', { name: 'audit.getAudit' }).first().waitFor();
    await assertFits(page);
    await clickMiddle(page, table.locator('a code').first());
    await seen(await dialogOf(page), /^Record \d/);
  });

  it('shows what a recorded change did', async () => {
    const { page } = await site.look('/ui/audit?operation=profiles.updateProfile&request=changed-7');
    const drawer = page.getByRole('dialog', { name: 'Request changed-7' });
    await drawer.getByText(/^What changed: version \d+$/).click();
    await seen(drawer, /A second text/);
    await assertPartClean(drawer);
  });

  it('exports every record that the search matches in one click, and prints them on more than one sheet', async () => {
    const { page } = await site.look('/ui/audit?operation=profiles.createProfile');
    const rows = page.getByRole('table', { name: 'Records' }).locator('tbody tr');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 50);
    const download = page.waitForEvent('download');
    await clickMiddle(page, page.getByRole('link', { name: 'Export CSV' }));
    const file = await download;
    assert.equal(file.suggestedFilename(), 'audit.csv');
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    assert.equal(lines.length, CALLS + 1);
    assert.ok(lines.every((line) => /^seq,|,change-\d+,profiles.createProfile,/.test(line)));
    await page.emulateMedia({ media: 'print' });
    await rows.nth(CALLS - 1).waitFor();
    const link = page.getByRole('link', { name: 'Export CSV' });
    await link.filter({ visible: true }).waitFor({ state: 'detached' });
    const pdf = (await page.pdf()).toString('latin1');
    assert.ok((pdf.match(/\/Type \/Page\b/g) ?? []).length > 1);
    await page.emulateMedia({ media: null });
    await rows.nth(50).waitFor({ state: 'detached' });
  });

  it('says in one sentence what each record did, and shows the record with one press of the mouse', async () => {
    const { page } = await site.look('/ui/audit');
    const table = page.getByRole('table', { name: 'Records' });
    const changed = table.getByRole('row', {
      name: /ada changed the adapter nso1\.example\.com: timeouts\.total 5 s to 10 s/,
    });
    await changed.waitFor();
    const box = await changed.boundingBox();
    assert.ok(box && box.height <= 36, JSON.stringify(box));
    await table.getByRole('row', { name: /ada created the profile profile-59/ }).waitFor();
    await table.getByRole('row', { name: /Not signed in .* tried to sign in/ }).waitFor();
    await clickMiddle(page, changed.getByRole('button', { name: /^Record \d+: ada changed the adapter/ }));
    const drawer = await dialogOf(page);
    await seen(drawer, /ada changed the adapter nso1\.example\.com/);
    await seen(drawer, /"operation": "adapters\.updateAdapter"/);
    await assertPartClean(drawer);
    await page.keyboard.press('Escape');
    await dialogGone(page);
  });

  it('limits records, filters and export to the time that is selected on any page', async () => {
    const { page, follow } = await site.look('/ui/?from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z');
    await arrived(page, 'Overview');
    await follow('/ui/audit');
    await seen(page, 'No records');
    await seen(page, /^Filters: From .* To /);
    for (const name of ['Export CSV', 'Export JSON lines'])
      assert.match(
        (await page.getByRole('link', { name }).getAttribute('href')) ?? '',
        /since=2026-01-01T00%3A00%3A00Z&until=2026-01-01T01%3A00%3A00Z/,
      );
    const strip = page.getByRole('region', { name: 'Time strip' });
    await press(strip, 'Reset');
    await page.getByRole('table', { name: 'Records' }).waitFor();
    assert.ok(!page.url().includes('from='));
    await dragOver(strip.locator('.gh-time-strip-plot'), 0.1, 0.3);
    await seen(page, 'No records');
    await press(page, 'Clear filters');
    await page.getByRole('table', { name: 'Records' }).waitFor();
    assert.ok(!page.url().includes('from='));
  });

  it('finds by one field what people know: an id, a name, a path, a status and a person (N5)', async () => {
    const { page } = await site.look('/ui/audit', { width: 390, height: 844 });
    const rows = page.getByRole('table', { name: 'Records' }).locator('tbody tr');
    const field = page.getByRole('searchbox', { name: 'Search the audit trail' });
    for (const [words, found] of [
      ['change-7', /profile-7/],
      ['PROFILE-42', /profile-42/],
      ['/profiles/profile-7', /changed the profile profile-7: description set to A second text/],
      ['401', /login\./],
      ['no-such-device.example.com', /./],
    ] as const) {
      await field.fill(words);
      await tapMiddle(page, page.getByRole('button', { name: 'Search', exact: true }));
      await page.waitForURL((url) => url.searchParams.get('search') === words);
      if (words.startsWith('no-')) await page.getByRole('heading', { name: 'No records' }).waitFor();
      else await rows.filter({ hasText: found }).first().waitFor();
      assert.equal(await field.inputValue(), words);
    }
    await assertFits(page);
  });

  it('keeps the search in the URL, moves the focus to its result, audits it, and exports it', async () => {
    const { page } = await site.look('/ui/audit');
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Operation', { exact: true }).fill('profiles.updateProfile');
    await page.getByLabel('User', { exact: true }).fill('ada');
    await press(page, 'Search');
    await seen(page, '1 record loaded');
    assert.match(page.url(), /subject=ada/);
    await eventually(async () => {
      assert.equal(await page.locator(':focus').innerText(), '1 record loaded');
    });
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export JSON lines' }).click();
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\n');
    const record = JSON.parse(lines[0] ?? '') as { readonly requestId: string; readonly target: string };
    assert.equal(lines.length, 1);
    assert.match(record.target, /profile-7/);
    const { results } = (await site.ask('GET', '/audit?operation=audit.getAudit&limit=1')) as {
      readonly results: readonly { readonly outcome: string }[];
    };
    assert.equal(results[0]?.outcome, '1 records by limit, operation, subject');
  });

  it('reports empty results and invalid filters', async () => {
    const { page, go } = await site.look('/ui/audit?subject=nobody');
    await page.getByRole('heading', { name: 'No records' }).waitFor();
    await assertFits(page);
    await press(page, 'Clear filters');
    await seen(page.getByRole('table', { name: 'Records' }), /audit\.getAudit|^ada$/);
    await go('/ui/audit?status=none');
    await seen(page, '/query/status');
    await assertFits(page);
  });
});
