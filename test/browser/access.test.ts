import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFor, describePages } from '../support/console-errors.js';
import { arrived, assertFits, assertPartClean, press, seen } from '../support/page-text.js';

const RULES = `access:
  - { adapters: ["nso*"], roles: [admin] }
  - { adapters: ["nso*"], roles: [noc], operations: [orchestrator-manager.restQuery], paths: ["/restconf/data/**"] }
  - { tags: ["site:berlin"], roles: [engineering] }
roles: { orchestrator-manager.restQuery: [admin, noc, engineering] }
`;

function arrange(folder: string): void {
  appendFileSync(join(folder, 'gatehouse.yaml'), RULES);
  for (let at = 1; at <= 36; at += 1)
    writeFileSync(
      join(folder, 'adapters', `nso${at}.example.com.yaml`),
      `plugin: http-rest\nbaseUrl: http://127.0.0.1:1\nenabled: false\ntags: ["site:${at % 3 === 0 ? 'berlin' : 'zurich'}"]\n`,
    );
}

describePages('the page of access, with 36 adapters', function () {
  const site = consoleFor(this, { arrange });

  it('shows what each role may do, and why, also on a phone, and the roles of operations', async () => {
    const { page, go } = await site.look('/ui/access?tab=adapters', { width: 360 });
    await arrived(page, 'Access');
    await page.getByRole('button', { name: 'noc, nso2.example.com: Depends. Show why' }).waitFor();
    await assertFits(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await assertFits(page);
    await page.getByRole('textbox', { name: /^Search/ }).fill('nso36');
    await press(page, 'noc, nso36.example.com: Depends. Show why');
    await seen(page, /admits only some calls: paths/);
    await seen(page, 'There is no rule for the adapter, so every call is admitted.');
    await assertPartClean(page.getByRole('dialog'));
    await press(page, 'Close');
    await page.getByLabel('Operation', { exact: true }).selectOption('restAction');
    await page.getByRole('button', { name: 'noc, nso36.example.com: Denied. Show why' }).waitFor();
    await page.getByLabel('Role', { exact: true }).selectOption('engineering');
    assert.equal(await page.getByRole('button', { name: /^noc, / }).count(), 0);
    await go('/ui/access?tab=operations');
    await page.getByRole('textbox', { name: /^Search/ }).fill('restQuery');
    await press(page, 'noc, orchestrator-manager.restQuery: Allowed. Show why');
    await seen(page, /Changed by the configuration\./);
    await assertFits(page);
  });

  it('answers a question, and reports a name that does not exist', async () => {
    const { page } = await site.look('/ui/access?tab=ask', { mayFault: true });
    await page.getByLabel('Roles').fill('noc');
    await page.getByLabel('Adapter').fill('nso1.example.com');
    await page.getByLabel('Path').fill('/restconf/data/x');
    await press(page, 'Ask');
    await seen(page, /admits the call/);
    await page.getByLabel('Adapter').fill('nso1.example.con');
    await press(page, 'Ask');
    await seen(page, /did you mean "nso1\.example\.com"/);
  });
});
