import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Presses the mouse at the middle of an element: what covers the element receives the click. */
export async function clickMiddle(
  page: Page,
  element: Locator,
  modifiers: readonly 'Shift'[] = [],
): Promise<void> {
  const { x, y } = await middleOf(element);
  for (const key of modifiers) await page.keyboard.down(key);
  await page.mouse.move(x, y);
  await page.mouse.click(x, y);
  for (const key of modifiers) await page.keyboard.up(key);
}

/** Touches the middle of an element. */
export async function tapMiddle(page: Page, element: Locator): Promise<void> {
  const point = await middleOf(element);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}

/** Resolves to the middle of the first line of an element: between the lines of a link is no link. */
export async function middleOf(element: Locator): Promise<Point> {
  await element.scrollIntoViewIfNeeded();
  const middle = await element.evaluate((shown) => {
    const [line] = (
      shown as unknown as { getClientRects(): readonly (Point & { width: number; height: number })[] }
    ).getClientRects();
    return line && { x: line.x + line.width / 2, y: line.y + line.height / 2 };
  });
  assert.ok(middle, 'the element is on the screen');
  return middle;
}
