import assert from 'node:assert/strict';
import type { Locator, Page, Response } from 'playwright-core';
import { accessibilityFaults, faultsOf, isForcedIn } from './browser.js';
import { eventually } from './until.js';

// Actions and waits of browser tests. Each function returns only when its effect is visible, so that tests do
// not depend on the speed of the machine.

/** A page, or a part of a page. */
type At = Page | Locator;

/**
 * Locates visible text with exactly these words (a notice has its kind before them), or text that matches a
 * pattern.
 */
export function words(at: At, text: string | RegExp): Locator {
  const wanted = typeof text === 'string' ? new RegExp(`^\\s*(?:\\w+:)?\\s*${escaped(text)}\\s*$`) : text;
  return at.getByText(wanted).filter({ visible: true }).first();
}

/** Waits until {@link words} are visible. */
export function seen(at: At, text: string | RegExp): Promise<void> {
  return words(at, text).waitFor();
}

/** A button of exactly this name. */
export function button(at: At, name: string | RegExp): Locator {
  return at.getByRole('button', { name, exact: true });
}

/** Presses a button as soon as it can be pressed. */
export function press(at: At, name: string | RegExp): Promise<void> {
  return button(at, name).click();
}

/** Opens a menu by its button, and chooses an item. */
export async function choose(page: Page, menu: string, item: string): Promise<void> {
  await press(page, menu);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Scrolls to the end of the page, where the bar with the buttons covers no field. */
export async function scrollToEnd(page: Page): Promise<void> {
  await page.evaluate('for (const box of document.querySelectorAll("*")) box.scrollTop = box.scrollHeight');
}

/** Replaces the content of an editor, as a person pastes text. */
export async function pasteInto(editor: Locator, text: string): Promise<void> {
  await editor.click();
  await focused(editor);
  await editor.press('ControlOrMeta+a');
  await editor.page().keyboard.insertText(text);
}

/** Resolves to the dialog once it has the focus and receives keys. */
export async function dialogOf(page: Page): Promise<Locator> {
  const dialog = page.getByRole('dialog');
  await within(dialog);
  return dialog;
}

/** Waits until no dialog is open. */
export function dialogGone(page: Page): Promise<void> {
  return page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Waits until a thing has the focus. */
export function focused(thing: Locator): Promise<void> {
  return thing.and(thing.page().locator(':focus')).first().waitFor();
}

/** Waits until an element, or a descendant, has the focus. */
export function within(thing: Locator): Promise<void> {
  return thing.and(thing.page().locator(':focus-within')).first().waitFor();
}

/** Waits for a heading of the first level, which shows that the page has loaded. */
export function arrived(page: Page, title: string): Promise<void> {
  return page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor();
}

/** The widths of an element, which the types of Node lack. */
interface ShownText {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly innerText: string;
}

/** Resolves to the texts of the elements that are wider than their place. */
export function cutOff(things: Locator): Promise<readonly string[]> {
  return things.evaluateAll((all) =>
    (all as unknown as readonly ShownText[])
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ innerText }) => innerText),
  );
}

/** Performs an action, and waits for the reply to its request `PUT /json-forms/forms/…` (a prefix). */
export async function answered(page: Page, wanted: string, act: () => Promise<unknown>): Promise<Response> {
  const reply = page.waitForResponse((one) =>
    `${one.request().method()} ${new URL(one.url()).pathname}`.startsWith(wanted),
  );
  const [response] = await Promise.all([reply, act()]);
  await response.finished();
  return response;
}

/** Performs an action, and asserts that the reply to its request is a success. */
export async function done(page: Page, wanted: string, act: () => Promise<unknown>): Promise<void> {
  const response = await answered(page, wanted, act);
  assert.ok(response.ok(), `${wanted}: ${response.status()} ${await response.text()}`);
}

/** Selector of placeholders for content that is still loading. */
const TO_COME = '[role=status][aria-label^=Loading], [aria-busy=true]';

/** Waits until nothing on the page is still loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, [role=alert]').first().waitFor();
  await page.locator(TO_COME).first().waitFor({ state: 'detached' });
}

/**
 * Asserts that axe, the content security policy and the console report no fault of a page in its present theme, and
 * that the page does not scroll horizontally. `state` names the page in tests of several pages.
 */
export async function assertClean(page: Page, state?: string): Promise<void> {
  await settled(page);
  await assertAccessible(page.locator('html'), state);
  await assertHarmless(page, state);
}

/** Asserts the same without axe, for states whose content axe has checked on another page or in another test. */
export async function assertFits(page: Page, state?: string): Promise<void> {
  await settled(page);
  await assertHarmless(page, state);
}

/** Asserts the same with the rules of axe for colors alone, for other colors of a page that axe has checked. */
export async function assertColorsClean(page: Page, state?: string): Promise<void> {
  await settled(page);
  await assertAccessible(page.locator('html'), state, true);
  await assertHarmless(page, state);
}

/** Asserts that axe finds no fault in an element: in all rules, or only in those of colors. */
export async function assertAccessible(
  element: Locator,
  state?: string,
  isOnlyColors = false,
): Promise<void> {
  if ((await accessibilityFaults(element, isOnlyColors)).length === 0) return;
  // A fault of the page is there again after its styles were computed again.
  await restyle(element.page());
  assert.deepEqual(await accessibilityFaults(element, isOnlyColors), [], state);
}

