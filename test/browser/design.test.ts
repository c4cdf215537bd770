import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { BROWSER_TEST_MS, openBrowser, type PageView, type TestBrowser } from '../support/browser.js';
import { serveFormPage } from '../support/form-page.js';
import { BROWSER } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import {
  assertAccessible,
  assertAccessibleInBothThemes,
  button,
  dialogGone,
  dialogOf,
  focused,
  seen,
} from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';

const CONSOLE = fileURLToPath(new URL('../../../console', import.meta.url));

/** Controls that are smaller than a target may be, in pixels; links in a text are as high as their line. */
const smallTargets = (page: Page, least: number) =>
  page.evaluate<
    readonly string[]
  >(`[...document.querySelectorAll('button, select, textarea, input, .gh-button')]
  .filter((one) => one.checkVisibility() && !one.closest('[inert]'))
  .map((one) => [one, (one.closest('.gh-row-check, .gh-check') ?? one).getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && (width < ${least} - 0.5 || height < ${least} - 0.5))
  .map(([one, { width, height }]) => [one.getAttribute('aria-label') ?? one.textContent, Math.round(width) + 'x' + Math.round(height)].join(' '))`);

describeWith(BROWSER, 'the controls of the pages', function () {
  this.timeout(BROWSER_TEST_MS);
  const opened = openedBySuite();
  let url: string;
  let browser: TestBrowser;
  before(async () => {
    const outDir = temporaryFolder().path;
    await build({
      configFile: `${CONSOLE}/vite.config.ts`,
      mode: 'gallery',
      base: '/',
      logLevel: 'error',
      build: { outDir, emptyOutDir: true },
    });
    ({ url } = await opened(serveFormPage(outDir)));
    browser = await opened(openBrowser());
  });

  /** Opens the page of the controls, and asserts at the end that it had no faults. */
  async function inGallery(view: PageView, use: (page: Page) => Promise<void>): Promise<void> {
    const { page, faults, close } = await browser.look(url, view);
    await page.goto(`${url}/gallery.html`);
    await page.getByRole('heading', { name: 'Controls' }).waitFor();
    await use(page);
    await close();
    assert.deepEqual(faults, []);
  }

  it('have enough contrast in both themes and in the colors of the system', async () => {
    await inGallery({}, (page) => assertAccessibleInBothThemes(page.locator('html'), 'controls'));
    await inGallery({ isForced: true }, (page) => assertAccessible(page.locator('html'), 'forced', true));
  });

  it('are 24 px for a mouse, buttons 32 px, and 44 px with text of 16 px on a phone', async () => {
    await inGallery({}, async (page) => {
      assert.deepEqual(await smallTargets(page, 24), []);
      for (const kind of ['primary', 'secondary', 'danger', 'link', 'plain']) {
        const box = await button(page, `${kind} usual`).boundingBox();
        assert.equal(box?.height, 32, kind);
      }
    });
    await inGallery({ width: 390, height: 844 }, async (page) => {
      assert.deepEqual(await smallTargets(page, 44), []);
      const sizes = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('input:not([type=checkbox]), select, textarea')].map((one) => getComputedStyle(one).fontSize)`,
      );
      assert.deepEqual([...new Set(sizes)], ['16px']);
    });
  });

  it('have one ring around the focus', async () => {
    await inGallery({}, async (page) => {
      const stops = new Map<string, string>();
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press('Tab');
        const [name = '', ring = ''] = await page.evaluate<readonly string[]>(
          `(({ tagName }, { outlineStyle, outlineWidth, outlineColor, boxShadow }) =>
            [tagName, [outlineStyle, outlineWidth, outlineColor, boxShadow].join(' ')])(document.activeElement, getComputedStyle(document.activeElement))`,
        );
        stops.set(name, ring);
      }
      assert.ok(stops.has('INPUT') && stops.has('BUTTON') && stops.has('SELECT'), [...stops.keys()].join());
      assert.deepEqual([...new Set(stops.values())], ['solid 2px rgb(11, 87, 164) none']);
    });
  });

  it('do not move with reduced motion, and fade for 120 ms otherwise', async () => {
    await inGallery({}, async (page) => {
      const lasts = (seconds: RegExp) =>
        eventually(async () => {
          const style = `getComputedStyle(document.querySelector('.gh-button')).transitionDuration`;
          assert.match(await page.evaluate<string>(style), seconds);
        });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await lasts(/^0s/);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await lasts(/^0\.12s/);
    });
  });

  it('work with the mouse, a finger and keys', async () => {
    await inGallery({}, async (page) => {
      const actions = button(page, 'Actions for edge-berlin');
      await clickMiddle(page, actions);
      await focused(page.getByRole('menuitem', { name: 'Test now' }));
      await page.keyboard.press('ArrowDown');
      await focused(page.getByRole('menuitem', { name: 'Delete' }));
      await page.keyboard.press('Escape');
      await focused(actions);
      const opener = button(page, 'Open a dialog');
      await clickMiddle(page, opener);
      const dialog = await dialogOf(page);
      await focused(dialog.getByLabel('Comment'));
      await page.keyboard.press('Escape');
      await dialogGone(page);
      await focused(opener);
      await clickMiddle(page, button(page, 'Show a message'));
      await seen(page, 'edge-berlin is reachable.');
    });
    await inGallery({ width: 390, height: 844 }, async (page) => {
      await tapMiddle(page, button(page, 'Actions for edge-hamburg-22.example.com'));
      const item = page.getByRole('menuitem', { name: 'Stop' });
      await tapMiddle(page, item);
      await item.waitFor({ state: 'detached' });
    });
  });
});
