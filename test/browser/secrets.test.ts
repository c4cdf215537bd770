import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFor, describePages } from '../support/console-errors.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { arrived, button, assertFits, assertPartClean, press, seen } from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';
import { SECRET } from '../support/test-server.js';

/** Adapters besides that of the test server, and the one with leased credentials. */
const ADAPTERS = Array.from({ length: 34 }, (_, at) => `nso${at + 1}.example.com`);
/** An adapter whose secret is not in Vault. */
const WITHOUT_SECRET = 'nso6.example.com';
const LEASE_SECONDS = 600;
const MAX_STALE_SECONDS = 1200;

/** Returns the file of an unused adapter, with a reference as its password. */
function adapterFile(reference: string): string {
  return `plugin: http-rest
baseUrl: http://127.0.0.1:9
auth: { type: basic, username: gatehouse, password: "${reference}" }
health: { intervalSeconds: 0 }
`;
}

describePages('the page of 36 references', function () {
  const clock = createFakeScheduler(Date.now());
  const site = consoleFor(this, {
    clock,
    arrange(folder, vault) {
      vault.putPolicy('gatehouse', { 'secret/data/adapters/*': ['read'], 'database/creds/*': ['read'] });
      vault.mountDatabase('database');
      vault.createDatabaseRole('inventory', {
        ttl: LEASE_SECONDS,
        maxTtl: LEASE_SECONDS,
        renewable: false,
      });
      const write = (name: string, reference: string) => {
        writeFileSync(join(folder, 'adapters', `${name}.yaml`), adapterFile(reference));
      };
      for (const name of ADAPTERS) {
        if (name !== WITHOUT_SECRET)
          vault.putSecret({ path: `adapters/${name}` }, { password: `of-${name}` });
        write(name, `$VAULT_adapters/${name}#password`);
      }
      write('inventory', '$VAULT_/database/creds/inventory#password');
    },
    vaultLines: `  kvVersion: auto\n  refresh: { maxStaleSeconds: ${MAX_STALE_SECONDS} }\n`,
  });

  it('begins with what is missing, lists names in their order, finds one, and tells whether it resolves', async () => {
    const { page } = await site.look('/ui/secrets', { width: 1280, height: 900 });
    const rows = page.getByRole('table').locator('tbody tr');
    await rows.nth(35).waitFor();
    assert.equal(await rows.count(), 36);
    const references = await rows.locator('td:first-child code').allInnerTexts();
    assert.equal(references[0], `$VAULT_adapters/${WITHOUT_SECRET}#password`);
    const [two, ten] = ['nso2.', 'nso10.'].map((name) => references.findIndex((one) => one.includes(name)));
    assert.ok(two !== undefined && ten !== undefined && two < ten, references.join(' '));
    await assertFits(page);
    await clickMiddle(page, page.getByRole('button', { name: 'Refresh now' }));
    await seen(rows.filter({ hasText: 'core1' }), /OK/);
    // Refreshes follow each other only after a pause.
    await clock.pass(10_000);
    const search = page.getByRole('textbox', { name: /^Search/ }).first();
    await search.fill('nso1.');
    await rows.nth(1).waitFor({ state: 'detached' });
    await clickMiddle(page, button(page, 'Test $VAULT_adapters/nso1.example.com#password'));
    await seen(page.getByRole('main'), 'Vault has a value.');
    assert.ok(!(await page.content()).includes('of-nso1.example.com'), 'no value is shown');
    // The server reads one secret a second.
    await clock.pass(1_000);
    await search.fill(WITHOUT_SECRET);
    await clickMiddle(page, button(page, `Test $VAULT_adapters/${WITHOUT_SECRET}#password`));
    await seen(page.getByRole('main'), /no secret|does not|was deleted/i);
  });

  it('shows that the orchestrator refused a rotated password, in its row and on the timeline (bug: "OK")', async () => {
    site.testServer.vault.putSecret({ path: SECRET.path }, { [SECRET.field]: 'a-wrong-password' });
    await site.ask('POST', '/admin/vault/refresh');
    const { page, go } = await site.look('/ui/secrets', { width: 390, height: 900 });
    const row = page.getByRole('row').filter({ hasText: 'core1' });
    await seen(row, /Refused with version 2\./);
    await seen(row, /credentials refused/);
    await assertPartClean(page.getByRole('main'));
    await go('/ui/adapters/core1');
    await seen(page.getByRole('main'), /Login refused with version 2/);
    await clock.pass(10_000);
  });

  it('names the secret that is missing after all secrets were reloaded (N25)', async () => {
    const { page } = await site.look('/ui/secrets', { width: 1280, height: 900 });
    await clickMiddle(page, page.getByRole('button', { name: 'Refresh now' }));
    await seen(
      page,
      new RegExp(`^.*2 of 36 cannot be used: .*${WITHOUT_SECRET.replaceAll('.', '\\.')}#password`),
    );
    await clock.pass(10_000);
  });

  it('says once that Vault is sealed, and marks a lease that has expired, also on a phone', async () => {
    site.testServer.vault.seal();
    await site.ask('POST', '/admin/vault/refresh');
    await clock.pass(LEASE_SECONDS * 1000 + 1);
    const { page } = await site.look('/ui/secrets');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await seen(page, /^(?:Error|Warning): Vault is sealed\. 34 secrets run on cached values until/);
      const expired = page.getByRole('row').filter({ hasText: 'inventory' });
      await seen(expired, 'Expired');
      await seen(expired, 'Ended');
      assert.equal(await page.getByText('Using cached value').first().isVisible(), true);
      assert.equal(
        await page.getByText('To fix: Unseal Vault.').count(),
        2,
        'the lease, and the missing secret',
      );
      await assertFits(page, `sealed, ${width}`);
    }
  });

  it('says on top of every page that Vault is sealed (N10)', async () => {
    for (const path of ['/ui/', '/ui/adapters/core1']) {
      const { page } = await site.look(path, { width: 390, height: 844 });
      const problems = page.getByRole('region', { name: 'Problems of the server' });
      const link = problems.getByRole('link', { name: /^Vault is sealed\. 34 secrets run on cached values/ });
      await link.waitFor();
      const [bar, heading] = [await problems.boundingBox(), await page.locator('h1').boundingBox()];
      assert.ok(bar && heading && bar.y + bar.height <= heading.y, JSON.stringify({ bar, heading }));
      await assertFits(page, path);
      await tapMiddle(page, link);
      await arrived(page, 'Secrets');
    }
  });

  it('marks the cached values that are too old', async () => {
    await clock.pass((MAX_STALE_SECONDS - LEASE_SECONDS) * 1000);
    const { page } = await site.look('/ui/secrets', { width: 390, height: 900 });
    await seen(page, /Vault is sealed\. 35 secrets have expired or are too old\./);
    await page.getByRole('row').filter({ hasText: 'Cached value too old' }).nth(33).waitFor();
    assert.equal(await page.getByText('Using cached value').count(), 0);
    await assertFits(page);
    site.testServer.vault.unseal();
    await press(page, 'Refresh now');
    await seen(page, 'Connected');
  });
});
