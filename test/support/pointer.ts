import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** A point of the window, in CSS pixels. */
export interface Point {
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

/** A mouse that counts its clicks. */
interface CountedMouse {
  /** Waits for an element, and clicks on its middle. */
  readonly click: (element: Locator) => Promise<void>;
  readonly clicks: () => number;
}

/** Creates a mouse that counts its clicks. */
export function countedMouse(page: Page): CountedMouse {
  let clicks = 0;
  return {
    clicks: () => clicks,
    async click(element) {
      await element.waitFor();
      clicks += 1;
      await clickMiddle(page, element);
    },
  };
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

/** Drags the mouse over a part of the width of an element, from 0 to 1. */
export async function dragOver(element: Locator, from: number, to: number): Promise<void> {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  assert.ok(box, 'the element is on the screen');
  const { mouse } = element.page();
  const moveTo = (part: number) => mouse.move(box.x + box.width * part, box.y + box.height / 2);
  await moveTo(from);
  await mouse.down();
  await moveTo((from + to) / 2);
  await moveTo(to);
  await mouse.up();
}

/** Moves a finger over points of the screen; calls `between` before the finger leaves it. */
export async function swipe(
  page: Page,
  [first, ...others]: readonly [Point, ...Point[]],
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 });
  await touch('touchStart', [first]);
  for (const point of others) await touch('touchMove', [point]);
  await between();
  await touch('touchEnd', []);
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
