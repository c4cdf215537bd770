import assert from 'node:assert/strict';
import type { Context } from 'mocha';
import { callUrl } from './call.js';
import {
  accessibilityFaults,
  lackOfBrowser,
  type Look,
  openBrowser,
  type TestBrowser,
  type WatchedPage,
} from './browser.js';
import { temporaryFolder } from './temporary-folder.js';
import { openWorld, type World, type WorldOptions } from './world.js';

export interface LookInside extends Look {
  /** True: nobody has signed in. */
  readonly isStranger?: boolean;
}

/** The console of a world, looked at with a browser. */
export interface WatchedConsole {
  readonly world: World;
  /** Opens a page of it; somebody with the role `admin` looks, unless the look has another token. */
  readonly look: (path: string, look?: LookInside) => Promise<WatchedPage>;
  /** Asks the server itself, as `admin`. Throws when the answer is no success. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
  close(): Promise<void>;
}

/** Opens world and browser, or skips the tests and says why. For `before`. */
export async function openConsole(
  mocha: Context,
  arrange?: WorldOptions['arrange'],
): Promise<WatchedConsole> {
  const lack = lackOfBrowser();
  if (lack !== undefined) {
    process.stderr.write(`  skipped: ${lack}\n`);
    mocha.skip();
  }
  const world = await openWorld({ folder: temporaryFolder().path, ...(arrange && { arrange }) });
  const browser = await openBrowser();
  return watchedConsole(world, browser);
}

function watchedConsole(world: World, browser: TestBrowser): WatchedConsole {
  return {
    world,
    async look(path, { isStranger = false, ...look } = {}) {
      const session = isStranger ? {} : { token: world.mint('admin') };
      const looked = await browser.look(world.url, { ...session, ...look });
      await looked.page.goto(world.url + path);
      return looked;
    },
    async ask(method, path, body) {
      const token = world.mint('admin');
      const { status, json } = await callUrl(world.url + path, {
        method,
        token,
        ...(body !== undefined && { body }),
      });
      assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(json)}`);
      return json;
    },
    async close() {
      await browser.close();
      await world.close();
    },
  };
}

/** Asserts that neither axe, nor the policy, nor the browser's console has anything against a page, and that it does not scroll sideways. */
export async function assertClean({ page, faults }: WatchedPage): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.deepEqual(faults, []);
  const tooWide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.equal(tooWide, 0, 'the page scrolls sideways');
}
