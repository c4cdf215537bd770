import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults, type PageView } from '../support/browser.js';
import { createForm, describePages } from '../support/console-errors.js';
import { PAGES } from '../support/console-pages.js';
import { messagesOf } from '../support/console-texts.js';
import { galleryFor } from '../support/form-gallery.js';
import {
  arrived,
  assertColorsClean,
  assertFits,
  assertFocusSeen,
  assertSpacedTextFits,
  button,
  cutOff,
  dialogGone,
  dialogOf,
  focused,
  seen,
  settled,
} from '../support/page-text.js';
import { storedTask } from '../support/task-page.js';

/** Rules of axe whose result depends on the width; each page has been checked with the others in every-page.test.ts. */
const LAYOUT_RULES = {
  type: 'rule',
  values: ['target-size', 'scrollable-region-focusable', 'aria-hidden-focus'],
};

/** Presses of Tab on each page. */
const PRESSES = 8;

/** Accessible description of the focused element; empty if the element is not visible. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return '';
  const style = getComputedStyle(at);
  const isSeen = style.outlineStyle !== 'none' || style.boxShadow !== 'none' || at.matches('input, textarea, select');
  const name = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '';
  return isSeen || at.closest('[role=menu], [class*=pf-]') ? name.trim() : '(not to be seen) ' + name.trim();
})()`;

describePages('the pages on other screens, in other languages, and with the keyboard only', function () {
  const { site, gallery } = galleryFor(this);
  const inConsole = () => [
    ...PAGES,
    `/forms/${gallery().formId}`,
    `/profiles/${gallery().profileId}`,
    '/api/restCall',
  ];
  const others = () => [
    `/ui/forms/${gallery().formId}?view=source`,
    `/ui/profiles/${gallery().profileId}?tab=edit`,
    `/json-forms/task/ShowJsonForm?task=${gallery().formTask}`,
  ];

  /** Opens every page with a view, and calls `check` on each, which ends with the focus on the page. */
  async function onEach(view: PageView, check: (page: Page, path: string) => Promise<void>): Promise<void> {
    const token = site.testServer.issueToken('admin', 'engineering');
    const { page, go, follow } = await site.look('/ui/nothing/here', { token, ...view });
    await settled(page);
    for (const path of [...inConsole().map((one) => `/ui${one}`), ...others()]) {
      await (path.startsWith('/ui') && !path.includes('?') ? follow(path) : go(path));
      await check(page, path);
      for (let presses = 0; presses < PRESSES; presses += 1) await assertFocusSeen(page, path);
    }
  }

  it('have no horizontal scrolling at 320 px and at 200 %, and show the focus', () =>
    onEach({ width: 320 }, async (page, path) => {
      await page.setViewportSize({ width: 640, height: 450 });
      await assertFits(page, `${path} at 200 %`);
      await page.setViewportSize({ width: 320, height: 900 });
      await assertFits(page, path);
      assert.deepEqual(await accessibilityFaults(page.locator('html'), false, LAYOUT_RULES), [], path);
    }));

  it('show the focus and fit in the colors of the system, also with the text spacing of WCAG 1.4.12', () =>
    onEach({ width: 1280, isForced: true }, async (page, path) => {
      await assertColorsClean(page, path);
      await assertSpacedTextFits(page, path);
    }));

  it('are in the menu of the account, and stay chosen on this device', async () => {
    const { page, go } = await site.look('/ui/adapters');
    await arrived(page, 'Adapters');
    await button(page, /^Account of/).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await arrived(page, 'Adapter');
    await page.locator('html[lang=de]').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Übersicht', exact: true }).waitFor();
    await go('/ui/yang');
    await arrived(page, 'YANG zu Schema');
    await button(page, /^Konto von/).click();
    await page.getByRole('menuitem', { name: 'Sprache des Browsers' }).click();
    await arrived(page, 'YANG to schema');
  });

  for (const language of ['de', 'ja'] as const)
    it(`${language}: no button of the designer is cut off, and every page fits on 320 px, under its title in this language`, async () => {
      const doc = await createForm(site.ask, {
        name: `Ports ${language}`,
        schema: { type: 'object', properties: { 'hold-time': { type: 'integer' } } },
      });
      const { page, follow } = await site.look(`/ui/forms/${doc.id}`, { language });
      await page.getByRole('treeitem', { name: 'hold-time' }).waitFor();
      assert.deepEqual(await cutOff(page.locator('main button')), []);
      await page.setViewportSize({ width: 320, height: 900 });
      const texts = messagesOf(language);
      const names = new Set([...Object.values(texts).map(({ title }) => title), texts['profiles']?.['new']]);
      for (const path of PAGES.filter((one) => one !== '/adapters/core1')) {
        await follow(`/ui${path}`);
        await assertFits(page, path);
        const title = (await page.getByRole('heading', { level: 1 }).innerText()).trim();
        assert.ok(names.has(title), `${path} has the title "${title}"`);
      }
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

  it('sign in, restart an adapter, open a task, fill it in, and reject it, without a mouse', async () => {
    const { page, go } = await site.look('/ui/', { isStranger: true });
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