/** Asserts that no text is cut, and that no control leaves its panel, with the text spacing of WCAG 2.2 1.4.12. */
export async function assertSpacedTextFits(page: Page, state?: string): Promise<void> {
  await page.evaluate(SPACE_TEXT);
  await assertFits(page, state);
  assert.deepEqual(await page.evaluate(CUT_TEXT), [], state);
}

const SPACE_TEXT = `(() => {
  if (window.isTextSpaced) return;
  window.isTextSpaced = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-block-end: 2em !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()`;

/** Controls whose end is outside of the panel or the main part that contains them, unless that can be scrolled. */
const CUT_TEXT = `[...document.querySelectorAll('main button, main a, main th')].filter((one) => {
  const box = one.getBoundingClientRect();
  // The content of a closed details element has a size, but is not visible.
  if (box.width < 2 || !one.checkVisibility()) return false;
  for (let at = one.parentElement; at && at.tagName !== 'MAIN'; at = at.parentElement) {
    const { overflowX } = getComputedStyle(at);
    if (overflowX === 'auto' || overflowX === 'scroll') return false;
    if (at.matches('section') && box.right > at.getBoundingClientRect().right + 1) return true;
  }
  return false;
}).map((one) => one.outerHTML.slice(0, 120))`;

async function assertHarmless(page: Page, state?: string): Promise<void> {
  assert.deepEqual(faultsOf(page), [], state);
  const wide = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('html, main')].filter((one) =>
      one.scrollWidth > one.clientWidth && (one.tagName === 'HTML' || getComputedStyle(one).overflowX !== 'visible')
    ).map((one) => one.tagName)`,
  );
  assert.deepEqual(wide, [], `the page scrolls sideways${state === undefined ? '' : `: ${state}`}`);
}

/**
 * Asserts that axe finds no fault in an element in both themes. Only colors differ between the themes, so that axe checks
 * the rest once. The page stays in the theme that it did not have before.
 */
export async function assertAccessibleInBothThemes(element: Locator, state?: string): Promise<void> {
  const page = element.page();
  const isDark = (await page.locator('html[data-theme=dark]').count()) > 0;
  const [theme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  await assertAccessible(element, `${state ?? page.url()}, ${theme}`);
  await showTheme(page, other);
  await assertAccessible(element, `${state ?? page.url()}, ${other}`, true);
}

/** Asserts that axe finds no fault in a part of a page in both themes, and that the page has no other fault. */
export async function assertPartClean(part: Locator, state?: string): Promise<void> {
  await settled(part.page());
  await assertAccessibleInBothThemes(part, state);
  await assertHarmless(part.page(), state);
}

/** Asserts the same for the whole page. */
export function assertCleanInBothThemes(page: Page, state?: string): Promise<void> {
  return assertPartClean(page.locator('html'), state);
}

/** Has the browser prefer a theme, without transitions to it, and waits until the page has it. */
export async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await eventually(async () => {
    try {
      await page.locator(`html[data-theme=${theme}]`).waitFor({ timeout: THEME_MS });
    } catch (error) {
      // Chromium occasionally does not report the first change of the theme after a page was loaded.
      await page.emulateMedia({ colorScheme: theme === 'light' ? 'dark' : 'light' });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      throw error;
    }
  });
}

const THEME_MS = 2_000;

/**
 * Computes the style of every element again: on a busy machine Chromium now and then keeps an inherited color of the
 * theme before, or does not apply the emulated colors of the system to a part that was rendered just then.
 */
async function restyle(page: Page): Promise<void> {
  if (isForcedIn(page))
    for (const forcedColors of ['none', 'active'] as const) await page.emulateMedia({ forcedColors });
  await page.evaluate(`(async () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, *::before, *::after { --restyled: 1; }');
    for (const sheets of [[...document.adoptedStyleSheets, sheet], [...document.adoptedStyleSheets]]) {
      document.adoptedStyleSheets = sheets;
      await new Promise(requestAnimationFrame);
    }
  })()`);
}

/**
 * Removes the focus for a moment: an element must look different without it. An editor reports its focus
 * itself. Returns the elements that look the same; empty if the focus is visible.
 */
const UNSEEN_FOCUS = `(async () => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body) return '';
  const near = [at, at.parentElement, at.parentElement?.parentElement, ...at.children];
  const look = () => near.filter(Boolean).flatMap((one) => [null, '::before', '::after'].map((pseudo) => {
    const { outline, boxShadow, border, backgroundColor, textDecoration } = getComputedStyle(one, pseudo);
    return [outline, boxShadow, border, backgroundColor, textDecoration].join(' ');
  })).join();
  // CodeMirror draws its focus a moment later.
  const comes = async (holds) => {
    for (let frames = 0; frames < 60 && !holds(); frames += 1) await new Promise(requestAnimationFrame);
    return holds();
  };
  const editor = at.closest('.cm-editor');
  const focused = look();
  if (!editor) at.blur();
  const isSeen = editor
    ? await comes(() => editor.matches('.cm-focused') && getComputedStyle(editor).outlineStyle !== 'none')
    : await comes(() => look() !== focused);
  if (!editor) at.focus();
  return isSeen ? '' : at.outerHTML.slice(0, 200);
})()`;

/** Presses Tab and asserts that the focused element is visibly focused. */
export async function assertFocusSeen(page: Page, state: string): Promise<void> {
  await page.keyboard.press('Tab');
  const unseen = await page.evaluate<string>(UNSEEN_FOCUS);
  assert.equal(unseen, '', `the focus is not seen: ${state}`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
