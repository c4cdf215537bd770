import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describePages } from '../support/console-errors.js';
import { galleryFor } from '../support/form-gallery.js';
import { arrived, button, dialogGone, dialogOf, focused, seen, settled } from '../support/page-text.js';
import { storedTask } from '../support/task-page.js';

/** Accessible description of the focused element; empty if the element is not visible. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return '';
  const style = getComputedStyle(at);
  const isSeen = style.outlineStyle !== 'none' || style.boxShadow !== 'none' || at.matches('input, textarea, select');
  const name = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '';
  return isSeen || at.closest('[role=menu], [class*=pf-]') ? name.trim() : '(not to be seen) ' + name.trim();
})()`;

describePages('the console with the keyboard only', function () {
  const { site, gallery } = galleryFor(this);
  const { look } = site;

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
    const { page, go } = await look('/ui/', { isStranger: true });
    const { keyboard } = page;
    await button(page, 'Sign in').waitFor();
    await tabTo(page, /^Token/);
    await keyboard.insertText(site.testServer.issueToken('admin', 'engineering'));
    await tabTo(page, /^Sign in$/);
    await keyboard.press('Enter');
    await arrived(page, 'Overview');

    await tabTo(page, /^Adapters$/);
    await keyboard.press('Enter');
    await arrived(page, 'Adapters');
    const actions = button(page, 'Actions for core1');
    await actions.waitFor();
    await settled(page);
    await tabTo(page, /^Actions for core1$/);
    await keyboard.press('Enter');
    const restart = page.getByRole('menuitem', { name: 'Restart' });
    await restart.waitFor();
    for (let presses = 0; presses < 20; presses += 1) {
      if ((await page.evaluate<string>(FOCUSED)).startsWith('Restart')) break;
      await keyboard.press('ArrowDown');
    }
    await focused(restart);
    await keyboard.press('Enter');
    await dialogOf(page);
    await tabTo(page, /^Restart$/, 12);
    await keyboard.press('Enter');
    await dialogGone(page);
    // The focus returns to its previous element.
    await focused(actions);

    await go(`/json-forms/task/ShowJsonForm?task=${gallery().formTask}`);
    await page.getByRole('row', { name: /VLAN id/ }).waitFor();
    await tabTo(page, /VLAN|Site/, 20);
    await keyboard.press('ArrowDown');
    await focused(page.getByRole('row', { name: /VLAN id/ }));
    await keyboard.press('F2');
    await focused(page.getByRole('textbox', { name: 'VLAN id' }));
    await keyboard.press('Control+A');
    await keyboard.type('300');
    await keyboard.press('Enter');
    await seen(page, '1 change');
    await tabTo(page, /^Reject…$/, 20);
    await keyboard.press('Enter');
    await dialogOf(page);
    await tabTo(page, /^Reason/, 6);
    await keyboard.type('Not this week');
    await tabTo(page, /^Reject$/, 6);
    await keyboard.press('Enter');
    await seen(page, /✕ Rejected/);

    const { outcome } = await storedTask(site, gallery().formTask);
    assert.deepEqual(outcome?.export, { mtu: 1500, site: 'ber1', tagged: true, vlan: 300 });
    assert.equal(outcome.reason, 'Not this week');
  });
});
