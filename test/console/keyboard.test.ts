import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { lackOfBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
import { callUrl } from '../support/call.js';
import { fillGallery, type Gallery } from '../support/gallery.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openWorld, type World } from '../support/world.js';

/** What has the focus, as it is told to those who do not see it; empty where nobody could see that it is there. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return '';
  const style = getComputedStyle(at);
  const isSeen = style.outlineStyle !== 'none' || style.boxShadow !== 'none' || at.matches('input, textarea, select');
  const name = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '';
  return isSeen || at.closest('[role=menu], [class*=pf-]') ? name.trim() : '(not to be seen) ' + name.trim();
})()`;

describe('the console by keys alone', function () {
  this.timeout(90_000);
  let world: World;
  let browser: TestBrowser;
  let gallery: Gallery;

  before(async function () {
    const lack = lackOfBrowser();
    if (lack !== undefined) {
      process.stderr.write(`  skipped: ${lack}\n`);
      this.skip();
    }
    world = await openWorld({ folder: temporaryFolder().path });
    gallery = await fillGallery(world);
    browser = await openBrowser();
  });
  after(async () => {
    await (browser as TestBrowser | undefined)?.close();
    await (world as World | undefined)?.close();
  });

  /** Presses Tab until something of this name has the focus. */
  async function tabTo(page: Page, name: RegExp, most = 80): Promise<void> {
    const passed: string[] = [];
    for (let presses = 0; presses < most; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<string>(FOCUSED);
      if (name.test(focused)) return;
      passed.push(focused);
    }
    assert.fail(`${most} times Tab lead to nothing like ${String(name)}: ${passed.join(' | ')}`);
  }

  it('signs in, restarts an adapter, opens a task, fills it in, and rejects it', async () => {
    const looked = await browser.look(world.url);
    const { page, faults } = looked;
    const { keyboard } = page;
    await page.goto(`${world.url}/ui/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await tabTo(page, /^Token/);
    await keyboard.insertText(world.mint('admin', 'engineering'));
    await tabTo(page, /^Sign in$/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

    await tabTo(page, /^Adapters$/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Adapters', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Actions for core1' }).waitFor();
    await tabTo(page, /^Actions for core1$/);
    await keyboard.press('Enter');
    const restart = page.getByRole('menuitem', { name: 'Restart' });
    await restart.waitFor();
    for (let presses = 0; presses < 10; presses += 1) {
      if ((await page.evaluate<string>(FOCUSED)).startsWith('Restart')) break;
      await keyboard.press('ArrowDown');
    }
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^Restart$/, 12);
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(
      await page.evaluate<string>(FOCUSED),
      /Actions for core1/,
      'the focus returns to where it was',
    );

    await page.goto(`${world.url}/json-forms/task/ShowJsonForm?task=${gallery.formTask}`);
    await page.getByRole('row', { name: /VLAN id/ }).waitFor();
    await tabTo(page, /VLAN|Site/, 20);
    await keyboard.press('ArrowDown');
    await keyboard.press('F2');
    await keyboard.press('Control+A');
    await keyboard.type('300');
    await keyboard.press('Enter');
    await page.getByText('1 change').first().waitFor();
    await tabTo(page, /^Reject…$/, 20);
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^Why\?/, 6);
    await keyboard.type('Not this week');
    await tabTo(page, /^Reject$/, 6);
    await keyboard.press('Enter');
    await page.getByText('✕ Rejected').waitFor();

    const { json } = await callUrl(`${world.url}/json-forms/tasks/${gallery.formTask}`, {
      ...{ method: 'GET', token: world.mint('admin') },
    });
    const { outcome } = json as { readonly outcome: { readonly reason: string; readonly export: unknown } };
    assert.deepEqual(outcome.export, { site: 'ber1', vlan: 300 });
    assert.equal(outcome.reason, 'Not this week');
    assert.deepEqual(faults, []);
    await looked.close();
  });
});
