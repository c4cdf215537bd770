import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { consoleFor, describePages } from '../support/console-errors.js';
import { arrived, assertFits, assertPartClean, dialogGone, dialogOf, seen } from '../support/page-text.js';

function arrange(folder: string): void {
  const users = ['ada', 'bob'].map(
    (name) => `    - { username: ${name}, passwordHash: "${HASH}", roles: [noc] }\n`,
  );
  appendFileSync(
    join(folder, 'gatehouse.yaml'),
    `access:\n  - { adapters: ["closed*"], roles: [lab] }\nlimits:\n  from-file: { requests: 100000 }\n`,
  );
  void users;
  for (let at = 1; at <= 30; at += 1)
    writeFileSync(
      join(folder, 'adapters', `nso${at}.example.com.yaml`),
      'plugin: http-rest\nbaseUrl: http://127.0.0.1:1\nenabled: false\n',
    );
}
const HASH = '';

/** Presses with the mouse as a hand does: down, 80 ms, up, at the middle of a thing. */
async function click(page: Page, thing: Locator): Promise<void> {
  await thing.scrollIntoViewIfNeeded();
  const box = await thing.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.waitForTimeout(80);
  await page.mouse.up();
}

describePages('stored access rules and limits', function () {
  const site = consoleFor(this, { arrange });
  const shot = (page: Page, name: string) =>
    process.env['SHOTS'] === undefined ? undefined : page.screenshot({ path: `${process.env['SHOTS']}/${name}.png` });

  for (const [title, width] of [
    ['with a mouse', 1280],
    ['on a phone', 390],
  ] as const)
    it(`give the right to query one adapter, ${title}`, async () => {
      const { page } = await site.look('/ui/access', { width });
      await arrived(page, 'Access');
      let clicks = 0;
      const press = (thing: Locator) => {
        clicks += 1;
        return click(page, thing);
      };
      await press(page.getByLabel('Roles', { exact: true }));
      await page.keyboard.type('noc');
      await press(page.getByLabel('Adapter', { exact: true }));
      await page.keyboard.type(width === 390 ? 'nso2.example.com' : 'nso1.example.com');
      await press(page.getByRole('button', { name: 'Ask', exact: true }));
      await shot(page, `ask-${width}`);
      await press(page.getByRole('button', { name: 'Give this right' }));
      const dialog = await dialogOf(page);
      await shot(page, `give-${width}`);
      await assertPartClean(dialog);
      await press(dialog.getByRole('button', { name: 'Review' }));
      await seen(dialog, /^noc may then query nso[12]\.example\.com\.$/);
      await seen(dialog, 'Nobody else is affected: a stored rule takes no right away.');
      await shot(page, `review-${width}`);
      await assertPartClean(dialog);
      await press(dialog.getByRole('button', { name: 'Save' }));
      await dialogGone(page);
      await page.getByRole('row', { name: /noc-query-nso[12]/ }).first().waitFor();
      await seen(page, /access-rules?|Stored here/);
      assert.ok(clicks <= 6, `${clicks} clicks`);
      await assertFits(page);
      await shot(page, `access-${width}`);
    });
});
