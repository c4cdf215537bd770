import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { callUrl } from '../support/call.js';
import { consoleFor, describePages } from '../support/console-errors.js';
import {
  arrived,
  assertFits,
  assertPartClean,
  choose,
  dialogGone,
  dialogOf,
  press,
  seen,
} from '../support/page-text.js';
import { countedMouse } from '../support/pointer.js';

const RULES = `access:
  - { adapters: ["closed*"], roles: [lab] }
limits:
  from-file: { requests: 100000 }
  a-limit-with-a-rather-long-name-for-all-scripts: { callerNames: [night-script], operations: [login.whoami], adapters: [], requests: 2, periodSeconds: 86400 }
  nso-writes: { per: client, operations: [orchestrator-manager.restAction], adapters: ["nso*.example.com"], requests: 10, burst: 3, concurrent: 2 }
`;

function arrange(folder: string): void {
  appendFileSync(join(folder, 'gatehouse.yaml'), RULES);
  for (let at = 1; at <= 30; at += 1)
    writeFileSync(
      join(folder, 'adapters', `nso${at}.example.com.yaml`),
      'plugin: http-rest\nbaseUrl: http://127.0.0.1:1\nenabled: false\n',
    );
}

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

const named = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true });
const field = (at: Page | Locator, name: string) => at.getByLabel(name, { exact: true });

describePages('stored access rules and limits', function () {
  const site = consoleFor(this, {
    arrange,
    fill: async ({ testServer }) => {
      const token = testServer.issueTokenFor('night-script', 'admin');
      for (let call = 0; call < 3; call += 1)
        await callUrl(`${testServer.url}/whoami`, { method: 'GET', token });
    },
  });

  it('give the right to query one adapter, from the question, in 6 clicks', async () => {
    const { page } = await site.look('/ui/access', PHONE);
    await arrived(page, 'Access');
    const { click, clicks } = countedMouse(page);
    await click(field(page, 'Roles'));
    await page.keyboard.type('noc');
    await click(field(page, 'Adapter'));
    await page.keyboard.type('nso2.example.com');
    await click(named(page, 'Ask'));
    await seen(page, 'Answer: Denied');
    await click(named(page, 'Give this right'));
    const dialog = await dialogOf(page);
    await assertPartClean(dialog);
    await click(named(dialog, 'Review'));
    await seen(dialog, 'noc may then query nso2.example.com.');
    await seen(dialog, 'Nobody else is affected: a stored rule takes no right away.');
    await assertPartClean(dialog);
    await click(named(dialog, 'Save'));
    await dialogGone(page);
    await seen(page, 'Answer: Allowed');
    await page.getByRole('row', { name: /noc-query-nso2\.example\.com/ }).waitFor();
    assert.equal(clicks(), 6);
    await assertFits(page);
    await page.setViewportSize(DESKTOP);
    await assertFits(page);
  });

  it('limit one caller in 3 clicks', async () => {
    const { page } = await site.look('/ui/limits', PHONE);
    await arrived(page, 'Limits');
    const { click, clicks } = countedMouse(page);
    await click(named(page, 'Limit a caller'));
    const dialog = await dialogOf(page);
    await page.keyboard.type('day-script');
    await assertPartClean(dialog);
    await click(named(dialog, 'Review'));
    await seen(dialog, 'day-script: 100 calls in 60 seconds.');
    await click(named(dialog, 'Save'));
    await dialogGone(page);
    await page.getByRole('row', { name: /day-script.*100 calls/ }).waitFor();
    assert.equal(clicks(), 3);
    await assertFits(page);
  });

  it('limit one caller with the keyboard alone', async () => {
    const { page } = await site.look('/ui/limits');
    await arrived(page, 'Limits');
    await named(page, 'Limit a caller').focus();
    await page.keyboard.press('Enter');
    const dialog = await dialogOf(page);
    await page.keyboard.type('robot-*');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await seen(dialog, 'robot-*: 7 calls in 60 seconds.');
    await page.keyboard.press('Enter');
    await dialogGone(page);
    await page.getByRole('row', { name: /robot.*7 calls/ }).waitFor();
  });

  it('change, return to an earlier version, and delete a rule', async () => {
    const rule = { roles: ['lab'], adapters: ['nso3*'], operations: ['orchestrator-manager.restQuery'] };
    await site.ask('PUT', '/access/rules/lab-nso3', { properties: rule });
    const { page } = await site.look('/ui/access');
    await arrived(page, 'Access');
    await choose(page, 'Actions for lab-nso3', 'Edit');
    const dialog = await dialogOf(page);
    await dialog.getByLabel('Change (restAction)').check();
    await press(dialog, 'Review');
    await seen(dialog, 'lab may then change nso3.example.com and nso30.example.com.');
    await press(dialog, 'Save');
    await dialogGone(page);
    await choose(page, 'Actions for lab-nso3', 'Versions');
    await page.getByRole('button', { name: /Created/ }).click();
    const rollBack = page.getByRole('button', { name: /^Roll back to version/ });
    await rollBack.click();
    await rollBack.last().click();
    await page.getByRole('button', { name: /Rolled back to version/ }).waitFor();
    await page.keyboard.press('Escape');
    await choose(page, 'Actions for lab-nso3', 'Delete');
    await seen(page.getByRole('dialog'), 'lab may no longer query nso3.example.com and nso30.example.com.');
    await press(page.getByRole('dialog'), 'Delete');
    await dialogGone(page);
    await press(page, 'Deleted rules');
    await page.getByRole('dialog').getByRole('button', { name: 'lab-nso3' }).click();
    await page.getByRole('button', { name: /^Restore version/ }).waitFor();
  });

  it('show those of files locked, with their path', async () => {
    const { page } = await site.look('/ui/access');
    const row = page.getByRole('row', { name: /access\/0/ });
    await seen(row, /^Locked: .*gatehouse\.yaml, line \d+$/);
    assert.equal(await row.getByRole('button').count(), 0);
    await page.goto(`${site.testServer.url}/ui/limits`);
    await seen(page.getByRole('row', { name: /from-file/ }), /^Locked: .*gatehouse\.yaml, line \d+$/);
  });

  it('are shown to a viewer, who changes nothing, with the callers that are at their limits', async () => {
    const { page } = await site.look('/ui/limits', { role: 'viewer' });
    for (const text of [
      'at the limit',
      '10 calls in 60 seconds',
      'at most 3 at once',
      'adapters: nso*.example.com',
    ])
      await seen(page, text);
    assert.match(await page.getByRole('row', { name: /^night-script/ }).innerText(), /100 %/);
    assert.equal(await named(page, 'Limit a caller').count(), 0);
    await assertPartClean(page.getByRole('main'));
    await page.setViewportSize(PHONE);
    await assertFits(page);
  });
});
