import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { assertClean, openConsole, type WatchedConsole } from '../support/watched-console.js';
import { SECRET } from '../support/world.js';

const THEMES = ['light', 'dark'] as const;

describe('secrets and audit in the console', function () {
  this.timeout(60_000);
  let site: WatchedConsole;

  before(async function () {
    site = await openConsole(this);
  });
  after(async () => {
    await (site as WatchedConsole | undefined)?.close();
  });

  for (const theme of THEMES)
    it(`references, and whether they resolve, ${theme}; never a value`, async () => {
      const looked = await site.look('/ui/secrets', { theme });
      const { page } = looked;
      await page.getByRole('button', { name: /^Test / }).click();
      await page.getByText('it resolves now').waitFor();
      await assertClean(looked);
      const text = await page.content();
      assert.ok(text.includes(`$VAULT_${SECRET.path}#${SECRET.field}`));
      assert.ok(!text.includes('pw-4f81c2'));
      await looked.close();
    });

  it('a reference that does not resolve any more says why', async () => {
    const looked = await site.look('/ui/secrets');
    const { page } = looked;
    site.world.vault.deleteVersion({ path: SECRET.path }, 1);
    await page.getByRole('button', { name: /^Test / }).click();
    await page
      .getByText(/VAULT_|no secret|does not resolve/i)
      .first()
      .waitFor();
    await assertClean(looked);
    await looked.close();
  });

  for (const theme of THEMES)
    it(`the trail, its picture and a whole record, ${theme}`, async () => {
      await site.ask('GET', '/audit');
      const looked = await site.look('/ui/audit', { theme });
      const { page } = looked;
      await page.getByRole('img', { name: /^Records by time and outcome: / }).waitFor();
      await assertClean(looked);
      await page
        .getByRole('button', { name: /^Request / })
        .first()
        .click();
      await page.getByRole('dialog').getByText('"hash"').waitFor();
      await assertClean(looked);
      await looked.close();
    });

  it('a search is made in the address, is on record, and its result can be saved', async () => {
    const { look, ask } = site;
    await ask('POST', '/profiles', { properties: { id: 'found' } });
    const looked = await look('/ui/audit');
    const { page } = looked;
    await page.getByLabel('Operation', { exact: true }).fill('profiles.createProfile');
    await page.getByLabel('Who').fill('ada');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('1 record by time').waitFor();
    assert.match(page.url(), /subject=ada/);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export JSONL' }).click();
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
    await looked.close();
  });

  it('a bar of the picture narrows the search to its time, and nothing found says so', async () => {
    const looked = await site.look('/ui/audit');
    const { page } = looked;
    await page.locator('.gh-bar').first().click();
    await page.waitForURL(/since=.*until=/);
    await page.goto(`${site.world.url}/ui/audit?subject=nobody`);
    await page.getByRole('heading', { name: 'No records' }).waitFor();
    await assertClean(looked);
    await page.goto(`${site.world.url}/ui/audit?status=none`);
    await page.getByText('/status').first().waitFor();
    await assertClean(looked);
    await looked.close();
  });

  for (const theme of THEMES)
    it(`who has not the role is told so, ${theme}`, async () => {
      const looked = await site.look('/ui/audit', { theme, token: site.world.mint('engineering') });
      const { page } = looked;
      await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor();
      await assertClean(looked);
      await page.goto(`${site.world.url}/ui/nothing/here`);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      await assertClean(looked);
      await page.getByRole('link', { name: /^To / }).click();
      await page.getByRole('heading', { name: 'Tasks' }).waitFor();
      await looked.close();
    });

  it('a phone shows all of it without sideways scrolling', async () => {
    const looked = await site.look('/ui/secrets', { width: 390 });
    await looked.page.getByRole('button', { name: /^Test / }).waitFor();
    await assertClean(looked);
    await looked.page.goto(`${site.world.url}/ui/audit`);
    await looked.page.getByRole('img', { name: /^Records by time/ }).waitFor();
    await assertClean(looked);
    await looked.close();
  });
});
