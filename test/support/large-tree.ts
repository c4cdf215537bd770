import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { LookedAt } from './console-errors.js';
import { clickMiddle } from './pointer.js';
import { eventually } from './until.js';

/** Returns a row of a tree of which the page contains only the rows on the screen. */
export function rowNamed(page: Page, name: RegExp): Locator {
  return page.getByRole('row', { name });
}

/** Turns the wheel over the tree until a row is on the screen. */
export async function reachRow(page: Page, name: RegExp): Promise<Locator> {
  const found = rowNamed(page, name);
  await moveOver(page, page.getByRole('treegrid'));
  await eventually(async () => {
    if (await found.isVisible()) return;
    await page.mouse.wheel(0, 120);
    assert.fail(`${name.source} is not on the screen`);
  });
  return found;
}

/** Moves the mouse over a tree, at least 500 pixels below the top of the window, where nothing covers the tree. */
async function moveOver(page: Page, tree: Locator): Promise<void> {
  await tree.waitFor();
  const box = await tree.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, Math.max(box.y + 60, 500));
}

/** Opens or closes a row with the mouse. */
export async function toggleRow(page: Page, name: RegExp): Promise<void> {
  await clickMiddle(page, (await reachRow(page, name)).locator('[data-toggle]'));
}

/** Opens a page, and collects the characters of the replies whose addresses match. */
export async function lookWithSizes(
  open: (before: (page: Page) => Promise<void>) => Promise<LookedAt>,
  isCounted: RegExp,
): Promise<LookedAt & { readonly sizes: readonly number[] }> {
  const sizes: number[] = [];
  const looked = await open((page) => {
    page.on('response', (response) => {
      if (isCounted.test(response.url())) void response.text().then((text) => sizes.push(text.length));
    });
    return Promise.resolve();
  });
  return { ...looked, sizes };
}
